import CLinux
import Synchronization
public import SystemPackage

/// The scheduling of the capture thread, which keeps other programs from delaying it.
public struct CaptureScheduling: Hashable, Sendable {
  /// Whether the thread runs ahead of all threads that are not real-time (`SCHED_FIFO`).
  public var isRealTime: Bool
  /// The only CPU that it runs on; `nil` for any.
  public var cpu: Int?

  /// Creates a scheduling, by default that of any thread.
  public init(isRealTime: Bool = false, cpu: Int? = nil) {
    self.isRealTime = isRealTime
    self.cpu = cpu
  }

  /// The priority: low among real-time threads, so that the kernel's own interrupt threads (50) and sound
  /// servers come first.
  package static let priority: CInt = 10

  /// Schedules the calling thread this way as far as the kernel permits, and returns its refusals.
  package func apply() -> [SchedulingRefusal] {
    var refusals: [SchedulingRefusal] = []
    if isRealTime {
      let thread = clinux_thread_id()
      let result = Privileges.use { clinux_schedule_fifo(thread, Self.priority) }
      if result < 0 { refusals.append(.realTime(Errno(rawValue: -result))) }
    }
    if let cpu {
      let result = clinux_pin_to_cpu(CInt(clamping: cpu))
      if result < 0 { refusals.append(.cpu(cpu, Errno(rawValue: -result))) }
    }
    return refusals
  }

  /// Returns what the kernel would refuse, tried on a short-lived thread.
  public func refusals() -> [SchedulingRefusal] {
    guard isRealTime || cpu != nil else { return [] }
    let found = Refusals()
    NamedThread(name: "overcrank-try") { found.list.withLock { $0 = apply() } }?.join()
    return found.list.withLock { $0 }
  }

  private final class Refusals: Sendable {
    let list = Mutex<[SchedulingRefusal]>([])
  }
}

/// A part of a ``CaptureScheduling`` that the kernel refused.
public enum SchedulingRefusal: Hashable, Sendable, CustomStringConvertible {
  /// Real-time scheduling was refused.
  case realTime(Errno)
  /// This CPU was refused.
  case cpu(Int, Errno)

  /// The refused setting, the reason, and how to allow it.
  public var description: String {
    switch self {
    case .realTime(.notPermitted), .realTime(.permissionDenied):
      "This user may not use real-time scheduling, so other programs may delay the capture thread. Allow it with \"\(Self.remedy)\"."
    case .realTime(let errno):
      "The kernel refuses real-time scheduling: \(errno). Other programs may delay the capture thread."
    case .cpu(let cpu, .invalidArgument):
      "This program may not run on CPU \(cpu); \"nproc\" and \"taskset -p $$\" show the available ones. Any CPU is used."
    case .cpu(let cpu, let errno):
      "The kernel refuses to keep the capture thread on CPU \(cpu): \(errno). Any CPU is used."
    }
  }

  /// The command that gives the installed program the two capabilities that capturing can use.
  package static let remedy = "sudo setcap cap_sys_nice,cap_ipc_lock+p $(readlink -f $(which overcrank))"
}
