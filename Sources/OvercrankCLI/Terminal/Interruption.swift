import Dispatch
import Foundation
import Synchronization

/// SIGINT, SIGTERM, SIGHUP and the Enter key, each ending what is going on in good order.
final class Interruption: @unchecked Sendable {
  private struct State {
    var action: (@Sendable () -> Void)?
    /// Whether there was an interruption before there was an action.
    var isDue = false
    /// Whether there was one at all.
    var hasCome = false
  }

  // Unchecked: what changes after `init` is behind the lock.
  private let state = Mutex(State())
  /// Written once, before anyone else has the object.
  private var sources: [any DispatchSourceSignal] = []

  init() {
    sources = [SIGINT, SIGTERM, SIGHUP].compactMap { number in
      // The default action is put out first, else it kills before the source is told.
      let previous = signal(number, SIG_IGN)
      // nohup asks for a hang-up to be passed over, and so it is.
      if number == SIGHUP, unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        return nil
      }
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [weak self] in self?.interrupt() }
      source.resume()
      return source
    }
  }

  /// What an interruption does from now on; one that came before there was an action does it at once.
  func set(_ action: @escaping @Sendable () -> Void) {
    let isDue = state.withLock { state in
      defer { (state.action, state.isDue) = (action, false) }
      return state.isDue
    }
    if isDue { action() }
  }

  /// Whether there was one.
  var hasCome: Bool { state.withLock { $0.hasCome } }

  private func interrupt() {
    let action = state.withLock { state in
      state.hasCome = true
      state.isDue = state.action == nil
      return state.action
    }
    action?()
  }

  /// Takes Enter as an interruption too, until the program ends.
  ///
  /// - Parameter readsPipe: whether a line from a pipe counts as well; it may be someone else's input.
  func watchEnter(readsPipe: Bool) {
    let isTerminal = isatty(STDIN_FILENO) == 1
    // A program in the background that reads its terminal is stopped for it.
    guard isTerminal ? tcgetpgrp(STDIN_FILENO) == getpgrp() : readsPipe else { return }
    let thread = Thread { [weak self] in
      var byte: UInt8 = 0
      // The end of the input is no key.
      while read(STDIN_FILENO, &byte, 1) == 1 {
        if byte == UInt8(ascii: "\n") {
          self?.interrupt()
          return
        }
      }
    }
    thread.stackSize = 1 << 16
    thread.start()
  }
}
