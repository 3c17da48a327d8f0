import Overcrank

extension SpeedCurve {
  /// Refuses points that lie behind `end`, where the curve's film is over: nobody sees what they ask for.
  ///
  /// - Parameter what: what ends there.
  func check(until end: Duration, of what: String) throws(StudioError) {
    let late =
      points.first { $0.time > end }.map { "\($0)" } ?? freezes.first { $0.time > end }.map { "\($0)" }
    guard let late else { return }
    throw StudioError(
      .badRequest,
      "The curve's point \(late) lies behind the end of \(what), \(end.inSeconds.decimal(places: 3)) s. Move it to the "
        + "front, or leave it out.")
  }
}
