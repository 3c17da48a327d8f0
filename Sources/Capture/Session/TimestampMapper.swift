import Timebase

/// How the clock that frames are stamped with goes with the session's, seen from the frames that come.
struct TimestampMapper {
  /// The timestamp of the frame that came last, on the frames' clock.
  private(set) var newest: Instant?
  /// When it came, on the session's clock.
  private(set) var arrival = Instant(nanoseconds: 0)
  /// The timestamp of the first frame that was seen.
  private var first = Instant.distantPast
  /// The least that any frame came later than it was stamped.
  private var lag = Duration.zero

  /// How late a frame may come whose timestamp is of that clock: a long exposure and a full queue; and how early, as
  /// whoever sees it may have been held up since it read the clock.
  private static let plausibleLag = Duration.seconds(-1)...Duration.seconds(1)

  /// Enters a frame that was found at `now`, the newest last.
  mutating func see(_ timestamp: Instant, at now: Instant) {
    // The least of all is nearest to the truth, as waiting only adds to it. Time that went back begins anew.
    if let newest, timestamp >= newest {
      lag = min(lag, now - timestamp)
    } else {
      lag = now - timestamp
      first = timestamp
    }
    newest = timestamp
    arrival = now
  }

  /// The moment of `event` on the frames' clock.
  func frameTime(of event: TriggerEvent) -> Instant {
    guard let frame = event.frame else { return frameTime(of: event.time) }
    // A trigger from a stream before this one counts as if it came with the first frame.
    return max(first, frame.timestamp)
  }

  /// How much the frames' clock is behind the session's; zero where it is that.
  var offset: Duration { Self.plausibleLag.contains(lag) ? .zero : lag }

  /// The moment `time` of the session's clock on the frames' clock.
  ///
  /// That is the same number for most drivers. Some copy a clock from elsewhere, and some claim what is not so;
  /// then it is as far off as their frames are late. What lies before the first frame counts as if it came with that:
  /// whoever calls early wants the frames that can be had.
  func frameTime(of time: Instant) -> Instant { max(first, exactFrameTime(of: time)) }

  /// The moment `time` of the session's clock on the frames' clock, whether or not frames came by then.
  func exactFrameTime(of time: Instant) -> Instant {
    time - offset
  }
}
