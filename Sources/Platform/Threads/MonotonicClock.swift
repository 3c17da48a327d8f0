internal import Glibc

/// The kernel's `CLOCK_MONOTONIC`, which V4L2 drivers stamp their frames with.
public struct MonotonicClock: Sendable {
  /// The clock.
  public init() {}

  /// The time now, in nanoseconds.
  public static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The time now, in nanoseconds: `clock_gettime(2)`.
  public var nanoseconds: Int64 { Self.now }

  /// `clock_nanosleep(2)` until an absolute time in nanoseconds; a signal ends it early.
  public func wait(until deadline: Int64) {
    var time = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
  }
}
