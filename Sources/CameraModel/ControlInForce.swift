/// How a control stood while a take was filmed.
public struct ControlInForce: Codable, Hashable, Sendable {
  /// Its value when filming began; `nil` where it cannot be read.
  public var value: Int64?
  /// Its value before, where filming changed it.
  public var from: Int64?
  /// The value that filming gave it, where it changed it.
  public var to: Int64?

  /// A control that stood at `value`, changed or not.
  public init(value: Int64?, from: Int64? = nil, to: Int64? = nil) {
    self.value = value
    self.from = from
    self.to = to
  }

  /// Writes the control; what is unknown is `null`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(value, forKey: .value)
    try keys.encode(from, forKey: .from)
    try keys.encode(to, forKey: .to)
  }

  private enum CodingKeys: String, CodingKey { case value, from, to }
}
