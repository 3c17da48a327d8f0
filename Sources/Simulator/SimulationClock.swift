public import Platform
public import Timebase

/// The clock of a simulated camera.
public protocol SimulationClock: Sendable {
  /// The current time.
  var now: Instant { get }

  /// The moment from which phases and flashes of all simulated cameras on this clock count.
  var epoch: Instant { get }

  /// Waits until `deadline`; may return early.
  func wait(until deadline: Instant)
}

extension SessionClock: SimulationClock {
  /// The start of virtual time; in real time, the moment when the program first used a simulated camera.
  public var epoch: Instant {
    switch self {
    case .monotonic: Self.realEpoch
    case .virtual(let clock): clock.epoch
    }
  }

  private static let realEpoch = MonotonicClock.now
}

extension VirtualClock: SimulationClock {
  /// The time at which the clock was created.
  public var epoch: Instant { start }
}
