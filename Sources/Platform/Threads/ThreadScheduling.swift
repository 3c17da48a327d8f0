internal import Glibc

/// The scheduling of the calling thread, and the program's threads, before a codec was opened.
///
/// If root runs it, libsvtav1 raises every thread that it creates, and the thread that calls it, to the
/// highest real-time priority. The caller belongs to a pool, whose further threads and child processes would
/// inherit that, and nothing else on the machine would run beside them.
package struct ThreadScheduling {
  private let policy: CInt
  private let parameter: sched_param
  private let threads: Set<pid_t>

  /// Reads the calling thread's scheduling; `nil` if that fails.
  package init?() {
    var (policy, parameter) = (CInt(0), sched_param())
    guard pthread_getschedparam(pthread_self(), &policy, &parameter) == 0 else { return nil }
    self.policy = policy
    self.parameter = parameter
    self.threads = Self.threads()
  }

  /// Restores the calling thread, and threads created since that have the highest priority; call it on the
  /// same thread.
  package func restore() {
    let highest = sched_get_priority_max(SCHED_FIFO)
    var parameter = parameter
    pthread_setschedparam(pthread_self(), policy, &parameter)
    guard policy != SCHED_FIFO, geteuid() == 0 else { return }
    for thread in Self.threads().subtracting(threads) where sched_getscheduler(thread) == SCHED_FIFO {
      var made = sched_param()
      guard sched_getparam(thread, &made) == 0, made.sched_priority == highest else { continue }
      sched_setscheduler(thread, policy, &parameter)
    }
  }

  /// Returns the kernel's IDs of this program's threads.
  ///
  /// If a thread ends while the kernel lists them, the list may end there: it is read until it is as long as
  /// it should be. It may include threads that have ended since.
  static func threads() -> Set<pid_t> {
    var threads: Set<pid_t> = []
    for _ in 0..<10 {
      let (listed, count) = list()
      threads.formUnion(listed)
      if listed.count >= count { break }
    }
    return threads
  }

  /// Returns the threads that the kernel lists, and the number that it counted before.
  private static func list() -> (threads: Set<pid_t>, count: Int) {
    guard let folder = opendir("/proc/self/task") else { return ([], 0) }
    defer { closedir(folder) }
    // The link count is one for each thread, beside the two of every folder.
    var status = stat()
    let count = fstat(dirfd(folder), &status) == 0 ? Int(status.st_nlink) - 2 : 0
    var threads: Set<pid_t> = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if let thread = pid_t(name) { threads.insert(thread) }
    }
    return (threads, count)
  }
}
