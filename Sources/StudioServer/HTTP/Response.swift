import FoundationEssentials
import Overcrank

/// A response to a request.
struct Response: Sendable {
  var status = 200
  /// Header fields beyond those of every response.
  var fields: [APIError.Field] = []
  var body = Body.bytes([])

  enum Body: Sendable {
    case bytes([UInt8])
    /// A part of a file, read as the client takes it.
    case file(InputFile, Range<Int64>)
    /// Exactly this number of bytes, which the closure writes.
    case sized(Int64, @Sendable (any StreamWriter) async throws -> Void)
    /// The bytes that the closure writes until it returns.
    case stream(@Sendable (any StreamWriter) async throws -> Void)
  }

  /// Returns a JSON response.
  static func json(_ value: some Encodable, status: Int = 200) throws -> Response {
    Response(
      status: status, fields: [.init("Content-Type", "application/json")],
      body: .bytes(try JSONAnswer.bytes(value)))
  }

  /// Returns a response with a JPEG.
  static func jpeg(_ bytes: [UInt8], _ fields: [APIError.Field] = []) -> Response {
    Response(fields: [.init("Content-Type", "image/jpeg")] + fields, body: .bytes(bytes))
  }

  /// A response without content.
  static let empty = Response(status: 204)

  /// Returns a response with a file, or with the part of it that `head` asks for.
  static func file(
    _ file: InputFile, type: String, attachment: String?, for head: RequestHead
  ) throws(APIError) -> Response {
    var fields: [APIError.Field] = [.init("Content-Type", type), .init("Accept-Ranges", "bytes")]
    if let attachment { fields.append(Self.disposition(attachment)) }
    // The range applies only to an unchanged file. That cannot be known here, so the whole file is sent.
    let asked = head.headers.contains(name: "if-range") ? nil : head.headers.first(name: "range")
    guard let range = try ByteRange.asked(asked, of: file.size) else {
      return Response(fields: fields, body: .file(file, 0..<file.size))
    }
    fields.append(.init("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"))
    return Response(status: 206, fields: fields, body: .file(file, range))
  }

  /// Returns the field of an attachment that is saved as `name`.
  static func disposition(_ name: String) -> APIError.Field {
    APIError.Field("Content-Disposition", "attachment; filename=\"\(plain(name))\"")
  }

  /// Returns `name` reduced to characters that every browser can read in a header.
  private static func plain(_ name: String) -> String {
    String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_. ".contains($0)) ? $0 : "_" })
  }

  init(status: Int = 200, fields: [APIError.Field] = [], body: Body = .bytes([])) {
    (self.status, self.fields, self.body) = (status, fields, body)
  }

  init(_ error: APIError) {
    self.init(
      status: error.status, fields: [.init("Content-Type", "application/json")] + error.fields,
      body: .bytes(error.body))
  }
}

/// The destination of a stream's bytes. Writing waits until there is room for more.
protocol StreamWriter: Sendable {
  func write(_ bytes: [UInt8]) async throws
}

/// The encoding of JSON responses: keys as they are, in a fixed order.
enum JSONAnswer {
  static func bytes(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(value))
  }
}
