/// When the samples of a film's audio were heard, where that is known better than by the file: those of a master
/// that was recorded with a microphone.
public struct AudioTiming: Hashable, Sendable {
  /// How many seconds after the first picture the first sample was heard.
  public let offset: Double
  /// Seconds of the file's audio that pass in one second: how much faster than its rate it is.
  public let ratio: Double

  /// Audio that is heard `offset` seconds after the first picture and `ratio` times as fast as its rate says; `nil`
  /// where that cannot be.
  public init?(offset: Double, ratio: Double) {
    guard offset.magnitude < 1e6, ratio > 0.5, ratio < 2 else { return nil }
    self.offset = offset
    self.ratio = ratio
  }

  /// The seconds of the file's audio at `seconds` of the film.
  func place(of seconds: Double) -> Double { (seconds - offset) * ratio }
}
