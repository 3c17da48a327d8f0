internal import CLinux
internal import Glibc
internal import Synchronization

/// Threads for tasks that may use only idle cores: they run only if no other thread wants to (`SCHED_IDLE`),
/// and the disk serves them last. Threads that the tasks start, as encoders do, inherit that.
///
/// Use it as the preferred executor of those tasks. It lives until ``end()``.
public final class IdleThreads: TaskExecutor {
  /// The kind of threads that serve the tasks.
  private enum ThreadClass: Equatable {
    case idle
    case usual
  }

  private struct State {
    var jobs: [UnownedJob] = []
    var servants = ThreadClass.idle
    var hasEnded = false
    /// The numbers of idle threads that may work, and that do.
    var allowed: Int
    var working = 0
    /// The kernel's IDs of the threads that serve.
    var own: Set<pid_t> = []
  }

  private let count: Int
  private let state: Monitor<State>
  private let watch: Mutex<(cores: SpareCores, allowance: IdleAllowance)>
  /// The program's threads that existed before.
  private let others: Set<pid_t>
  /// A mark on these threads and those that their tasks start, which sets them apart from those of other
  /// executors.
  private let mark: CInt
  private static let marks = Atomic<CInt>(0)

  /// Creates `count` threads. If the kernel allows no idle threads, tasks wait for ``runAsUsual()``.
  public init(count: Int) {
    self.count = max(1, count)
    state = Monitor(State(allowed: self.count))
    watch = Mutex((SpareCores(), IdleAllowance(most: self.count)))
    others = ThreadScheduling.threads()
    mark = Self.marks.wrappingAdd(1, ordering: .relaxed).oldValue & 7
    _ = start(.idle)
  }

  /// Takes a job, to be run in its turn.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.change { $0.jobs.append(job) }
  }

  /// Limits the working threads to the spare cores; none work at first.
  ///
  /// Call it every 200 ms from a thread that is not idle. Without it, all threads work.
  public func giveWay() {
    let allowed = watch.withLock { watch in
      watch.allowance.note(watch.cores.look())
      return watch.allowance.count
    }
    state.change { $0.allowed = allowed }
  }

  /// Runs the remaining work at the usual priority.
  ///
  /// The kernel lets a thread leave `SCHED_IDLE` only if `RLIMIT_NICE` allows it, so new threads take over
  /// the tasks. Threads that the tasks have started cannot be replaced.
  ///
  /// - Returns: whether all threads that the tasks have started now run as usual.
  public func runAsUsual() -> Bool {
    guard state.read({ $0.servants == .idle }) else { return true }
    guard start(.usual) > 0 else { return false }
    let own = state.change { state in
      state.servants = .usual
      return state.own
    }
    var areAllUsual = true
    for thread in ThreadScheduling.threads().subtracting(others) where clinux_runs_when_idle(thread) == 1 {
      // If the kernel does not support marks, all threads lack one.
      let theirs = clinux_idle_mark(thread)
      guard theirs == mark || theirs < 0 else { continue }
      let isOwn = own.contains(thread)
      if clinux_run_as_usual(thread) < 0, !isOwn { areAllUsual = false }
    }
    return areAllUsual
  }

  /// Ends the threads; call it once all tasks are done.
  public func end() { state.change { $0.hasEnded = true } }

  /// Starts the threads. Returns the number that were started.
  private func start(_ servants: ThreadClass) -> Int {
    (0..<count).count(where: { _ in
      NamedThread(name: "overcrank-clip") { self.serve(as: servants) } != nil
    })
  }

  private func serve(as servants: ThreadClass) {
    let thread = clinux_thread_id()
    guard servants == .usual || clinux_run_when_idle(mark) == 0 else { return }
    state.change { _ = $0.own.insert(thread) }
    while let job = nextJob(for: servants) {
      job.runSynchronously(on: asUnownedTaskExecutor())
      state.change { $0.working -= 1 }
    }
    state.change { _ = $0.own.remove(thread) }
  }

  /// Returns the next job; `nil` if these threads no longer serve.
  private func nextJob(for servants: ThreadClass) -> UnownedJob? {
    state.wait { state -> UnownedJob?? in
      // New threads may arrive before they are to take over.
      guard servants == state.servants || servants == .usual else { return .some(nil) }
      if state.hasEnded, state.jobs.isEmpty { return .some(nil) }
      guard servants == state.servants, !state.jobs.isEmpty,
        servants == .usual || state.working < state.allowed
      else { return nil }
      state.working += 1
      return .some(state.jobs.removeFirst())
    }
  }
}
