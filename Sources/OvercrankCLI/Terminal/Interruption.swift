import CLinux
import Foundation
import Overcrank
import Synchronization

/// What the program does about each signal, from the first instruction of `main` on. One thread hears
/// those that are caught.
///
/// - SIGINT, SIGTERM and SIGHUP end what is going on in good order. Where nothing is, they end the
///   program at once, with 130. After a second one the program ends in two seconds, whatever it waits
///   for.
/// - SIGXCPU, the limit of processor time (`ulimit -t`), does the same.
/// - SIGQUIT ends it at once: a recording leaves a part that can be recovered.
/// - SIGTSTP and SIGCONT give the terminal back and take it again.
/// - SIGUSR1 and SIGUSR2 have no meaning unless a trigger gives them one, and are ignored.
/// - SIGPIPE and SIGXFSZ are ignored: the call that meets a closed pipe, or the limit of a file's size
///   (`ulimit -f`), fails and is told.
/// - SIGTTIN and SIGTTOU are ignored: a program in the background records on.
/// - All others do what they do by themselves: SIGWINCH nothing, SIGALRM and the like kill.
///
/// A signal that whoever started the program had ignored, as nohup does with SIGHUP, stays ignored. Only
/// SIGINT is caught all the same: a shell ignores it for each program that a script puts into the
/// background, and `kill -INT` is how a script ends such a recording.
final class Interruption: Sendable {
  private struct State {
    /// What a signal does; without it the program ends.
    var action: (@Sendable () -> Void)?
    /// Whether a signal came that no action has heard.
    var isDue = false
    /// What is said where a signal ends the program before anything has begun; `nil` once something has.
    var earlyWords: String?
    /// How many signals came.
    var count = 0
    /// The first of them.
    var first: Int32?
    /// Whether the end of the program has begun, by a signal or by what it did.
    var isEnding = false
    /// Whether the limit of processor time has been reached.
    var isOutOfTime = false

    /// Begins the end of the program; whether it had not begun yet.
    mutating func claimsEnd() -> Bool {
      defer { isEnding = true }
      return !isEnding
    }
  }

  /// The program's one.
  static let shared = Interruption()

  private let state = Mutex(State())
  /// How long after a second signal the program ends, whatever it waits for.
  private static let grace: UInt32 = 2

  private init() {}

  /// Ignores and catches signals from now on; those that are caught wait for ``listen()``.
  ///
  /// - Throws: ``Failure`` where the system gives nothing to catch them with.
  ///
  /// - Parameter earlyWords: what is said where one ends the program before anything has begun.
  func catchSignals(saying earlyWords: String) throws(Failure) {
    state.withLock { $0.earlyWords = earlyWords }
    for number in [SIGPIPE, SIGUSR1, SIGUSR2, SIGTTIN, SIGTTOU, SIGXFSZ] { signal(number, SIG_IGN) }
    let caught = [SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGXCPU].filter { !Self.isIgnored($0) }
    clinux_give_notice_of_time()
    // Not blocked for sigwait(3): the runtime lets the main thread have all signals.
    for number in [SIGINT] + caught {
      let result = clinux_catch_signal(number)
      guard result < 0 else { continue }
      let answer = Errno(rawValue: -result)
      throw Failure(
        "Signals cannot be caught: \(answer.inWords). \(answer.remedy ?? "Try again.")",
        exitCode: ExitStatus.inputOutput)
    }
  }

  /// Hears the signals that are caught, also those that came before.
  ///
  /// - Throws: `OvercrankError` where the system gives no thread.
  func listen() throws {
    let thread = NamedThread(name: "overcrank-hear") { [self] in
      while true { hear(clinux_next_signal()) }
    }
    guard thread != nil else { throw OvercrankError.noThread }
  }

  /// What a signal does from now on; one that came while there was another action, and that this did
  /// not hear, does it at once.
  func set(_ action: @escaping @Sendable () -> Void) {
    let isDue = state.withLock { state in
      state.earlyWords = nil
      state.action = action
      defer { state.isDue = false }
      return state.isDue
    }
    if isDue { action() }
  }

  /// Starts work that leaves no file behind when it is cancelled, which a signal does from now on. One that
  /// comes before the work has begun cancels it too.
  func cancelling<Success, Failure>(
    _ start: () -> Task<Success, Failure>
  ) -> Task<Success, Failure> {
    hold()
    let work = start()
    set { work.cancel() }
    return work
  }

  /// Has signals wait from now on, as something is changed that has to be put back.
  func hold() {
    state.withLock { state in
      state.earlyWords = nil
      state.action = { [self] in self.state.withLock { $0.isDue = true } }
    }
  }

  /// - Throws: ``Failure`` with `message` where a signal has come.
  func check(_ message: String) throws(Failure) {
    if hasCome { throw Failure(message, exitCode: ExitStatus.interrupted) }
  }

  /// Has signals end the program again after ``hold()``.
  ///
  /// - Throws: as ``check(_:)`` does.
  func release(_ message: String) throws(Failure) {
    clear()
    try check(message)
  }

  /// Has a signal end the program at once from now on: all is done but for what is still to be told.
  func clear() {
    state.withLock { state in
      state.earlyWords = nil
      state.action = nil
    }
  }

  /// Whether a signal came.
  var hasCome: Bool { state.withLock { $0.count > 0 } }

  /// The first signal that came, as a person calls it; `nil` where none did.
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
      // The shell has written to the terminal meanwhile.
      Console.noteEcho()
    case SIGQUIT: die(by: SIGQUIT)
    case SIGXCPU:
      // The kernel sends it again each second.
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

  /// Lets the program end with a code of its own, from now on; where a signal ends it already, which has another code, never
  /// returns.
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
    // Before the hurry, by which whoever prints facts gives up and ends the program too.
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

  /// Stops the program as SIGTSTP does by default.
  private func suspend() {
    TerminalState.suspend()
    signal(SIGTSTP, SIG_DFL)
    raise(SIGTSTP)
    // Here it goes on.
    _ = clinux_catch_signal(SIGTSTP)
    TerminalState.resume()
  }

  private func die(by number: Int32) {
    TerminalState.restore()
    // Swift's own action prints a backtrace, which takes its time.
    signal(number, SIG_DFL)
    raise(number)
  }
}
