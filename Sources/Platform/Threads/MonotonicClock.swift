internal import Glibc
public import Timebase

/// The kernel's `CLOCK_MONOTONIC`, with which V4L2 drivers timestamp their frames.
public struct MonotonicClock: Sendable {
  /// Creates the clock.
  public init() {}

  /// The time now: `clock_gettime(2)`.
  public static var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// The time now: `clock_gettime(2)`.
  public var now: Instant { Self.now }

  /// The present time since 1970, by `CLOCK_REALTIME`.
  static var timeOfDay: Duration {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Waits until an absolute time with `clock_nanosleep(2)`; a signal ends the wait early.
  public func wait(until deadline: Instant) {
    let (seconds, nanoseconds) = deadline.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds))
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
  }
}
