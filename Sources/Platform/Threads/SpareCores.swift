internal import CLinux
internal import Glibc
internal import SystemPackage
internal import Timebase

/// How many cores have nothing to do but what this program runs under `SCHED_IDLE`, from one look to the next.
///
/// `SCHED_IDLE` orders the threads of one group alone: those of a session or a service. Where other groups are busy too,
/// the kernel shares the cores out among groups, and what idle threads use of this program's share its other threads lack.
/// So idle threads should rest wherever anything else wants the cores.
struct SpareCores {
  private struct Sight {
    var time: Instant
    /// Time that the cores had nothing to do, all together.
    var idle: Duration
    /// Processor time of each thread, and the time that it waited for a core.
    var threads: [pid_t: (isIdle: Bool, ran: Duration, waited: Duration)]
  }

  private var last: Sight?

  /// The part of the time that a thread waits for a core at most, where there are enough.
  private static let usualWait = 0.1

  /// How many cores were spare since the last call; 0 where a thread that is not idle had to wait for one, and `nil` where
  /// the kernel does not say.
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

/// How many threads may work where so many cores are spare: fewer at once, more only when that has lasted.
struct IdleAllowance {
  /// How many may work now.
  private(set) var count = 0
  /// The number that the last looks allowed at least, and how many of them there were.
  private var next = 0
  private var looks = 0
  private let most: Int

  /// Looks that must agree before more threads may work.
  static let patience = 5

  /// - Parameter most: the threads that there are.
  init(most: Int) { self.most = most }

  /// Takes note of a look.
  ///
  /// - Parameter spare: the cores that were spare; `nil` where nobody knows.
  mutating func note(_ spare: Double?) {
    // A core that is spare for most of the time is one.
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
