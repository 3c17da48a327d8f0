public import Timebase

/// Something that can begin a take, as the user names it.
public enum TriggerSource: Hashable, Sendable {
  /// Enter on the terminal, or a line on standard input.
  case enter
  /// Any key on the terminal.
  case key
  /// SIGUSR1.
  case signal
  /// A Unix socket of this name.
  case socket(String)
  /// A line of text on standard input, which the take keeps.
  case stdin
  /// A time.
  case time(TriggerTime)

  /// Reads `enter`, `key`, `signal`, `socket`, `socket=NAME`, `stdin`, `time=10s` or `time=14:30:00`.
  public init(text: String) throws(QuantityError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    switch (parts[0], parts.count == 2 ? parts[1] : nil) {
    case ("enter", nil): self = .enter
    case ("key", nil): self = .key
    case ("signal", nil): self = .signal
    case ("socket", let name):
      self = .socket(try TriggerSocketAddress.checked(name ?? TriggerSocketAddress.usualName))
    case ("stdin", nil): self = .stdin
    case ("time", let time?): self = .time(try TriggerTime(text: time))
    default:
      throw QuantityError(
        text, expected: "a trigger: enter, key, signal, socket, socket=NAME, stdin, time=10s or time=14:30:00"
      )
    }
  }

  /// Whether it reads standard input.
  public var readsInput: Bool { [.enter, .key, .stdin].contains(self) }
}
