import Glibc
import Media
import Synchronization

/// The time that a simulated camera lives in.
public protocol SimulationClock: Sendable {
  /// The time now, in nanoseconds.
  var nanoseconds: Int64 { get }

  /// Waits until `deadline`, in nanoseconds; may return early.
  func wait(until deadline: Int64)
}

/// The kernel's `CLOCK_MONOTONIC`, which V4L2 drivers stamp their frames with.
public struct MonotonicClock: SimulationClock {
  /// The clock.
  public init() {}

  /// `clock_gettime(2)`.
  public var nanoseconds: Int64 { MonotonicTime.now }

  /// `clock_nanosleep(2)` until an absolute time; a signal ends it early.
  public func wait(until deadline: Int64) {
    var time = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
  }
}

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
