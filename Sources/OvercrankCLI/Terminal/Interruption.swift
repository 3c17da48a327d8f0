import Dispatch
import Foundation
import Synchronization

/// SIGINT, SIGTERM, SIGHUP and the Enter key, each ending what is going on in good order.
final class Interruption: @unchecked Sendable {
  private let handler = Mutex<(@Sendable () -> Void)?>(nil)
  private let came = Atomic(false)
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

  /// What an interruption does from now on.
  func set(_ action: @escaping @Sendable () -> Void) { handler.withLock { $0 = action } }

  /// Whether there was one.
  var hasCome: Bool { came.load(ordering: .relaxed) }

  private func interrupt() {
    came.store(true, ordering: .relaxed)
    handler.withLock { $0 }?()
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
