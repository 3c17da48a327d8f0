public import Platform
import SystemPackage

/// The facts about a machine that matter for recording; `nil` for those that are unknown.
public struct MachineFacts: Hashable, Sendable {
  /// The kernel's release, such as `6.12.57+deb13-amd64`.
  public var kernel: String?
  /// Whether this program may use real-time threads.
  public var mayRunInRealTime: Bool?
  /// The number of bytes that this program may lock in memory; `.max` if unlimited.
  public var lockableBytes: Int64?
  /// The number of bytes that programs can allocate without swapping.
  public var availableBytes: Int64?
  /// The frequency governor of each CPU; empty if there is none.
  public var governors: [Governor] = []
  /// The facts about a Raspberry Pi; `nil` for another machine.
  public var raspberryPi: RaspberryPi?

  /// The frequency governor of a CPU.
  public struct Governor: Hashable, Sendable {
    /// The CPU's number.
    public var cpu: Int
    /// The governor's name, such as `schedutil`.
    public var name: String
    /// The driver's name, such as `intel_pstate`; `nil` if unknown.
    public var driver: String?
  }

  init() {}

  /// Reads the facts from /proc and /sys in `folder`.
  public init(in folder: SystemFolder = SystemFolder()) {
    kernel = folder.line("/proc/sys/kernel/osrelease")
    // Checks all threads, because only one keeps the capabilities granted to the program's file
    // (`Privileges`).
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
    raspberryPi = RaspberryPi(in: folder)
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
