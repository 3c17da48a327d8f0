import SystemPackage

/// The memory that a program may still take.
package enum SystemMemory {
  /// Bytes that can be had without swapping, less a sixteenth that is left to others; `nil` where the system does not
  /// say.
  package static var availableBytes: Int? {
    let folder = SystemFolder()
    let answers = [machineBytes(in: folder), groupBytes(in: folder)].compactMap(\.self)
    return answers.min().map { Int($0 - $0 / 16) }
  }

  /// Bytes that the machine's programs can have without anything being swapped out: `MemAvailable` of proc_meminfo(5).
  package static func machineBytes(in folder: SystemFolder) -> Int64? {
    folder.value(of: "MemAvailable", in: "/proc/meminfo")
      .flatMap { $0.split(separator: " ").first }.flatMap { Int64($0) }.map { $0 * 1024 }
  }

  /// What the control group of this program leaves, as a container's does: see the kernel's cgroup-v2.rst.
  static func groupBytes(in folder: SystemFolder) -> Int64? {
    guard let group = folder.lines("/proc/self/cgroup")?.first(where: { $0.hasPrefix("0::") }) else {
      return nil
    }
    let files = FilePath("/sys/fs/cgroup").appending(String(group.dropFirst("0::".count)))
    func number(_ name: String) -> Int64? { folder.line(files.appending(name)).flatMap { Int64($0) } }
    guard let most = number("memory.max"), let taken = number("memory.current") else { return nil }
    // Files that were read once count as taken, but go when their room is wanted.
    let key = "inactive_file "
    let idle = folder.lines(files.appending("memory.stat"))?.first { $0.hasPrefix(key) }
    return max(0, most - taken + (idle.flatMap { Int64($0.dropFirst(key.count)) } ?? 0))
  }
}
