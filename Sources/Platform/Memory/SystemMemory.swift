internal import CLinux
import SystemPackage

/// The memory still available to a program.
package enum SystemMemory {
  /// Bytes available without swapping, less a sixteenth that is left to others; `nil` if unknown.
  package static var availableBytes: Int? {
    let folder = SystemFolder()
    let answers = [machineBytes(in: folder), groupBytes(in: folder), ringBytes(in: folder)].compactMap(\.self)
    return answers.min().map { Int($0 - $0 / 16) }
  }

  /// Returns the size of a ring, which is mapped twice, that the limit of addresses allows; `nil` if there is
  /// no limit.
  private static func ringBytes(in folder: SystemFolder) -> Int64? {
    guard let limit = ProcessLimits.limit(clinux_limit_addresses) else { return nil }
    return ProcessMemory.addresses.bytes(in: folder).map { max(0, limit - $0) / 2 }
  }

  /// The remedy for a lack of memory, in a whole sentence: a higher limit, if one applies.
  package static var remedy: String { limitRemedy ?? "Memory ran out: close other programs and try again." }

  /// The same if a limit of this program may be the cause; `nil` if the machine has less memory than any
  /// limit.
  package static var limitRemedy: String? {
    let machine = machineBytes(in: SystemFolder()) ?? .max
    for (limit, option) in [(clinux_limit_addresses, "-v"), (clinux_limit_data, "-d")] {
      guard let bytes = ProcessLimits.limit(limit), bytes < machine else { continue }
      return
        "This program may have only \(bytes >> 20) MiB of memory; \"ulimit \(option) unlimited\" allows more."
    }
    return nil
  }

  /// Returns the bytes that programs can have without swapping: `MemAvailable` of proc_meminfo(5).
  package static func machineBytes(in folder: SystemFolder) -> Int64? {
    folder.value(of: "MemAvailable", in: "/proc/meminfo")
      .flatMap { $0.split(separator: " ").first }.flatMap { Int64($0) }.map { $0 * 1024 }
  }

  /// Returns the bytes that this program's control group, such as a container's, leaves: see the kernel's
  /// cgroup-v2.rst.
  static func groupBytes(in folder: SystemFolder) -> Int64? {
    guard let group = folder.lines("/proc/self/cgroup")?.first(where: { $0.hasPrefix("0::") }) else {
      return nil
    }
    let files = FilePath("/sys/fs/cgroup").appending(String(group.dropFirst("0::".count)))
    func number(_ name: String) -> Int64? { folder.line(files.appending(name)).flatMap { Int64($0) } }
    guard let most = number("memory.max"), let taken = number("memory.current") else { return nil }
    // The cache of files that are no longer in use counts as taken, but is freed on demand.
    let key = "inactive_file "
    let idle = folder.lines(files.appending("memory.stat"))?.first { $0.hasPrefix(key) }
    return max(0, most - taken + (idle.flatMap { Int64($0.dropFirst(key.count)) } ?? 0))
  }
}
