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

/// What a clip shows where the film has no frame: because one was lost, or because it was filmed too slowly for the
/// speed.
public enum Fill: String, Hashable, Sendable, CaseIterable {
  /// The frame before stays.
  case hold
  /// The frame before fades into the next.
  case blend
  /// As ``hold``, but lost frames take no time: time jumps over them.
  case skip
}
