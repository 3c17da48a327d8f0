import FrameJudge
import Foundation
import Platform
import SystemPackage
import Testing
import Timebase

@testable import StudioServer

@Suite(
  "The server with slow clients and with many", .tags(.program), .timeLimit(.minutes(1)),
  .serialized)
struct EnduranceTests {
  private static let short = {
    var limits = ServerLimits()
    limits.requestTime = .milliseconds(100)
    limits.idleTime = .milliseconds(100)
    limits.stallTime = .milliseconds(200)
    limits.lingerTime = .milliseconds(100)
    return limits
  }()

  /// A stream without end.
  private static let endless = Route(.get, "/api/endless") { _ in
    Response(
      body: .stream { writer in
        while true { try await writer.write([UInt8](repeating: 0x61, count: 64 << 10)) }
      })
  }

  @Test(
    "A request that does not end in time is refused with an answer, and its connection ends",
    arguments: [
      "G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nX: ",
      "POST /api/echo HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nAuthorization: Bearer TOKEN\r\n"
        + "Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{",
    ])
  func slowRequests(_ part: String) async throws {
    try await TestServer.run(Self.short) { test in
      var text = ""
      // A request whose first byte comes too late is not a request, and gets no answer.
      for _ in 0..<50 where text.isEmpty {
        let client = try test.connect()
        client.send(part.replacing("PORT", with: "\(test.port)").replacing("TOKEN", with: test.token))
        text = client.receiveAll()
      }
      #expect(text.hasPrefix("HTTP/1.1 408") && text.contains("too_slow"), "\(text)")
    }
  }

  @Test("A request that arrives byte by byte has no more time than others")
  func dripping() async throws {
    try await TestServer.run(Self.short) { test in
      let client = try test.connect()
      client.send("GET / HTTP/1.1\r\n")
      var sent = 0
      while sent < 5000, client.send("X: y\r\n") {
        sent += 1
        usleep(10_000)
      }
      #expect(sent < 5000)
    }
  }

  @Test("A silent connection ends, before a request and between two")
  func idle() async throws {
    try await TestServer.run(Self.short) { test in
      let text = try test.connect().receiveAll()
      #expect(text.isEmpty)
    }
    var limits = ServerLimits.patient
    limits.idleTime = .milliseconds(100)
    try await TestServer.run(limits) { test in
      let client = try test.connect()
      client.send(test.request("GET /api/state"))
      #expect(try client.receiveAnswer().status == 200)
      #expect(client.receiveAll().isEmpty)
    }
  }

  @Test("A client that stops reading loses its connection, and the others continue")
  func stalledReader() async throws {
    var limits = ServerLimits.patient
    limits.stallTime = .milliseconds(200)
    try await TestServer.run(limits, [Self.endless]) { test in
      let stalled = try (0..<3).map { _ in try test.connect(receiveBuffer: 4096) }
      for client in stalled {
        client.send(test.request("GET /api/endless"))
        _ = try client.receiveHead()
      }
      let other = try test.connect()
      other.send(test.request("GET /api/endless"))
      _ = try other.receiveHead()
      #expect(test.until { test.server.connectionCount <= 1 || other.receive(4 << 20).isEmpty })
      #expect(try test.isWell())
    }
  }

  @Test("Streams beyond the limit are refused, and one that ends makes room")
  func streams() async throws {
    var limits = ServerLimits.patient
    limits.streams = 2
    try await TestServer.run(limits, [Self.endless]) { test in
      var open = try (0..<2).map { _ in try test.connect() }
      for client in open {
        client.send(test.request("GET /api/endless"))
        _ = try client.receiveHead()
      }
      let refused = try test.answer(test.request("GET /api/endless"))
      #expect(refused.status == 503 && refused.code == "busy" && refused.field("retry-after") == "1")
      open.removeLast()
      let isFree = test.until {
        guard let client = try? test.connect() else { return false }
        client.send(test.request("GET /api/endless"))
        return (try? client.receiveHead())?.hasPrefix("HTTP/1.1 200") ?? false
      }
      #expect(isFree)
    }
  }

