internal import CLinux
internal import Glibc
internal import Synchronization

/// Threads for tasks that may have what is left of the cores, and no more: they run where nothing else wants to
/// (`SCHED_IDLE`), and the disk serves them last. Threads that the tasks start, as encoders do, inherit that.
///
/// Give it to tasks as the executor that they prefer. It lives until ``end()``.
public final class IdleThreads: TaskExecutor {
  /// Who serves the tasks.
  private enum Servants: Equatable {
    case idle
    case usual
  }

  private struct State {
    var jobs: [UnownedJob] = []
    var servants = Servants.idle
    var hasEnded = false
    /// How many idle threads may work, and how many do.
    var allowed: Int
    var working = 0
    /// The kernel's numbers of the threads that serve.
    var own: Set<pid_t> = []
  }

  private let count: Int
  private let state: Monitor<State>
  private let watch: Mutex<(cores: SpareCores, allowance: IdleAllowance)>
  /// The program's threads that were there before.
  private let others: Set<pid_t>
  /// What these threads bear, and those that their tasks start, so that others of their kind are left alone.
  private let mark: CInt
  private static let marks = Atomic<CInt>(0)

  /// As many threads as `count`. Where the kernel lets none be idle, tasks wait for ``runAsUsual()``.
  public init(count: Int) {
    self.count = max(1, count)
    state = Monitor(State(allowed: self.count))
    watch = Mutex((SpareCores(), IdleAllowance(most: self.count)))
    others = ThreadScheduling.threads()
    mark = Self.marks.wrappingAdd(1, ordering: .relaxed).oldValue & 7
    _ = start(.idle)
  }

  /// Takes a piece of a task, to be run when its turn has come.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.change { $0.jobs.append(job) }
  }

  /// Has no more threads work than there are spare cores, and none at first.
  ///
  /// To be called every 200 ms from a thread that is not idle. Without it, all threads work.
  public func giveWay() {
    let allowed = watch.withLock { watch in
      watch.allowance.note(watch.cores.look())
      return watch.allowance.count
    }
    state.change { $0.allowed = allowed }
  }

  /// Has what is not done yet run as every other thread does.
  ///
  /// The kernel lets a thread leave `SCHED_IDLE` only where `RLIMIT_NICE` allows it, so others take over the tasks. What
  /// those have started cannot be replaced.
  ///
  /// - Returns: whether all threads that the tasks have started run as usual now.
  public func runAsUsual() -> Bool {
    guard state.read({ $0.servants == .idle }) else { return true }
    guard start(.usual) > 0 else { return false }
    let own = state.change { state in
      state.servants = .usual
      return state.own
    }
    var areAllUsual = true
    for thread in ThreadScheduling.threads().subtracting(others) where clinux_runs_when_idle(thread) == 1 {
      // Without a mark are all where the kernel refuses it.
      let theirs = clinux_idle_mark(thread)
      guard theirs == mark || theirs < 0 else { continue }
      let isOwn = own.contains(thread)
      if clinux_run_as_usual(thread) < 0, !isOwn { areAllUsual = false }
    }
    return areAllUsual
  }

  /// Ends the threads; to be called once all tasks are done.
  public func end() { state.change { $0.hasEnded = true } }

  /// Starts the threads; how many there are.
  private func start(_ servants: Servants) -> Int {
    (0..<count).count(where: { _ in
      NamedThread(name: "overcrank-clip") { self.serve(as: servants) } != nil
    })
  }

  private func serve(as servants: Servants) {
    let thread = clinux_thread_id()
    guard servants == .usual || clinux_run_when_idle(mark) == 0 else { return }
    state.change { _ = $0.own.insert(thread) }
    while let job = nextJob(for: servants) {
      job.runSynchronously(on: asUnownedTaskExecutor())
      state.change { $0.working -= 1 }
    }
    state.change { _ = $0.own.remove(thread) }
  }

  /// The next piece of a task; `nil` where these threads serve no longer.
  private func nextJob(for servants: Servants) -> UnownedJob? {
    state.wait { state -> UnownedJob?? in
      // New threads may come before they are to take over.
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
