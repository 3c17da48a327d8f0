/// Why a studio does not do what it was asked for.
public struct StudioError: Error, Hashable, Sendable, Encodable, CustomStringConvertible {
  /// What kind of refusal it is; the HTTP API has a status for each.
  public enum Code: String, Sendable, Encodable {
    /// What was asked for is no such thing.
    case badRequest = "bad_request"
    /// There is no such take, frame, control or camera.
    case notFound = "not_found"
    /// The studio is not in a phase for it.
    case notNow = "not_now"
    /// The camera, the disk or a film refuses.
    case refused
  }

  /// What kind of refusal it is.
  public var code: Code
  /// What was tried, what came of it, and the remedy.
  public var message: String

  /// A refusal.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
