public import Platform
import Synchronization

/// The time that a simulated camera lives in.
public protocol SimulationClock: Sendable {
  /// The time now, in nanoseconds.
  var nanoseconds: Int64 { get }

  /// Waits until `deadline`, in nanoseconds; may return early.
  func wait(until deadline: Int64)
}

extension MonotonicClock: SimulationClock {}

/// A clock that moves only when it is told to or waited for, so that a recording takes no time at all.
///
/// A wait takes it straight to the deadline. Where a test is to decide alone, let it call ``advance(by:)`` and
/// have the camera wait for 0 ms.
public final class HandDrivenClock: SimulationClock {
  private let time: Atomic<Int64>

  /// A clock that stands at `nanoseconds`.
  public init(nanoseconds: Int64 = 0) { time = Atomic(nanoseconds) }

  /// The time now, in nanoseconds.
  public var nanoseconds: Int64 { time.load(ordering: .relaxed) }

  /// Moves on by `nanoseconds`.
  public func advance(by nanoseconds: Int64) { time.wrappingAdd(nanoseconds, ordering: .relaxed) }

  /// Moves to `deadline`, unless it is past.
  public func wait(until deadline: Int64) { time.max(deadline, ordering: .relaxed) }
}
