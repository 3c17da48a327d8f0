import Platform
import Timebase

/// A line of text on standard input, which the take keeps.
struct LineTrigger: TriggerSource {
  static let kind = TriggerKind.stdin
  static let usage = "stdin: a line of text comes on standard input; the take keeps the text"

  init(argument: String?) throws(QuantityError) { try Self.refuse(argument) }

  var prompt: String { "send a line" }
  var readsInput: Bool { true }

  func check() throws(OvercrankError) { if let error = StandardInput.check(.lines) { throw error } }

  func open(to session: CaptureSession) throws(OvercrankError) -> (any Sendable)? {
    try StandardInput.open(.lines, as: Self.kind, keepingText: true, to: session)
  }
}

extension TriggerKind {
  /// A line of text on standard input.
  public static let stdin = TriggerKind(rawValue: "stdin")
}
