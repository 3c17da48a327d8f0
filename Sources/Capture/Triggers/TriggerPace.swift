import Timebase

/// The rate at which a source may trigger, which keeps a flood of messages from a recording.
struct TriggerPace {
  /// The minimum time between two triggers.
  static let interval = Duration.milliseconds(10)
  private var last: Instant?

  /// Returns whether a trigger at `time` is far enough from the last admitted one.
  mutating func admits(_ time: Instant) -> Bool {
    if let last, (time - last).magnitude < Self.interval { return false }
    last = time
    return true
  }
}

extension Duration {
  /// The length, whatever its sign.
  fileprivate var magnitude: Duration { max(self, .zero - self) }
}
