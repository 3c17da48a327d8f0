internal import CLinux
internal import Glibc
internal import SystemPackage

/// Limits on this program's files, threads and memory.
///
/// The limits are those of setrlimit(2) and of the control group. The libraries below end the program, or
/// wait for ever, if even a small resource is refused, so everything that can be checked is checked before
/// anything begins.
package enum ProcessLimits {
  /// Open files needed beyond those already open; a recording with triggers takes some 30.
  static let fileCount: CInt = 64
  /// Threads needed beyond those running; a recording with its clip takes some 14 on two processors.
  static let threadCount: CInt = 24
  /// Bytes of address space needed beyond those in use; a recording in 1280x720 with its clip takes some 450
  /// MiB.
  static let addressBytes: Int64 = 512 << 20
  /// Bytes of memory needed; a recording in 1280x720 with its clip takes some 200 MiB.
  static let memoryBytes: Int64 = 128 << 20

  /// Raises this program's limit of open files to the usual one, if possible, and checks all limits.
  ///
  /// - Throws: ``OvercrankError`` if a limit leaves too little to work with.
  package static func check() throws(OvercrankError) {
    clinux_raise_file_limit(1024)
    let files = clinux_free_descriptors(fileCount)
    guard files == fileCount else {
      throw OvercrankError(
        .inputOutput,
        "The limit of open files leaves this program \(files), but it needs \(fileCount). "
          + "Raise the limit with \"ulimit -n 1024\".")
    }
    try check(limit(clinux_limit_addresses), used: .addresses, "address space", "-v")
    try check(limit(clinux_limit_data), used: .data, "data memory", "-d")
    if let left = SystemMemory.availableBytes, left < memoryBytes {
      throw OvercrankError(
        .inputOutput,
        "The machine, or the control group of this program, has \(left >> 20) MiB of memory left, but "
          + "\(memoryBytes >> 20) MiB are needed. Close other programs, or give the group more.")
    }
    let threads = clinux_free_threads(threadCount)
    guard threads == threadCount else {
      throw OvercrankError(
        .inputOutput,
        "The system allows this program \(threads) more threads, but it needs \(threadCount). "
          + threadRemedy)
    }
  }

  fileprivate static let threadRemedy =
    "End other programs, or raise the limit: \"ulimit -u\", or pids.max of the control group."

  /// The resource that this program now lacks, in whole sentences: the possible cause if a library fails
  /// without naming one. `nil` if it lacks none.
  package static var shortage: String? {
    do throws(OvercrankError) {
      try check()
      return nil
    } catch {
      return error.description
    }
  }

  private static func check(
    _ limit: Int64?, used: ProcessMemory, _ what: String, _ option: String
  ) throws(OvercrankError) {
    guard let limit, let used = used.bytes(in: SystemFolder()) else { return }
    let left = max(0, limit - used)
    guard left < addressBytes else { return }
    throw OvercrankError(
      .inputOutput,
      "The limit of \(what) leaves this program \(left >> 20) MiB, but it needs \(addressBytes >> 20) MiB. "
        + "Raise the limit with \"ulimit \(option) \((used + 2 * addressBytes) / 1024)\", or remove it with "
        + "\"ulimit \(option) unlimited\".")
  }

  /// Returns a limit in bytes; `nil` if there is none.
  static func limit(_ limit: clinux_limit) -> Int64? {
    let bytes = clinux_limit(limit)
    return bytes == .max ? nil : bytes
  }
}

/// Memory of this program, as its limits count it.
enum ProcessMemory: Int {
  // The raw values are the positions in /proc/self/statm; see proc_pid_statm(5).
  /// The whole address space in use.
  case addresses = 0
  /// The private, writable memory.
  case data = 5

  /// Returns the size in bytes; `nil` if unknown.
  func bytes(in folder: SystemFolder) -> Int64? {
    let pages = folder.line("/proc/self/statm")?.split(separator: " ").dropFirst(rawValue).first
    return pages.flatMap { Int64($0) }.map { $0 * Int64(sysconf(CInt(_SC_PAGESIZE))) }
  }
}

extension OvercrankError {
  /// The error for a failed pthread_create(3).
  package static let noThread = OvercrankError(
    .failed, "The system allows this program no more threads. \(ProcessLimits.threadRemedy)")
}
