import Glibc
import Platform

/// A reader of standard input, until it is released: keys of a terminal, or lines.
package final class StandardInput: Sendable {
  /// The unit of input.
  package enum Unit: Sendable {
    /// Each key, immediately; only on a terminal.
    case keys
    /// Each line, without its newline.
    case lines
  }

  private let input: Int32
  /// The terminal's previous settings; `nil` if the input is not a terminal.
  private let terminal: termios?
  private let stop = StopFlag()

  /// The maximum delay of a stop, in milliseconds.
  private static let wait: Int32 = 100

  /// Starts reading `input`. Disables the echo of a terminal, because typed text would disturb the status
  /// line, and discards earlier input, because it is not an answer to anything.
  ///
  /// - Parameters:
  ///   - unit: The unit of input.
  ///   - input: A terminal, a pipe or a file.
  ///   - heard: Called with each line, or an empty one for a key, on a separate thread.
  ///   - ended: Called at the end of the input on the same thread, but not after `end()`.
  /// - Returns: `nil` if the input cannot be read this way: see ``check(_:_:)``.
  package init?(
    _ unit: Unit, from input: Int32 = STDIN_FILENO, heard: @escaping @Sendable (String) -> Void,
    ended: @escaping @Sendable () -> Void = {}
  ) {
    guard Self.check(unit, input) == nil else { return nil }
    self.input = input
    terminal = Self.quieting(input, for: unit)
    if terminal != nil { tcflush(input, TCIFLUSH) }
    let thread = NamedThread(name: "overcrank-input") { [stop] in
      if Self.read(input, unit, until: stop, heard) { ended() }
    }
    guard thread != nil else { return nil }
  }

  deinit { end() }

  /// Stops reading, and restores the terminal unless another program has it now.
  package func end() {
    stop.set()
    if var terminal, Self.isForeground(input) { tcsetattr(input, TCSANOW, &terminal) }
  }

  /// Returns the reason why `input` cannot be read; `nil` if it can.
  static func check(_ unit: Unit, _ input: Int32 = STDIN_FILENO) -> OvercrankError? {
    guard isatty(input) == 1 else {
      return unit == .lines
        ? nil
        : OvercrankError(
          .noTerminal,
          "Single keys can be read only from a terminal, and standard input is not one. Use another trigger.",
          remedy: .readPipe)
    }
    // Reading in the background would stop the program.
    return isForeground(input)
      ? nil
      : OvercrankError(
        .noStandardInput,
        "Standard input belongs to another program now, because this one runs in the background. "
          + "Use another trigger.", remedy: .useOtherTrigger)
  }

  private static func isForeground(_ terminal: Int32) -> Bool { tcgetpgrp(terminal) == getpgrp() }

  /// Disables a terminal's echo, and for keys its line buffering. Returns the previous settings. Ctrl-C still
  /// works.
  private static func quieting(_ input: Int32, for unit: Unit) -> termios? {
    var terminal = termios()
    guard tcgetattr(input, &terminal) == 0 else { return nil }
    var quiet = terminal
    quiet.c_lflag &= ~tcflag_t(unit == .keys ? ICANON | ECHO : ECHO)
    tcsetattr(input, TCSANOW, &quiet)
    return terminal
  }

  /// Reads until the end of the input, or until `stop` is set. Returns whether the input ended.
  private static func read(
    _ input: Int32, _ unit: Unit, until stop: StopFlag, _ heard: (String) -> Void
  ) -> Bool {
    let isTerminal = isatty(input) == 1
    var lines = InputLines()
    var bytes = [UInt8](repeating: 0, count: 256)
    while !stop.isSet {
      var wanted = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
      guard poll(&wanted, 1, wait) != 0 else { continue }
      // Input typed while the program is in the background is meant for another program.
      guard !isTerminal || isForeground(input) || tcgetpgrp(input) < 0 else {
        usleep(UInt32(wait) * 1000)
        continue
      }
      let count = Glibc.read(input, &bytes, bytes.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { return true }
      guard unit == .lines else {
        // Bytes that arrive together are one key, because an arrow key is three bytes.
        heard("")
        continue
      }
      for line in lines.take(bytes[..<count]) { heard(line) }
    }
    return false
  }
}

extension StandardInput {
  /// Whether a person types the input. Lines of a pipe wait for the camera; keys typed before it is ready are
  /// ignored.
  static var isTyped: Bool { isatty(STDIN_FILENO) == 1 }

  /// Opens standard input as a source of triggers of `kind`.
  ///
  /// - Throws: `OvercrankError` if it cannot be read this way.
  static func open(
    _ unit: Unit, as kind: TriggerKind, keepingText: Bool = false, to session: CaptureSession
  ) throws(OvercrankError) -> StandardInput {
    let (commands, clock) = (session.commands, session.clock)
    commands.sourceBegan()
    let isTyped = isTyped
    let input = StandardInput(unit) { text in
      commands.trigger(
        TriggerEvent(kind, at: clock.now, text: keepingText ? text : nil, waitsForFrames: !isTyped))
    } ended: {
      commands.sourceEnded()
    }
    if let input { return input }
    commands.sourceEnded()
    throw check(unit) ?? .noThread
  }
}
