/// A mode that the driver claims and does not give.
public struct ModeRefusal: Codable, Hashable, Sendable {
  /// The mode that was asked for.
  public var mode: Mode
  /// What the driver gave instead; `nil` where it refused the mode with an error.
  public var got: AcceptedMode?
  /// What came of it, in words that follow the mode.
  public var reason: String

  /// A refusal of `mode`.
  public init(mode: Mode, got: AcceptedMode?, reason: String) {
    self.mode = mode
    self.got = got
    self.reason = reason
  }

  /// Writes the refusal; what is unknown is `null`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(mode, forKey: .mode)
    try keys.encode(got, forKey: .got)
    try keys.encode(reason, forKey: .reason)
  }

  private enum CodingKeys: String, CodingKey { case mode, got, reason }
}
