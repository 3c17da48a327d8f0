import Glibc

/// Notices that the machine was suspended: `CLOCK_BOOTTIME` goes on meanwhile, `CLOCK_MONOTONIC`
/// stands still.
struct SuspensionWatch {
  /// How far the one was ahead of the other, in nanoseconds.
  private var lead = Self.leadNow

  /// The two clocks are read one after the other, and the reader may be held up in between.
  private static let least: Int64 = 1_000_000_000

  /// Whether the machine was suspended since this was asked last.
  mutating func hasSlept() -> Bool {
    let now = Self.leadNow
    defer { lead = now }
    return now - lead > Self.least
  }

  private static var leadNow: Int64 { nanoseconds(CLOCK_BOOTTIME) - nanoseconds(CLOCK_MONOTONIC) }

  private static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
