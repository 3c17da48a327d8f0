import FoundationEssentials
import Overcrank

/// What is answered.
struct Response: Sendable {
  var status = 200
  /// Header fields, beside those that every answer has.
  var fields: [APIError.Field] = []
  var body = Body.bytes([])

  enum Body: Sendable {
    case bytes([UInt8])
    /// A part of a file, read as the reader takes it.
    case file(InputFile, Range<Int64>)
    /// What is written until the call returns.
    case stream(@Sendable (any StreamWriter) async throws -> Void)
  }

  /// A JSON answer.
  static func json(_ value: some Encodable, status: Int = 200) throws -> Response {
    Response(
      status: status, fields: [.init("Content-Type", "application/json")],
      body: .bytes(try JSONAnswer.bytes(value)))
  }

  /// A picture.
  static func jpeg(_ bytes: [UInt8], _ fields: [APIError.Field] = []) -> Response {
    Response(fields: [.init("Content-Type", "image/jpeg")] + fields, body: .bytes(bytes))
  }

  /// Done, and nothing to say of it.
  static let empty = Response(status: 204)

  /// A file, or the part of it that `head` asks for.
  static func file(
    _ file: InputFile, type: String, attachment: String?, for head: RequestHead
  ) throws(APIError) -> Response {
    var fields: [APIError.Field] = [.init("Content-Type", type), .init("Accept-Ranges", "bytes")]
    if let attachment {
      fields.append(.init("Content-Disposition", "attachment; filename=\"\(Self.plain(attachment))\""))
    }
    // A range of what the file was: nobody can know whether it still is that, so all of it is sent.
    let asked = head.headers.contains(name: "if-range") ? nil : head.headers.first(name: "range")
    guard let range = try ByteRange.asked(asked, of: file.size) else {
      return Response(fields: fields, body: .file(file, 0..<file.size))
    }
    fields.append(.init("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"))
    return Response(status: 206, fields: fields, body: .file(file, range))
  }

  /// `name` as every browser reads it in a header.
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

/// Where a stream's bytes go. It waits until there is room for more.
protocol StreamWriter: Sendable {
  func write(_ bytes: [UInt8]) async throws
}

/// How answers are written: keys as they are, in an order that does not change.
enum JSONAnswer {
  static func bytes(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(value))
  }
}
