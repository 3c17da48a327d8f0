import Foundation
import Platform
import Testing
import Timebase

@testable import StudioServer

/// A server on a port of its own, with routes that expose its behaviour.
struct TestServer {
  let port: Int
  let token: String
  let server: Server

  /// Serves `routes` during `body`, and checks that nothing is left afterwards.
  static func run(
    _ limits: ServerLimits = .patient, usual: [Route] = usual, _ routes: (BlockingWork) -> [Route],
    _ body: @escaping @Sendable (TestServer) throws -> Void
  ) async throws {
    let server = try await Server("127.0.0.1", port: 0, limits: limits)
    let token = Token()
    let site = Site(
      Gate(names: Gate.loopback, port: server.port, token: token),
      usual + routes(server.work), limits: limits)
    let serving = Task { try await server.serve(site) }
    let test = TestServer(port: server.port, token: token.text, server: server)
    // On a thread of its own: it waits for a socket, and Swift's own threads belong to the server.
    let outcome = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: Result { try body(test) }) }
    }
    serving.cancel()
    try await serving.value
    #expect(server.connectionCount == 0)
    try outcome.get()
  }

  /// Serves the page, routes that return the request, and `routes`.
  static func run(
    _ limits: ServerLimits = .patient, _ routes: [Route] = [],
    _ body: @escaping @Sendable (TestServer) throws -> Void
  ) async throws {
    try await run(limits, { _ in PageFile.all.map(\.route) + routes }, body)
  }

  /// Routes that return the request.
  static var usual: [Route] {
    [
      Route(.get, "/api/state") { _ in try .json(["phase": "armed"]) },
      Route(.post, "/api/echo") { request in Response(body: .bytes(request.body)) },
      Route(.get, "/api/takes/{id}/thumbnail.jpg", ticket: .once) { request in
        .jpeg(Array(request.part("id").utf8))
      },
      Route(.get, "/api/takes/{id}/clips/{index}.mp4", ticket: .parts) { _ in .jpeg([1, 2, 3]) },
    ]
  }

  /// A request with the token.
  func request(_ line: String, _ fields: [String] = [], body: String = "") -> String {
    let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)", "Content-Type: application/json"]
    return bare(line, ["Authorization: Bearer \(token)"] + fields + length, body)
  }

  /// A request without the token.
  func bare(_ line: String, _ fields: [String] = [], _ body: String = "") -> String {
    (["\(line) HTTP/1.1", "Host: 127.0.0.1:\(port)"] + fields + ["", body]).joined(separator: "\r\n")
  }

  func connect(receiveBuffer: Int32? = nil) throws -> RawClient {
    try RawClient(port, receiveBuffer: receiveBuffer)
  }

  /// The answer to `text` on a connection of its own.
  func answer(_ text: String, isHead: Bool = false) throws -> RawAnswer {
    let client = try connect()
    client.send(text)
    return try client.receiveAnswer(isHead: isHead)
  }

  /// Whether the server answers as before.
  func isWell() throws -> Bool { try answer(request("GET /api/state")).status == 200 }

  /// Waits, at most a minute, until `condition` holds.
  func until(_ condition: () -> Bool) -> Bool {
    for _ in 0..<60_000 {
      if condition() { return true }
      usleep(10_000)
    }
    return false
  }
}

extension ServerLimits {
  /// Limits for tests that are not about time, on a machine that may be busy with others.
  static let patient = {
    var limits = ServerLimits()
    limits.requestTime = .seconds(600)
    limits.idleTime = .seconds(600)
    limits.stallTime = .seconds(600)
    return limits
  }()
}
