import Glibc
import Timebase

/// Notices that the machine was suspended: `CLOCK_BOOTTIME` goes on meanwhile, `CLOCK_MONOTONIC`
/// stands still.
struct SuspensionWatch {
  /// How far the one was ahead of the other.
  private var lead: Duration

  init(lead: Duration = Self.leadNow) { self.lead = lead }

  /// The two clocks are read one after the other, and the reader may be held up in between.
  private static let least = Duration.seconds(1)

  /// Whether the machine was suspended since this was asked last.
  ///
  /// - Parameter now: how far the one is ahead of the other now.
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
