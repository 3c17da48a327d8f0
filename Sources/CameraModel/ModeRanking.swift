/// How the modes of a camera compare under the rule of ``ModeChoice``: what a camera offers at one size, and the one rate
/// of that which competes.
package enum ModeRanking {}
