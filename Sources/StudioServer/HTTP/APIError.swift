/// An error response: its status, its code, and a message that says what to do.
struct APIError: Error, Hashable, CustomStringConvertible {
  /// The codes of `docs/studio-api.md`.
  enum Code: String, Sendable, CaseIterable {
    case badRequest = "bad_request"
    case noToken = "no_token"
    case foreignOrigin = "foreign_origin"
    case notFound = "not_found"
    case badMethod = "bad_method"
    case tooSlow = "too_slow"
    case notNow = "not_now"
    case tooLarge = "too_large"
    case badType = "bad_type"
    case badRange = "bad_range"
    case foreignHost = "foreign_host"
    case refused
    case busy
  }

  let status: Int
  let code: Code
  let message: String
  /// Further header fields of the response.
  var fields: [Field] = []

  /// A header field.
  struct Field: Hashable, Sendable {
    var name: String
    var value: String

    init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  var description: String { message }

  static func badRequest(_ message: String) -> APIError {
    APIError(status: 400, code: .badRequest, message: message)
  }

  static let noToken = APIError(
    status: 401, code: .noToken,
    message: "The studio's token is missing or wrong. Open the address that the studio printed.",
    fields: [Field("WWW-Authenticate", "Bearer")])

  static let foreignOrigin = APIError(
    status: 403, code: .foreignOrigin, message: "Only the studio's own page may make changes.")

  static func notFound(_ what: String) -> APIError {
    APIError(status: 404, code: .notFound, message: "There is no \(what).")
  }

  static func badMethod(allowed: [String]) -> APIError {
    APIError(
      status: 405, code: .badMethod,
      message: "This path supports only \(allowed.joined(separator: ", ")).",
      fields: [Field("Allow", allowed.joined(separator: ", "))])
  }

  static let tooSlow = APIError(
    status: 408, code: .tooSlow, message: "The request did not arrive in time. Send it again.")

  static func notNow(_ message: String) -> APIError {
    APIError(status: 409, code: .notNow, message: message)
  }

  static let bodyTooLarge = APIError(
    status: 413, code: .tooLarge, message: "The body is too long. Send at most 64 KiB.")

  static let headTooLarge = APIError(
    status: 431, code: .tooLarge, message: "The header fields are too long or too many.")

  static let badType = APIError(
    status: 415, code: .badType, message: "The body must be JSON, with Content-Type: application/json.")

  static func badRange(of size: Int64) -> APIError {
    APIError(
      status: 416, code: .badRange, message: "The file has \(size) bytes, none of them in this range.",
      fields: [Field("Content-Range", "bytes */\(size)")])
  }

  static let foreignHost = APIError(
    status: 421, code: .foreignHost, message: "This studio answers only at the address that it printed.")

  static func refused(_ message: String) -> APIError {
    APIError(status: 422, code: .refused, message: message)
  }

  static let busy = APIError(
    status: 503, code: .busy, message: "The studio is too busy. Try again in a moment.",
    fields: [Field("Retry-After", "1")])
}

extension APIError {
  /// The response body.
  var body: [UInt8] {
    struct Body: Encodable {
      struct Fault: Encodable {
        var code: String
        var message: String
      }
      var error: Fault
    }
    return (try? JSONAnswer.bytes(Body(error: .init(code: code.rawValue, message: message)))) ?? []
  }
}
