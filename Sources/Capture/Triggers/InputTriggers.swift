import Platform
import Timebase

/// A trigger from standard input.
protocol InputTrigger: TriggerSource {
  /// The unit of input that triggers.
  static var unit: StandardInput.Unit { get }
  /// Whether the take keeps the text of the input.
  static var keepsText: Bool { get }

  init()
}

extension InputTrigger {
  static var unit: StandardInput.Unit { .lines }
  static var keepsText: Bool { false }
  var readsInput: Bool { true }

  init(argument: String?) throws(QuantityError) {
    try Self.refuse(argument)
    self.init()
  }

  func check() throws(OvercrankError) { if let error = StandardInput.check(Self.unit) { throw error } }

  func open(to session: CaptureSession) throws(OvercrankError) -> (any Sendable)? {
    try StandardInput.open(Self.unit, as: Self.kind, keepingText: Self.keepsText, to: session)
  }
}

/// Enter on the terminal, or a line on standard input.
struct EnterTrigger: InputTrigger {
  static let kind = TriggerKind.enter
  static let usage = "enter: you press Enter, or a line arrives on standard input"
  let prompt = "press Enter"
}

/// Any key on the terminal.
struct KeyTrigger: InputTrigger {
  static let kind = TriggerKind.key
  static let usage = "key: you press any key"
  static let unit = StandardInput.Unit.keys
  let prompt = "press a key"
}

/// A line of text on standard input, which the take keeps.
struct LineTrigger: InputTrigger {
  static let kind = TriggerKind.stdin
  static let usage = "stdin: a line arrives on standard input; the take keeps its text"
  static let keepsText = true
  let prompt = "send a line"
}

extension TriggerKind {
  /// Enter on the terminal, or a line on standard input.
  public static let enter = TriggerKind(rawValue: "enter")
  /// Any key on the terminal.
  public static let key = TriggerKind(rawValue: "key")
  /// A line of text on standard input.
  public static let stdin = TriggerKind(rawValue: "stdin")
}
