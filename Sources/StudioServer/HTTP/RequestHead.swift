import NIOHTTP1

/// A request's first line and header fields, as far as the studio uses them.
struct RequestHead: Sendable {
  /// The method, with HEAD counted as GET; `nil` for one that the studio does not support.
  let method: Method?
  /// Whether only the head of the response is requested.
  let isHead: Bool
  /// The path as it was sent; it is not decoded, because no path here needs that.
  let path: String
  /// The query parameters, decoded.
  let query: [String: String]
  /// The host that the request line names; `nil` if the line has only a path, as usual.
  let authority: String?
  let headers: HTTPHeaders
  /// Whether a body follows.
  let hasBody: Bool
  /// The length of the body in bytes; `nil` if it is not announced.
  let bodyBytes: Int?
  /// Whether the client waits for permission before it sends the body.
  let waits: Bool

  /// Creates a head from NIO's.
  ///
  /// - Throws: ``APIError`` if the request is ambiguous or malformed.
  init(_ head: HTTPRequestHead) throws(APIError) {
    isHead = head.method == .HEAD
    method = isHead ? .get : Method(rawValue: head.method.rawValue)
    headers = head.headers
    (authority, path, query) = try Self.parts(of: head.uri)

    let lengths = head.headers["content-length"]
    let codings = head.headers["transfer-encoding"]
    // With two lengths for one body, two readers can see two different requests.
    guard lengths.count <= 1, codings.count <= 1, lengths.isEmpty || codings.isEmpty else {
      throw .badRequest("The length of the body is given twice.")
    }
    if let coding = codings.first, coding.lowercased() != "chunked" || head.version == .http1_0 {
      throw .badRequest("The only supported Transfer-Encoding is chunked.")
    }
    let length = try lengths.first.map { (text) throws(APIError) -> Int in
      guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        throw .badRequest("The length of the body is not a number.")
      }
      return Int(text) ?? .max
    }
    bodyBytes = length
    hasBody = !codings.isEmpty || (length ?? 0) > 0
    waits =
      hasBody && head.version != .http1_0
      && head.headers.first(name: "expect")?.lowercased() == "100-continue"
    guard head.version.major == 1 else {
      throw .badRequest("This HTTP version is not supported. Use HTTP/1.1.")
    }
    guard head.headers["host"].count <= 1 else { throw .badRequest("The Host header is given twice.") }
  }

  /// The host that the client asked for; `nil` if it named none.
  var host: String? { headers.first(name: "host") }

  private static func parts(
    of target: String
  ) throws(APIError) -> (authority: String?, path: String, query: [String: String]) {
    guard target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
      throw .badRequest("The address is not valid.")
    }
    var rest = target[...]
    var authority: String?
    if !rest.hasPrefix("/") {
      guard rest.lowercased().hasPrefix("http://") else { throw .badRequest("The address is not valid.") }
      rest = rest.dropFirst("http://".count)
      authority = String(rest.prefix { $0 != "/" && $0 != "?" })
      rest = rest.dropFirst(authority?.count ?? 0)
      if !rest.hasPrefix("/") { rest = "/" + rest }
    }
    let halves = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var query: [String: String] = [:]
    for pair in halves.count > 1 ? halves[1].split(separator: "&") : [] {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(sides[0]), let value = decoded(sides.count > 1 ? sides[1] : "") else {
        throw .badRequest("A parameter is not percent-encoded correctly.")
      }
      guard query.updateValue(value, forKey: name) == nil else {
        throw .badRequest("A parameter is given twice.")
      }
    }
    return (authority, String(halves[0]), query)
  }

  /// Returns `text` with its percent encoding decoded, or `nil` if that is invalid.
  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
