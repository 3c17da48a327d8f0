/// Why a studio does not do what it was asked for.
package struct StudioError: Error, Hashable, Sendable, Encodable, CustomStringConvertible {
  /// What kind of refusal it is; the HTTP API has a status for each.
  package enum Code: String, Sendable, Encodable {
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
  package var code: Code
  /// What was tried, what came of it, and the remedy.
  package var message: String

  /// A refusal.
  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  package var description: String { message }
}
