public import Platform
public import Timebase

/// The clock of a simulated camera.
public protocol SimulationClock: Sendable {
  /// The current time.
  var now: Instant { get }

  /// Waits until `deadline`; may return early.
  func wait(until deadline: Instant)
}

extension SessionClock: SimulationClock {}
extension VirtualClock: SimulationClock {}
