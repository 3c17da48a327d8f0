import Platform
import Timebase

/// Any key of the terminal.
struct KeyTrigger: TriggerSource {
  static let kind = TriggerKind.key
  static let usage = "key: you press any key"

  init(argument: String?) throws(QuantityError) { try Self.refuse(argument) }

  var prompt: String { "press a key" }
  var readsInput: Bool { true }

  func check() throws(OvercrankError) { if let error = StandardInput.check(.keys) { throw error } }

  func open(to session: CaptureSession) throws(OvercrankError) -> (any Sendable)? {
    try StandardInput.open(.keys, as: Self.kind, to: session)
  }
}

extension TriggerKind {
  /// Any key on the terminal.
  public static let key = TriggerKind(rawValue: "key")
}
