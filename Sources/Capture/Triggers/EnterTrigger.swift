import Platform
import Timebase

/// Enter on the terminal, or a line on standard input.
struct EnterTrigger: TriggerSource {
  static let kind = TriggerKind.enter
  static let usage = "enter: you press Enter, or a line comes on standard input"

  init(argument: String?) throws(QuantityError) { try Self.refuse(argument) }

  var prompt: String { "press Enter" }
  var readsInput: Bool { true }

  func check() throws(OvercrankError) { if let error = StandardInput.check(.lines) { throw error } }

  func open(to session: CaptureSession) throws(OvercrankError) -> (any Sendable)? {
    try StandardInput.open(.lines, as: Self.kind, to: session)
  }
}

extension TriggerKind {
  /// Enter on the terminal, or a line on standard input.
  public static let enter = TriggerKind(rawValue: "enter")
}
