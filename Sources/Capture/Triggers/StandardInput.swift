import Glibc
import Platform

/// What comes on standard input while this lives: keys of a terminal, or lines.
package final class StandardInput: Sendable {
  /// What is told one by one.
  package enum Unit: Sendable {
    /// Each key, at once; only a terminal has keys.
    case keys
    /// Each line, without its newline.
    case lines
  }

  private let input: Int32
  /// The terminal as it was; `nil` where the input is none.
  private let terminal: termios?
  private let stop = StopFlag()

  /// How soon a stop is noticed, in milliseconds.
  private static let wait: Int32 = 100

  /// Begins to read `input`. A terminal does not show meanwhile what is typed: that would stand in the
  /// line that is drawn at its foot. What was typed before is thrown away, as it answers nothing.
  ///
  /// - Parameters:
  ///   - unit: what is told.
  ///   - input: a terminal, a pipe or a file.
  ///   - heard: is told each line, or an empty one for a key, on a thread of its own.
  ///   - ended: is told the end of the input on the same thread; not where reading was ended.
  /// - Returns: `nil` where the input cannot be read so: see ``check(_:_:)``.
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

  /// Reads no more, and gives the terminal back as it was, unless it is another program's now.
  package func end() {
    stop.set()
    if var terminal, Self.isForeground(input) { tcsetattr(input, TCSANOW, &terminal) }
  }

  /// Why `input` cannot be read; `nil` where it can.
  static func check(_ unit: Unit, _ input: Int32 = STDIN_FILENO) -> OvercrankError? {
    guard isatty(input) == 1 else {
      return unit == .lines
        ? nil
        : OvercrankError(
          .noTerminal,
          "Single keys can be read from a terminal alone, and standard input is none. Use another trigger.",
          remedy: .readPipe)
    }
    // A program in the background would be stopped for it.
    return isForeground(input)
      ? nil
      : OvercrankError(
        .noStandardInput,
        "Standard input belongs to another program now, as this one runs in the background. "
          + "Use another trigger.", remedy: .useOtherTrigger)
  }

  private static func isForeground(_ terminal: Int32) -> Bool { tcgetpgrp(terminal) == getpgrp() }

  /// Sets a terminal to show nothing that is typed, and for keys to give each at once; how it was set
  /// before. Ctrl-C stays what it is.
  private static func quieting(_ input: Int32, for unit: Unit) -> termios? {
    var terminal = termios()
    guard tcgetattr(input, &terminal) == 0 else { return nil }
    var quiet = terminal
    quiet.c_lflag &= ~tcflag_t(unit == .keys ? ICANON | ECHO : ECHO)
    tcsetattr(input, TCSANOW, &quiet)
    return terminal
  }

  /// Reads until the end, or until `stop`; whether it was the end.
  private static func read(
    _ input: Int32, _ unit: Unit, until stop: StopFlag, _ heard: (String) -> Void
  ) -> Bool {
    let isTerminal = isatty(input) == 1
    var lines = InputLines()
    var bytes = [UInt8](repeating: 0, count: 256)
    while !stop.isSet {
      var wanted = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
      guard poll(&wanted, 1, wait) != 0 else { continue }
      // What is typed while the program is in the background is for another one.
      guard !isTerminal || isForeground(input) || tcgetpgrp(input) < 0 else {
        usleep(UInt32(wait) * 1000)
        continue
      }
      let count = Glibc.read(input, &bytes, bytes.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { return true }
      guard unit == .lines else {
        // Together, as an arrow key is three bytes.
        heard("")
        continue
      }
      for line in lines.take(bytes[..<count]) { heard(line) }
    }
    return false
  }
}

extension StandardInput {
  /// Whether a person types what comes on standard input. Lines of a pipe wait for the camera; what is
  /// typed before it is ready is not meant for it.
  static var isTyped: Bool { isatty(STDIN_FILENO) == 1 }

  /// Standard input as a source of triggers of `kind`.
  ///
  /// - Throws: `OvercrankError` where it cannot be read so.
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
