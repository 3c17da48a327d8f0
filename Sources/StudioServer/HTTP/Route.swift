/// The handler for one method on one kind of path.
struct Route: Sendable {
  let method: Method
  /// The path in OpenAPI's notation: `/api/takes/{id}/clips/{index}.mp4`.
  let pattern: String
  /// The use that a ticket allows; `nil` if no ticket opens the route.
  let ticket: Tickets.Use?
  /// The handler of a request.
  let answer: @Sendable (Request) async throws -> Response
  /// Opens the receiver of the file that is the request's body, in place of ``answer``; `nil` if the body is JSON.
  let upload: (@Sendable (Request) async throws -> any UploadSink)?
  private let segments: [Segment]

  /// A part of a path between two slashes.
  private struct Segment: Sendable {
    var before: Substring
    var name: Substring?
    var after: Substring

    init(_ text: Substring) {
      guard let open = text.firstIndex(of: "{"), let close = text.firstIndex(of: "}"), open < close else {
        (before, name, after) = (text, nil, "")
        return
      }
      before = text[..<open]
      name = text[text.index(after: open)..<close]
      after = text[text.index(after: close)...]
    }

    /// Returns the text in place of the name, or an empty text if there is no name; `nil` if `text` does not
    /// match.
    func match(_ text: Substring) -> Substring? {
      guard name != nil else { return text == before ? "" : nil }
      guard text.count > before.count + after.count, text.hasPrefix(before), text.hasSuffix(after) else {
        return nil
      }
      let part = text.dropFirst(before.count).dropLast(after.count)
      let isPlain = part.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
      return isPlain && part.utf8.count <= 128 ? part : nil
    }
  }

  init(
    _ method: Method, _ pattern: String, ticket: Tickets.Use? = nil,
    answer: @escaping @Sendable (Request) async throws -> Response
  ) {
    self.init(method, pattern, ticket, answer, nil)
  }

  /// Creates the route of a file that a client sends.
  init(
    _ method: Method, _ pattern: String,
    uploading upload: @escaping @Sendable (Request) async throws -> any UploadSink
  ) {
    self.init(method, pattern, nil, { _ in .empty }, upload)
  }

  private init(
    _ method: Method, _ pattern: String, _ ticket: Tickets.Use?,
    _ answer: @escaping @Sendable (Request) async throws -> Response,
    _ upload: (@Sendable (Request) async throws -> any UploadSink)?
  ) {
    (self.method, self.pattern, self.ticket) = (method, pattern, ticket)
    (self.answer, self.upload) = (answer, upload)
    segments = pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(Segment.init)
  }

  /// Returns the same route with its errors mapped by `refusal`.
  func failing(_ refusal: @escaping @Sendable (any Error) -> any Error) -> Route {
    let opened = upload.map { open -> @Sendable (Request) async throws -> any UploadSink in
      { request in do { return try await open(request) } catch { throw refusal(error) } }
    }
    return Route(
      method, pattern, ticket,
      { [answer] request in do { return try await answer(request) } catch { throw refusal(error) } }, opened)
  }

  /// Returns the named parts of `path`, or `nil` if it does not match.
  func match(_ path: [Substring]) -> [String: String]? {
    guard path.count == segments.count else { return nil }
    var parts: [String: String] = [:]
    for (segment, text) in zip(segments, path) {
      guard let part = segment.match(text) else { return nil }
      if let name = segment.name { parts[String(name)] = String(part) }
    }
    return parts
  }
}
