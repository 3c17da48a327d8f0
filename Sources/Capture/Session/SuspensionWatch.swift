import Glibc
import Timebase

/// A detector of suspensions of the machine: `CLOCK_BOOTTIME` advances during one, `CLOCK_MONOTONIC` does
/// not.
struct SuspensionWatch {
  /// The lead of `CLOCK_BOOTTIME` at the last check.
  private var lead: Duration

  init(lead: Duration = Self.leadNow) { self.lead = lead }

  /// The minimum change, because the clocks are read one after the other and the thread may be preempted in
  /// between.
  private static let least = Duration.seconds(1)

  /// Returns whether the machine was suspended since the last call.
  ///
  /// - Parameter now: The current lead of `CLOCK_BOOTTIME`.
  mutating func hasSlept(_ now: Duration = Self.leadNow) -> Bool {
    defer { lead = now }
    return now - lead > Self.least
  }

  static var leadNow: Duration { now(CLOCK_BOOTTIME) - now(CLOCK_MONOTONIC) }

  private static func now(_ clock: clockid_t) -> Instant {
    var time = timespec()
    clock_gettime(clock, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
