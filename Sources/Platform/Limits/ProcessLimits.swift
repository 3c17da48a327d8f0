internal import CLinux
internal import Glibc
internal import SystemPackage

/// What the system lets this program have: files, threads and memory.
///
/// The limits are those of setrlimit(2) and of the control group. The libraries below end the program
/// where a small thing is refused, or wait for it for ever: so all that can be known is asked for
/// before anything begins.
package enum ProcessLimits {
  /// Open files beside those that there are; a recording around triggers takes some 30.
  static let fileCount: CInt = 64
  /// Threads beside those that there are; a recording with its clip takes some 14 on two processors.
  static let threadCount: CInt = 24
  /// Bytes of addresses beside those in use; a recording in 1280x720 with its clip takes some 450 MiB.
  static let addressBytes: Int64 = 512 << 20
  /// Bytes of memory; a recording in 1280x720 with its clip takes some 200 MiB.
  static let memoryBytes: Int64 = 128 << 20

  /// Allows this program as many open files as usual programs may have, where that is possible.
  ///
  /// - Throws: ``OvercrankError`` where a limit leaves too little to work with.
  package static func check() throws(OvercrankError) {
    clinux_raise_file_limit(1024)
    let files = clinux_free_descriptors(fileCount)
    guard files == fileCount else {
      throw OvercrankError(
        .inputOutput,
        "The limit of open files leaves this program \(files), and it needs \(fileCount). "
          + "Raise the limit with \"ulimit -n 1024\".")
    }
    try check(limit(clinux_limit_addresses), used: .addresses, "address space", "-v")
    try check(limit(clinux_limit_data), used: .data, "data memory", "-d")
    if let left = SystemMemory.availableBytes, left < memoryBytes {
      throw OvercrankError(
        .inputOutput,
        "The machine, or the control group of this program, has \(left >> 20) MiB of memory left, and "
          + "\(memoryBytes >> 20) MiB are needed. Close other programs, or give the group more.")
    }
    let threads = clinux_free_threads(threadCount)
    guard threads == threadCount else {
      throw OvercrankError(
        .inputOutput,
        "The system gives this program \(threads) more threads, and it needs \(threadCount). "
          + threadRemedy)
    }
  }

  fileprivate static let threadRemedy =
    "End other programs, or raise the limit: \"ulimit -u\", or pids.max of the control group."

  /// What this program lacks by now, where it lacks something, in whole sentences: why a library may have failed that
  /// does not say why.
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
      "The limit of \(what) leaves this program \(left >> 20) MiB, and it needs \(addressBytes >> 20) MiB. "
        + "Raise the limit with \"ulimit \(option) \((used + 2 * addressBytes) / 1024)\", or take it away with "
        + "\"ulimit \(option) unlimited\".")
  }

  /// A limit in bytes; `nil` where there is none.
  static func limit(_ limit: clinux_limit) -> Int64? {
    let bytes = clinux_limit(limit)
    return bytes == .max ? nil : bytes
  }
}

/// Memory that this program has, as its limits count it.
enum ProcessMemory: Int {
  // The places of the numbers in /proc/self/statm; see proc_pid_statm(5).
  /// All addresses in use.
  case addresses = 0
  /// What is private and can be written to.
  case data = 5

  /// Bytes; `nil` where the system does not say.
  func bytes(in folder: SystemFolder) -> Int64? {
    let pages = folder.line("/proc/self/statm")?.split(separator: " ").dropFirst(rawValue).first
    return pages.flatMap { Int64($0) }.map { $0 * Int64(sysconf(CInt(_SC_PAGESIZE))) }
  }
}

extension OvercrankError {
  /// pthread_create(3) failed.
  package static let noThread = OvercrankError(
    .failed, "The system gives this program no more threads. \(ProcessLimits.threadRemedy)")
}
