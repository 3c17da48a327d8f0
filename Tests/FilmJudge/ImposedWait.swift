import Foundation

/// How long the machine, not the program itself, has kept a program from going on: what a promise in milliseconds is held
/// against where other work is done too.
///
/// That is the time in which a thread of it was ready and had no processor (proc_pid_schedstat(5)), in which one waited for a
/// disk (state D of proc_pid_stat(5)), in which a host kept the processors to itself (`steal` of proc_stat(5)), and in which
/// even the one who looks was not let. All of it counts for every thread, so it is rather too much than too little.
public struct ImposedWait {
  private struct Thread {
    /// What schedstat said at the last look.
    var accounting: String
    /// Since when it may have been ready without a processor, where it was at the last look.
    var readySince: Int64?
    /// Nanoseconds that it was ready and had no processor.
    var delay: Int64
  }

  private let process: Int32
  private let interval: Int64
  private let unexcused: Set<String>
  private var threads: [String: Thread] = [:]
  /// What is not counted by the kernel: the waits for a disk, and the looks that came late.
  private var observed: Int64 = 0
  private var looks: [(time: Int64, total: Int64)] = []

  /// Begins to watch `process`.
  ///
  /// - Parameters:
  ///   - interval: how often ``look(at:)`` is to be called, in nanoseconds.
  ///   - unexcused: names of threads that may not wait for the disk at others' cost.
  public init(of process: Int32, interval: Int64, unexcused: Set<String> = []) {
    (self.process, self.interval, self.unexcused) = (process, interval, unexcused)
  }

  /// Looks at the program; `now` is in nanoseconds of `CLOCK_MONOTONIC`.
  public mutating func look(at now: Int64) {
    let last = looks.last?.time ?? now
    observed += max(0, now - last - 2 * interval)
    let folder = "/proc/\(process)/task"
    for thread in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      guard let accounting = Self.text("\(folder)/\(thread)/schedstat"),
        let stat = Self.text("\(folder)/\(thread)/stat"), let nameEnd = stat.lastIndex(of: ")")
      else { continue }
      let name = stat[..<nameEnd].drop { $0 != "(" }.dropFirst()
      let state = stat[nameEnd...].dropFirst(2).first
      if state == "D", !unexcused.contains(String(name)) { observed += now - last }
      let previous = threads[thread]
      var readySince: Int64?
      if state == "R" { readySince = previous?.accounting == accounting ? previous?.readySince ?? last : now }
      let counted = accounting.split(separator: " ").dropFirst().first.flatMap { Int64($0) } ?? 0
      threads[thread] = Thread(
        accounting: accounting, readySince: readySince, delay: counted + now - (readySince ?? now))
    }
    looks.append((now, threads.values.reduce(observed + Self.stolen()) { $0 + $1.delay }))
  }

  /// Nanoseconds of it between two moments, as far as they were looked at.
  public func duration(from start: Int64, to end: Int64) -> Int64 {
    let before = looks.last { $0.time <= start } ?? looks.first
    guard let before, let after = looks.last(where: { $0.time <= end }) else { return 0 }
    return max(0, after.total - before.total)
  }

  /// What a host has kept of this machine's processors, in nanoseconds; it counts in hundredths of a second.
  private static func stolen() -> Int64 {
    let fields = text("/proc/stat")?.prefix { $0 != "\n" }.split(separator: " ") ?? []
    return fields.count > 8 ? (Int64(fields[8]) ?? 0) * 10_000_000 : 0
  }

  /// The beginning of a small file of the kernel's.
  private static func text(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = read(file, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}
