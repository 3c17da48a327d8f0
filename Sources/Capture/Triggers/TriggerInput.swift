import Glibc
import Platform
import Synchronization

/// Triggers from standard input: keys of a terminal, or lines of a pipe.
///
/// One thread reads to the end of the input or of the program: a read of a terminal cannot be called off.
final class TriggerInput: Sendable {
  private let input: Int32
  /// The terminal as it was, where keys are read one by one.
  private let terminal: termios?

  /// Begins to read `input`.
  ///
  /// - Parameters:
  ///   - kind: `key` wants a terminal, and takes each key by itself and unseen.
  ///   - startsTake: as ``TriggerEvent/startsTake``.
  /// - Returns: `nil` where the input may not be read: a program in the background would be stopped for it; and where
  ///   keys are wanted of something that has none.
  init?(
    _ kind: TriggerKind, from input: Int32 = STDIN_FILENO, startsTake: Bool = true,
    to commands: SessionCommands
  ) {
    let isTerminal = isatty(input) == 1
    if isTerminal ? tcgetpgrp(input) != getpgrp() : kind == .key { return nil }
    self.input = input
    terminal = kind == .key ? Self.takingKeys(input) : nil
    if startsTake { commands.sourceBegan() }
    let thread = NamedThread(name: "overcrank-input") {
      Self.read(input, kind, startsTake, commands)
      if startsTake { commands.sourceEnded() }
    }
    guard thread != nil else { return nil }
  }

  /// Gives the terminal back as it was.
  deinit {
    if var terminal { tcsetattr(input, TCSANOW, &terminal) }
  }

  /// Sets a terminal to give every key at once; how it was set before. Ctrl-C stays what it is.
  private static func takingKeys(_ input: Int32) -> termios? {
    var terminal = termios()
    guard tcgetattr(input, &terminal) == 0 else { return nil }
    var keys = terminal
    keys.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(input, TCSANOW, &keys)
    return terminal
  }

  private static func read(
    _ input: Int32, _ kind: TriggerKind, _ startsTake: Bool, _ commands: SessionCommands
  ) {
    var line: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 256)
    while true {
      let count = Glibc.read(input, &bytes, bytes.count)
      guard count > 0 else { return }
      guard kind != .key else {
        // Together, as an arrow key is three bytes.
        commands.trigger(TriggerEvent(kind, startsTake: startsTake))
        continue
      }
      for byte in bytes[..<count] {
        guard byte == UInt8(ascii: "\n") else {
          // Nobody keeps a longer line, and nobody's memory is to fill with one that never ends.
          if line.count < longestLine { line.append(byte) }
          continue
        }
        let text = kind == .stdin ? String(decoding: line, as: UTF8.self) : nil
        line = []
        commands.trigger(TriggerEvent(kind, text: text, startsTake: startsTake))
      }
    }
  }

  private static let longestLine = 1000
}
