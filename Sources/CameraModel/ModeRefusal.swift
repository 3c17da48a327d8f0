public import Timebase

/// A mode that the driver claims and does not give.
public struct ModeRefusal: Codable, Hashable, Sendable {
  /// The mode that was asked for.
  public var mode: Mode
  /// What the driver gave instead; `nil` where it refused the mode with an error.
  @Nullable public var got: AcceptedMode?
  /// What came of it, in words that follow the mode.
  public var reason: String

  /// A refusal of `mode`.
  public init(mode: Mode, got: AcceptedMode?, reason: String) {
    self.mode = mode
    self.got = got
    self.reason = reason
  }
}
