import NIOCore
import NIOHTTP1
import Overcrank

/// A writer of one response to a connection.
struct Answer: Sendable {
  typealias Outbound = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

  let outbound: Outbound
  let version: HTTPVersion
  /// Whether the request is a HEAD, so that the response has no body.
  let isHead: Bool
  /// Whether the connection closes after this response.
  var closes: Bool

  /// The number of bytes to read from a file at a time.
  static let piece = 64 << 10

  /// Writes the response.
  ///
  /// - Returns: whether another request can follow.
  func write(_ response: Response, work: BlockingWork, table: ConnectionTable) async throws -> Bool {
    switch response.body {
    case .bytes(let bytes):
      let hasBody = response.status != 204 && response.status != 304
      try await head(response, length: hasBody ? Int64(bytes.count) : nil, closing: closes)
      if !isHead, hasBody, !bytes.isEmpty { try await body(bytes) }
      try await outbound.write(.end(nil))
      return !closes
    case .file(let file, let range):
      try await head(response, length: range.upperBound - range.lowerBound, closing: closes)
      if !isHead { try await afterHead { try await pieces(of: file, range, work) } }
      try await outbound.write(.end(nil))
      return !closes
    case .sized(let length, let write):
      try await head(response, length: length, closing: closes)
      if !isHead { try await afterHead { try await write(Stream(answer: self)) } }
      try await outbound.write(.end(nil))
      return !closes
    case .stream(let write):
      let isChunked = version != .http1_0
      let ends = closes || !isChunked
      if !isHead { try table.openStream() }
      defer { if !isHead { table.closeStream() } }
      try await head(response, length: nil, closing: ends, isChunked: isChunked && !isHead)
      if !isHead { try await write(Stream(answer: self)) }
      try await outbound.write(.end(nil))
      return !ends
    }
  }

  /// Runs `body`, which writes what follows the head. An error there can be reported only by closing the connection:
  /// an error response would become part of the content.
  private func afterHead(_ body: () async throws -> Void) async throws {
    do { try await body() } catch { throw CancellationError() }
  }

  private func pieces(of file: InputFile, _ range: Range<Int64>, _ work: BlockingWork) async throws {
    var place = range.lowerBound
    while place < range.upperBound {
      let (start, count) = (place, Int(min(Int64(Self.piece), range.upperBound - place)))
      let bytes = try await work.runNext { try file.bytes(at: start, count: count) }
      // The file became shorter than announced.
      guard !bytes.isEmpty else { throw CancellationError() }
      try await self.body(bytes)
      place += Int64(bytes.count)
    }
  }

  private func head(
    _ response: Response, length: Int64?, closing: Bool, isChunked: Bool = false
  ) async throws {
    var headers = AnswerHeaders.headers(response, closing: closing)
    if let length { headers.add(name: "Content-Length", value: "\(length)") }
    if isChunked { headers.add(name: "Transfer-Encoding", value: "chunked") }
    try await outbound.write(
      .head(
        HTTPResponseHead(
          version: version, status: HTTPResponseStatus(statusCode: response.status), headers: headers)))
  }

  fileprivate func body(_ bytes: [UInt8]) async throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: rest.prefix(Self.piece)))))
      rest = rest.dropFirst(Self.piece)
    }
  }

  private struct Stream: StreamWriter {
    let answer: Answer
    func write(_ bytes: [UInt8]) async throws { try await answer.body(bytes) }
  }
}