  @Test("Two thousand clients without the token take no place from one that has it")
  func manyConnections() async throws {
    try await TestServer.run { test in
      let page = try test.connect()
      page.send(test.request("GET /api/state"))
      #expect(try page.receiveAnswer().status == 200)
      var strangers: [RawClient] = []
      for number in 0..<2000 {
        if strangers.count >= 100 { strangers.removeFirst(50) }
        strangers.append(try test.connect())
        guard number % 200 == 0 else { continue }
        page.send(test.request("GET /api/state"))
        #expect(try page.receiveAnswer().status == 200)
        #expect(try test.isWell())
        #expect(test.server.connectionCount <= 64)
      }
    }
  }

  @Test("When clients with the token have all places, one more is refused with an answer")
  func full() async throws {
    var limits = ServerLimits.patient
    limits.connections = 4
    try await TestServer.run(limits) { test in
      let known = try (0..<4).map { _ in try test.connect() }
      for client in known {
        client.send(test.request("GET /api/state"))
        #expect(try client.receiveAnswer().status == 200)
      }
      let text = try test.connect().receiveAll()
      #expect(text.hasPrefix("HTTP/1.1 503") && text.contains("busy"))
      known[0].send(test.request("GET /api/state", ["Connection: close"]))
      #expect(known[0].receiveAll().hasPrefix("HTTP/1.1 200"))
      #expect(test.until { (try? test.isWell()) ?? false })
    }
  }

  @Test("A file is sent in the requested parts, and a client that leaves has no effect")
  func files() async throws {
    let path = FilePath(FileManager.default.temporaryDirectory.path).appending("ranges-\(Token().text).mp4")
    defer { try? FileManager.default.removeItem(atPath: path.string) }
    let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    _ = FileManager.default.createFile(atPath: path.string, contents: Data(content))
    let route = Route(.get, "/api/takes/{id}/master", ticket: .parts) { request in
      try .file(InputFile(path), type: "video/mp4", attachment: "a \"b\"\r\n.mp4", for: request.head)
    }
    try await TestServer.run(.patient, [route]) { test in
      func ask(_ fields: String...) throws -> RawAnswer {
        try test.answer(test.request("GET /api/takes/a/master", fields))
      }
      let whole = try ask()
      #expect(whole.status == 200 && whole.body == content && whole.field("accept-ranges") == "bytes")
      #expect(whole.field("content-disposition") == "attachment; filename=\"a _b__.mp4\"")
      for (field, range) in [
        ("bytes=0-0", 0..<1), ("bytes=100-199", 100..<200), ("bytes=299999-", 299_999..<300_000),
        ("bytes=-5", 299_995..<300_000), ("bytes=0-99999999999999999999", 0..<300_000),
        ("bytes=-999999999999999999999", 0..<300_000), ("BYTES=65535-131072", 65_535..<131_073),
      ] {
        let answer = try ask("Range: \(field)")
        #expect(answer.status == 206 && answer.body == Array(content[range]), "\(field)")
        #expect(answer.field("content-range") == "bytes \(range.lowerBound)-\(range.upperBound - 1)/300000")
      }
      for field in ["bytes=300000-", "bytes=-0", "bytes=999999999999999999999-"] {
        let answer = try ask("Range: \(field)")
        #expect(answer.status == 416 && answer.field("content-range") == "bytes */300000")
      }
      for field in [
        "bytes=", "bytes=-", "bytes=5-4", "bytes=a-b", "bytes=0-1,3-4", "lines=1-2", "0-1", "bytes=+1-2",
      ] {
        #expect(try ask("Range: \(field)").status == 200, "\(field)")
      }
      #expect(try ask("Range: bytes=0-0", "If-Range: \"x\"").status == 200)
      let head = try test.answer(test.request("HEAD /api/takes/a/master", ["Range: bytes=0-9"]), isHead: true)
      #expect(head.status == 206 && head.field("content-length") == "10")
      for _ in 0..<20 {
        let leaving = try test.connect()
        leaving.send(test.request("GET /api/takes/a/master"))
        _ = leaving.receive(100)
      }
      #expect(test.until { test.server.connectionCount == 0 })
    }
  }
}
