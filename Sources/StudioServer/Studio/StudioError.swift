/// The reason that a studio refuses a request.
package struct StudioError: Error, Hashable, Sendable, Encodable, CustomStringConvertible {
  /// The kind of refusal; the HTTP API has a status for each.
  package enum Code: String, Sendable, Encodable {
    /// An invalid request.
    case badRequest = "bad_request"
    /// A take, frame, control or camera that does not exist.
    case notFound = "not_found"
    /// A request that does not fit the studio's phase.
    case notNow = "not_now"
    /// A refusal by the camera, the disk or a file.
    case refused
  }

  /// The kind of refusal.
  package var code: Code
  /// The attempt, its outcome, and the remedy.
  package var message: String

  /// Creates a refusal.
  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  package var description: String { message }
}
