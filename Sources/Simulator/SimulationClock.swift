public import Platform
import Synchronization
public import Timebase

/// The time that a simulated camera lives in.
public protocol SimulationClock: Sendable {
  /// The time now.
  var now: Instant { get }

  /// Waits until `deadline`; may return early.
  func wait(until deadline: Instant)
}

extension SessionClock: SimulationClock {}

/// A clock that moves only when it is told to or waited for, so that a recording takes no time at all.
///
/// A wait takes it straight to the deadline. Where a test is to decide alone, let it call ``advance(by:)`` and
/// have the camera wait for 0 ms.
public final class HandDrivenClock: SimulationClock {
  /// In nanoseconds.
  private let time: Atomic<Int64>

  /// A clock that stands at `start`.
  public init(at start: Instant = Instant(nanoseconds: 0)) { time = Atomic(start.nanoseconds) }

  /// The time now.
  public var now: Instant { Instant(nanoseconds: time.load(ordering: .relaxed)) }

  /// Moves on by `duration`.
  public func advance(by duration: Duration) {
    time.wrappingAdd(duration.wholeNanoseconds, ordering: .relaxed)
  }

  /// Moves to `deadline`, unless it is past.
  public func wait(until deadline: Instant) { time.max(deadline.nanoseconds, ordering: .relaxed) }
}
