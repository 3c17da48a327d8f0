import FoundationEssentials

/// The memory that a program may still take.
enum SystemMemory {
  /// Bytes that can be had without swapping, less a sixteenth that is left to others; `nil` where the system does not
  /// say.
  static var availableBytes: Int? {
    let answers = [machineBytes, groupBytes].compactMap(\.self)
    return answers.min().map { $0 - $0 / 16 }
  }

  /// `MemAvailable` of proc_meminfo(5).
  private static var machineBytes: Int? {
    number(after: "MemAvailable:", in: "/proc/meminfo").map { $0 << 10 }
  }

  /// What the control group of this program leaves, as a container's does: see the kernel's cgroup-v2.rst.
  private static var groupBytes: Int? {
    guard let group = text("/proc/self/cgroup")?.split(separator: "\n").first(where: { $0.hasPrefix("0::") })
    else { return nil }
    let folder = "/sys/fs/cgroup\(group.dropFirst("0::".count))"
    guard let most = number(after: "", in: "\(folder)/memory.max"),
      let taken = number(after: "", in: "\(folder)/memory.current")
    else { return nil }
    // Files that were read once count as taken, but go when their room is wanted.
    return max(0, most - taken + (number(after: "inactive_file", in: "\(folder)/memory.stat") ?? 0))
  }

  /// The number that follows `key` at a line's start.
  private static func number(after key: String, in path: String) -> Int? {
    guard let line = text(path)?.split(separator: "\n").first(where: { $0.hasPrefix(key) }) else {
      return nil
    }
    return line.dropFirst(key.count).split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
  }

  private static func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }
}
