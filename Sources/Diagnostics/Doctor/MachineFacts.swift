public import Platform
import SystemPackage

/// What a machine says of itself, as far as filming goes; what it does not say is `nil`.
public struct MachineFacts: Hashable, Sendable {
  /// The kernel's release, such as `6.12.57+deb13-amd64`.
  public var kernel: String?
  /// Whether this program may have real-time threads.
  public var mayRunInRealTime: Bool?
  /// How many bytes this program may lock in memory; `.max` for all.
  public var lockableBytes: Int64?
  /// Bytes that programs can have without anything being swapped out.
  public var availableBytes: Int64?
  /// How the clock of each CPU is governed; empty where nothing governs them.
  public var governors: [Governor] = []

  /// What sets the clock of a CPU.
  public struct Governor: Hashable, Sendable {
    /// The CPU's number.
    public var cpu: Int
    /// Such as `schedutil`.
    public var name: String
    /// Such as `intel_pstate`; `nil` where it is not told.
    public var driver: String?
  }

  init() {}

  /// What the machine whose /proc and /sys are in `folder` says to this process.
  public init(in folder: SystemFolder = SystemFolder()) {
    kernel = folder.line("/proc/sys/kernel/osrelease")
    // One thread keeps what the program's file was given (`Privileges`).
    let threads: FilePath = "/proc/self/task"
    let capabilities = folder.names(in: threads).compactMap {
      folder.value(of: "CapPrm", in: threads.appending("\($0)/status")).flatMap { UInt64($0, radix: 16) }
    }
    let limits = folder.lines("/proc/self/limits") ?? []
    func limit(_ name: String) -> Int64? {
      guard let line = limits.first(where: { $0.hasPrefix(name) }),
        let soft = line.dropFirst(name.count).split(separator: " ").first
      else { return nil }
      return soft == "unlimited" ? .max : Int64(soft)
    }
    // linux/capability.h: CAP_IPC_LOCK is 14, CAP_SYS_NICE 23.
    func has(_ bit: UInt64) -> Bool { capabilities.contains { $0 >> bit & 1 == 1 } }
    mayRunInRealTime =
      has(23) ? true : limit("Max realtime priority").map { $0 >= Int64(CaptureScheduling.priority) }
    lockableBytes = has(14) ? .max : limit("Max locked memory")
    availableBytes = SystemMemory.machineBytes(in: folder)
    let cpus: FilePath = "/sys/devices/system/cpu"
    governors = folder.names(in: cpus).compactMap { name -> Governor? in
      guard name.hasPrefix("cpu"), let cpu = Int(name.dropFirst(3)),
        let governor = folder.line(cpus.appending("\(name)/cpufreq/scaling_governor"))
      else { return nil }
      return Governor(
        cpu: cpu, name: governor, driver: folder.line(cpus.appending("\(name)/cpufreq/scaling_driver")))
    }.sorted { $0.cpu < $1.cpu }
  }
}
