import CLinux
import Foundation
import Overcrank
import Synchronization

/// The program's handling of signals, from the first instruction of `main`. One thread handles those that are
/// caught.
///
/// - SIGINT, SIGTERM and SIGHUP end the current work in good order. If there is none, they end the program at
///   once, with 130. After a second signal, the program ends within two seconds, whatever it waits for.
/// - SIGXCPU, the limit of processor time (`ulimit -t`), does the same.
/// - SIGQUIT ends it at once: a recording leaves a part that can be recovered.
/// - SIGTSTP restores the terminal's settings, and SIGCONT changes them again.
/// - SIGUSR1 and SIGUSR2 are ignored unless a trigger uses them.
/// - SIGPIPE and SIGXFSZ are ignored: the call that meets a closed pipe, or the limit of a file's size
///   (`ulimit -f`), fails and is reported.
/// - SIGTTIN and SIGTTOU are ignored: a program in the background continues to record.
/// - All others keep their default action: SIGWINCH does nothing, SIGALRM and the like kill.
///
/// A signal that was ignored when the program was started, as nohup does with SIGHUP, stays ignored. Only
/// SIGINT is caught nevertheless: a shell ignores it for each program that a script puts into the background,
/// and `kill -INT` is how a script ends such a recording.
final class Interruption: Sendable {
  private struct State {
    /// The action for a signal; `nil` to end the program.
    var action: (@Sendable () -> Void)?
    /// Whether a signal arrived that no action has handled.
    var isDue = false
    /// The message if a signal ends the program before any work has begun; `nil` once it has.
    var earlyWords: String?
    /// The number of signals so far.
    var count = 0
    /// The first signal.
    var first: Int32?
    /// Whether the program has begun to end, because of a signal or by itself.
    var isEnding = false
    /// Whether the limit of processor time has been reached.
    var isOutOfTime = false

    /// Claims the right to end the program, and returns whether it was still free.
    mutating func claimsEnd() -> Bool {
      defer { isEnding = true }
      return !isEnding
    }
  }

  /// The program's only instance.
  static let shared = Interruption()

  private let state = Mutex(State())
  /// The seconds from a second signal to the end of the program, whatever it waits for.
  private static let grace: UInt32 = 2

  private init() {}

  /// Starts to ignore and to catch signals; those that are caught wait for ``listen()``.
  ///
  /// - Parameter earlyWords: the message if a signal ends the program before any work has begun.
  /// - Throws: ``Failure`` if the system cannot provide a way to catch them.
  func catchSignals(saying earlyWords: String) throws(Failure) {
    state.withLock { $0.earlyWords = earlyWords }
    for number in [SIGPIPE, SIGUSR1, SIGUSR2, SIGTTIN, SIGTTOU, SIGXFSZ] { signal(number, SIG_IGN) }
    let caught = [SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGXCPU].filter { !Self.isIgnored($0) }
    clinux_lower_soft_cpu_limit()
    // Blocking them for sigwait(3) does not work: the runtime lets the main thread receive all signals.
    for number in [SIGINT] + caught {
      let result = clinux_catch_signal(number)
      guard result < 0 else { continue }
      let answer = Errno(rawValue: -result)
      throw Failure(
        "Signals cannot be caught: \(answer.inWords). \(answer.remedy ?? "Try again.")",
        exitCode: ExitStatus.inputOutput)
    }
  }

  /// Starts to handle the signals that are caught, including those that have already arrived.
  ///
  /// - Throws: `OvercrankError` if the system cannot create a thread.
  func listen() throws {
    let thread = NamedThread(name: "overcrank-hear") { [self] in
      while true { hear(clinux_next_signal()) }
    }
    guard thread != nil else { throw OvercrankError.noThread }
  }

  /// Sets the action for signals. If one arrived earlier and was not handled, the action runs at once.
  func set(_ action: @escaping @Sendable () -> Void) {
    let isDue = state.withLock { state in
      state.earlyWords = nil
      state.action = action
      defer { state.isDue = false }
      return state.isDue
    }
    if isDue { action() }
  }

