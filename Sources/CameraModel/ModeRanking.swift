/// The comparison of a camera's modes under the rule of ``ModeChoice``: an offer for each format and size,
/// and a candidate with the one rate that competes.
package enum ModeRanking {}
