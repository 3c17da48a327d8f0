internal import CLinux
internal import Glibc
internal import SystemPackage
internal import Timebase

/// A meter of the cores that are idle, or run only this program's `SCHED_IDLE` threads, between two calls.
///
/// `SCHED_IDLE` orders only the threads of one group: those of a session or a service. If other groups are
/// busy too, the kernel divides the cores among the groups, and idle threads take from the share of this
/// program's other threads. So idle threads should rest if anything else wants the cores.
struct SpareCores {
  private struct Sight {
    var time: Instant
    /// The total time that the cores were idle.
    var idle: Duration
    /// The processor time of each thread, and the time that it waited for a core.
    var threads: [pid_t: (isIdle: Bool, ran: Duration, waited: Duration)]
  }

  private var last: Sight?

  /// The largest fraction of time that a thread waits for a core if there are enough.
  private static let usualWait = 0.1

  /// Returns the number of cores that were spare since the last call; 0 if a thread that is not idle had to
  /// wait for one, and `nil` if unknown.
  mutating func look() -> Double? {
    let now = Self.sight()
    defer { last = now }
    guard let now, let last, now.time > last.time else { return nil }
    let time = (now.time - last.time) / .seconds(1)
    var spare = (now.idle - last.idle) / .seconds(1)
    for (thread, state) in now.threads {
      guard let before = last.threads[thread] else { continue }
      if state.isIdle {
        spare += (state.ran - before.ran) / .seconds(1)
      } else if (state.waited - before.waited) / .seconds(1) > Self.usualWait * time {
        return 0
      }
    }
    return spare / time
  }

  private static func sight() -> Sight? {
    guard let line = text("/proc/stat").split(separator: "\n").first else { return nil }
    // user, nice, system, idle, iowait: in ticks.
    let fields = line.split(separator: " ").dropFirst().map { Int64($0) ?? 0 }
    guard fields.count > 4 else { return nil }
    let ticks = fields[3].adding(clamping: fields[4])
    let perSecond = max(1, Int64(sysconf(CInt(_SC_CLK_TCK))))
    var sight = Sight(
      time: MonotonicClock.now, idle: .milliseconds(ticks.multiplied(clamping: 1000) / perSecond),
      threads: [:])
    for thread in ThreadScheduling.threads() {
      let fields = text(FilePath("/proc/self/task/\(thread)/schedstat")).split(separator: " ").compactMap {
        Int64($0)
      }
      guard fields.count > 1 else { continue }
      sight.threads[thread] = (
        clinux_runs_when_idle(thread) == 1, .nanoseconds(fields[0]), .nanoseconds(fields[1])
      )
    }
    return sight.threads.isEmpty ? nil : sight
  }

  private static func text(_ path: FilePath) -> String {
    guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return "" }
    defer { try? file.close() }
    let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      count = (try? file.read(into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The number of threads that may work, given the spare cores: reduced at once, increased only if more cores
/// stay spare.
struct IdleAllowance {
  /// The number that may work now.
  private(set) var count = 0
  /// The smallest number that the last looks allowed, and the number of those looks.
  private var next = 0
  private var looks = 0
  private let most: Int

  /// The number of looks that must agree before more threads may work.
  static let patience = 5

  /// - Parameter most: the number of threads.
  init(most: Int) { self.most = most }

  /// Records a look.
  ///
  /// - Parameter spare: the number of spare cores; `nil` if unknown.
  mutating func note(_ spare: Double?) {
    // A core that is spare for most of the time counts.
    let allowed = min(most, max(0, Int(clamping: (spare ?? 0) + 0.3)))
    if allowed <= count {
      count = allowed
      looks = 0
      return
    }
    next = looks == 0 ? allowed : min(next, allowed)
    looks += 1
    guard looks >= Self.patience else { return }
    count = next
    looks = 0
  }
}
