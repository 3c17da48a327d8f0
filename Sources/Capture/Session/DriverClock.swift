import CameraModel

/// The capture time of frames, by the driver's timestamps as far as they are plausible.
///
/// A timestamp is implausible if it does not advance, or is later than the frame's receipt. Such a frame gets
/// the time of its receipt, converted to the driver's clock, so that time in a master always advances and
/// never jumps. Each frame is judged separately: a single bad timestamp does not affect the others, but a
/// clock that was set stays out of step and is never trusted again.
struct DriverClock {
  private let isMonotonic: Bool
  /// The tolerance for a timestamp on `CLOCK_MONOTONIC` that is later than the receipt. Some drivers, such as
  /// vivid, stamp the end of a frame in advance, and timestamps counted by a camera are converted with errors
  /// of milliseconds.
  private let slack: Int64
  /// The minimum time from a timestamp to the receipt; for a clock of unknown origin, this relates the two
  /// clocks.
  private var delay: Int64?
  private var last: Int64 = -1

  /// The maximum age of the first frame on `CLOCK_MONOTONIC`, as in GStreamer's source; drivers that do not
  /// stamp leave zero.
  private static let mostAge: Int64 = 10_000_000_000
  /// The tolerance for a clock of unknown origin that runs ahead of what was observed before: the first
  /// frames may have been received late, and later ones then seem early.
  private static let leap: Int64 = 1_000_000_000
  /// The master's unit of time: a microsecond.
  private static let tick: Int64 = 1000
  /// 146 years, more than any clock has counted; prevents overflow.
  private static let end: Int64 = 1 << 62

  init(_ clock: FrameClock, intervalNanoseconds: Int64) {
    isMonotonic = clock == .monotonic
    slack = 100_000_000 + intervalNanoseconds
  }

  /// Returns a frame's time in nanoseconds on the driver's clock, and whether it is the time of receipt.
  mutating func time(stamped: Int64, received: Int64) -> (nanoseconds: Int64, isReceipt: Bool) {
    guard isPossible(stamped, received: received) else {
      delay = delay ?? 0
      last = max(time(received: received), last + Self.tick)
      return (last, true)
    }
    delay = min(delay ?? .max, received - stamped)
    last = stamped
    return (stamped, false)
  }

  /// Returns a time of receipt in nanoseconds on the driver's clock.
  func time(received: Int64) -> Int64 { received - (delay ?? 0) }

  private func isPossible(_ stamped: Int64, received: Int64) -> Bool {
    guard stamped > last, stamped < Self.end else { return false }
    let passed = received - stamped
    guard let delay else { return !isMonotonic || (-slack...Self.mostAge).contains(passed) }
    return passed >= (isMonotonic ? -slack : delay - Self.leap)
  }
}
