public import Platform
public import Timebase

/// The time that a simulated camera lives in.
public protocol SimulationClock: Sendable {
  /// The time now.
  var now: Instant { get }

  /// Waits until `deadline`; may return early.
  func wait(until deadline: Instant)
}

extension SessionClock: SimulationClock {}
extension VirtualClock: SimulationClock {}
