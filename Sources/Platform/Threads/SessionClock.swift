public import Timebase

/// The clock that a session lives by, which all that waits in it waits on.
public enum SessionClock: Sendable {
  /// The machine's, which V4L2 drivers stamp their frames with.
  case monotonic
  /// One that costs no time.
  case virtual(VirtualClock)

  /// The time now.
  public var now: Instant {
    switch self {
    case .monotonic: MonotonicClock.now
    case .virtual(let clock): clock.now
    }
  }

  /// The time now since 1970. On a virtual clock, that of its start is real.
  public var timeOfDay: Duration {
    switch self {
    case .monotonic: MonotonicClock.timeOfDay
    case .virtual(let clock): clock.timeOfDay
    }
  }

  /// Waits until `deadline`; may return early.
  public func wait(until deadline: Instant) {
    switch self {
    case .monotonic: MonotonicClock().wait(until: deadline)
    case .virtual(let clock): clock.wait(until: deadline)
    }
  }

  /// Whether time passes no faster than the session's threads work.
  public var isVirtual: Bool { if case .virtual = self { true } else { false } }

  /// What this clock showed when `CLOCK_MONOTONIC` showed `real`, before the session.
  package func time(atReal real: Instant) -> Instant {
    switch self {
    case .monotonic: real
    case .virtual(let clock): clock.time(atReal: real)
    }
  }

  /// Has time wait for the calling thread until ``leave()``.
  package func enter() { if case .virtual(let clock) = self { clock.enter() } }

  /// Has time wait for the calling thread no longer.
  package func leave() { if case .virtual(let clock) = self { clock.leave() } }

  /// A seat for a thread that is about to start; `nil` where time waits for nobody.
  func seat() -> VirtualClock.Seat? { if case .virtual(let clock) = self { clock.seat() } else { nil } }
}
