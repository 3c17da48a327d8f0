import CameraModel

/// When frames were captured: by the driver's timestamps, as far as these can be true.
///
/// A timestamp cannot be true that does not move on, or that lies after the moment at which the frame was received.
/// Such a frame gets the time of its receipt, carried over to the driver's clock, so that time in a master always moves
/// on and never leaps. Each frame is judged by itself: one bad timestamp costs the others nothing, while a clock that
/// was put back or forward stays out of step and is never believed again.
struct DriverClock {
  private let isMonotonic: Bool
  /// How far a timestamp on `CLOCK_MONOTONIC` may lie after the receipt. Some drivers stamp the end of a frame ahead of
  /// time, as vivid does, and timestamps that a camera counted are carried over with errors of milliseconds.
  private let slack: Int64
  /// The least time that passed from a timestamp to the receipt; on a clock of unknown origin this ties the two together.
  private var delay: Int64?
  private var last: Int64 = -1

  /// How old the first frame may be on `CLOCK_MONOTONIC`, as in GStreamer's source; drivers that do not stamp leave zero.
  private static let mostAge: Int64 = 10_000_000_000
  /// How far a clock of unknown origin may run ahead of all that was seen of it before: the first frames may
  /// have been received late, and then later ones seem to be early.
  private static let leap: Int64 = 1_000_000_000
  /// The master's unit of time: a microsecond.
  private static let tick: Int64 = 1000
  /// 146 years, which no clock has counted; it keeps the arithmetic from overflowing.
  private static let end: Int64 = 1 << 62

  init(_ clock: FrameClock, intervalNanoseconds: Int64) {
    isMonotonic = clock == .monotonic
    slack = 100_000_000 + intervalNanoseconds
  }

  /// The time of a frame, in nanoseconds on the driver's clock, and whether it is that of the receipt.
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

  /// A receipt in nanoseconds on the driver's clock.
  func time(received: Int64) -> Int64 { received - (delay ?? 0) }

  private func isPossible(_ stamped: Int64, received: Int64) -> Bool {
    guard stamped > last, stamped < Self.end else { return false }
    let passed = received - stamped
    guard let delay else { return !isMonotonic || (-slack...Self.mostAge).contains(passed) }
    return passed >= (isMonotonic ? -slack : delay - Self.leap)
  }
}