  /// Starts work that leaves no file behind when it is cancelled, and makes signals cancel it, even one that
  /// arrives before the work has begun.
  func cancelling<Success, Failure>(
    _ start: () -> Task<Success, Failure>
  ) -> Task<Success, Failure> {
    hold()
    let work = start()
    set { work.cancel() }
    return work
  }

  /// Holds signals back from now on, because a change is in progress that must be undone.
  func hold() {
    state.withLock { state in
      state.earlyWords = nil
      state.action = { [self] in keep() }
    }
  }

  /// Keeps the signal that is being handled for the next action.
  func keep() { state.withLock { $0.isDue = true } }

  /// Throws if a signal has arrived.
  ///
  /// - Throws: ``Failure`` with `message`.
  func check(_ message: String) throws(Failure) {
    if hasCome { throw Failure(message, exitCode: ExitStatus.interrupted) }
  }

  /// Lets signals end the program again after ``hold()``.
  ///
  /// - Throws: the same as ``check(_:)``.
  func release(_ message: String) throws(Failure) {
    clear()
    try check(message)
  }

  /// Lets a signal end the program at once from now on: only messages remain to be printed.
  func clear() {
    state.withLock { state in
      state.earlyWords = nil
      state.action = nil
    }
  }

  /// Whether a signal has arrived.
  var hasCome: Bool { state.withLock { $0.count > 0 } }

  /// The name of the first signal, as users know it; `nil` if none arrived.
  var name: String? {
    state.withLock { state in
      state.first.map { number in
        switch number {
        case SIGINT: "Ctrl-C"
        case SIGTERM: "SIGTERM"
        case SIGHUP: "SIGHUP"
        case SIGXCPU: "The limit of processor time (ulimit -t)"
        default: "signal \(number)"
        }
      }
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var current = sigaction()
    sigaction(number, nil, &current)
    return unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private func hear(_ number: Int32) {
    switch number {
    case SIGTSTP: suspend()
    case SIGCONT:
      TerminalState.resume()
      // The shell has written to the terminal in the meantime.
      Console.noteEcho()
    case SIGQUIT: die(by: SIGQUIT)
    case SIGXCPU:
      // The kernel repeats this signal each second.
      let isKnown = state.withLock { state in
        defer { state.isOutOfTime = true }
        return state.isOutOfTime
      }
      guard !isKnown else { break }
      Console.remark("The limit of processor time (\"ulimit -t\") has been reached.")
      interrupt(by: number)
    default: interrupt(by: number)
    }
  }

  /// Claims the end of the program for the caller's own exit code. Never returns if a signal, with another
  /// code, is already ending it.
  func awaitEnd() {
    guard !state.withLock({ $0.claimsEnd() }) else { return }
    while true { pause() }
  }

  private func interrupt(by number: Int32) {
    Console.noteEcho()
    let (action, count, words, endsNow) = state.withLock { state in
      state.count += 1
      state.first = state.first ?? number
      return (state.action, state.count, state.earlyWords, state.action == nil && state.claimsEnd())
    }
    // This must come before `hurry()`, which makes a thread that prints facts give up and end the program
    // too.
    if endsNow {
      if let words { Console.complain(words) }
      endNow()
    }
    Console.hurry()
    if count > 1 {
      state.withLock { $0.isDue = true }
      let thread = NamedThread(name: "overcrank-end") { [self] in
        sleep(Self.grace)
        endNow()
      }
      if thread == nil { endNow() }
    }
    action?()
  }

  /// Ends the program, whatever its other threads wait for.
  private func endNow() -> Never {
    Console.finish(isForced: true)
    TerminalState.restore()
    _exit(ExitStatus.interrupted)
  }

  /// Stops the program, as SIGTSTP does by default.
  private func suspend() {
    TerminalState.suspend()
    signal(SIGTSTP, SIG_DFL)
    raise(SIGTSTP)
    // Execution resumes here.
    _ = clinux_catch_signal(SIGTSTP)
    TerminalState.resume()
  }

  private func die(by number: Int32) {
    TerminalState.restore()
    // Swift's own handler prints a backtrace, which takes time.
    signal(number, SIG_DFL)
    raise(number)
  }
}
