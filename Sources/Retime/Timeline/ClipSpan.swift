/// The part of a film that a clip shows, in capture time.
public struct ClipSpan: Hashable, Sendable {
  /// From the film's first frame to where the clip begins; at least zero.
  public var start: Duration
  /// From the film's first frame to where the clip ends; `nil` for the film's own end.
  public var end: Duration?

  /// The part from `start` to `end`.
  public init(start: Duration = .zero, end: Duration? = nil) {
    self.start = start
    self.end = end
  }

  /// All of the film.
  public static let whole = ClipSpan()

  /// The part, of films that last as long as any can.
  var heldToFilms: ClipSpan {
    func held(_ time: Duration) -> Duration {
      min(max(.zero, time), .nanoseconds(CaptureCadence.longestTime))
    }
    return ClipSpan(start: held(start), end: end.map(held))
  }
}
