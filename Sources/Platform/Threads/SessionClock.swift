public import Timebase

/// The clock of a session, on which everything in the session waits.
public enum SessionClock: Sendable {
  /// The machine's clock, with which V4L2 drivers timestamp their frames.
  case monotonic
  /// A clock on which waiting takes no real time.
  case virtual(VirtualClock)

  /// The time now.
  public var now: Instant {
    switch self {
    case .monotonic: MonotonicClock.now
    case .virtual(let clock): clock.now
    }
  }

  /// The present time since 1970. On a virtual clock, it starts at the real time.
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

  /// Whether time advances only as fast as the session's threads work.
  public var isVirtual: Bool { if case .virtual = self { true } else { false } }

  /// Returns this clock's time when `CLOCK_MONOTONIC` showed `real`, before the session.
  package func time(atReal real: Instant) -> Instant {
    switch self {
    case .monotonic: real
    case .virtual(let clock): clock.time(atReal: real)
    }
  }

  /// Makes time wait for the calling thread until ``leave()``. May be nested.
  package func enter() { if case .virtual(let clock) = self { clock.enter() } }

  /// Ends the calling thread's hold on time.
  package func leave() { if case .virtual(let clock) = self { clock.leave() } }

  /// Returns a seat for a thread that is about to start; `nil` if time does not wait for threads.
  func seat() -> VirtualClock.Seat? { if case .virtual(let clock) = self { clock.seat() } else { nil } }
}
