import Timebase

/// A mapping between the frames' clock and the session's, derived from the arriving frames.
struct TimestampMapper {
  /// The timestamp of the latest frame, on the frames' clock.
  private(set) var newest: Instant?
  /// The arrival of that frame, on the session's clock.
  private(set) var arrival = Instant(nanoseconds: 0)
  /// The timestamp of the first frame.
  private var first = Instant.distantPast
  /// The minimum delay from a frame's timestamp to its arrival.
  private var lag = Duration.zero

  /// The range of delays that are plausible if both clocks are the same: late because of a long exposure and
  /// a full queue; early because the writer may be preempted after it reads the clock.
  private static let plausibleLag = Duration.seconds(-1)...Duration.seconds(1)

  /// Adds a frame that was found at `now`, in order.
  mutating func see(_ timestamp: Instant, at now: Instant) {
    // The minimum is the most accurate, because waiting only adds delay. Time that goes back restarts it.
    if let newest, timestamp >= newest {
      lag = min(lag, now - timestamp)
    } else {
      lag = now - timestamp
      first = timestamp
    }
    newest = timestamp
    arrival = now
  }

  /// Returns the moment of `event` on the frames' clock.
  func frameTime(of event: TriggerEvent) -> Instant {
    guard let frame = event.frame else { return frameTime(of: event.time) }
    // A trigger from an earlier stream counts as if it came with the first frame.
    return max(first, frame.timestamp)
  }

  /// Returns the moment of `event` on the session's clock; `nil` before the first frame.
  func moment(of event: TriggerEvent) -> Instant? {
    newest == nil ? nil : frameTime(of: event) + offset
  }

  /// The delay of the frames' clock behind the session's; zero if they are the same clock.
  var offset: Duration { Self.plausibleLag.contains(lag) ? .zero : lag }

  /// Converts `time` from the session's clock to the frames' clock.
  ///
  /// Most drivers use the same clock. Some copy timestamps from another clock, and some claim the wrong one;
  /// the result is then as inaccurate as their frames are late. A time before the first frame becomes that of
  /// the first frame, because an early trigger should get the frames that exist.
  func frameTime(of time: Instant) -> Instant { max(first, exactFrameTime(of: time)) }

  /// Converts `time` from the session's clock to the frames' clock, even if it is before the first frame.
  func exactFrameTime(of time: Instant) -> Instant {
    time - offset
  }
}
