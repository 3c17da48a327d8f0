public import Timebase

/// A mode that the driver claims and refuses.
public struct ModeRefusal: Codable, Hashable, Sendable {
  /// The requested mode.
  public var mode: Mode
  /// The mode that the driver set instead; `nil` if it refused with an error.
  @Nullable public var got: AcceptedMode?
  /// The outcome, in words that follow the mode.
  public var reason: String

  /// Creates a refusal of `mode`.
  public init(mode: Mode, got: AcceptedMode?, reason: String) {
    self.mode = mode
    self.got = got
    self.reason = reason
  }
}
