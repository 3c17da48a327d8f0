import FrameJudge
import Foundation
import Platform
import Testing
import Timebase

@testable import StudioServer

@Suite("The server's bytes", .tags(.program), .timeLimit(.minutes(1)), .serialized) struct ServerTests {
  @Test("The page is served with a policy that keeps foreign scripts out, and an ETag")
  func page() async throws {
    try await TestServer.run { test in
      let page = try test.answer(test.bare("GET /"))
      #expect(page.status == 200)
      #expect(page.field("content-type") == "text/html; charset=utf-8")
      let policy = try #require(page.field("content-security-policy"))
      #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
      #expect(!policy.contains("unsafe"))
      #expect(page.field("x-content-type-options") == "nosniff")
      #expect(page.field("referrer-policy") == "no-referrer")
      #expect(page.field("cross-origin-resource-policy") == "same-origin")
      let tag = try #require(page.field("etag"))
      let again = try test.answer(test.bare("GET /", ["If-None-Match: \(tag)"]))
      #expect(again.status == 304 && again.body.isEmpty)
      let head = try test.answer(test.bare("HEAD /"), isHead: true)
      #expect(head.status == 200 && head.field("content-length") == "\(page.body.count)")
    }
  }

  @Test(
    "A request for another host gets nothing",
    arguments: [
      "evil.example", "evil.example:PORT", "127.0.0.1", "127.0.0.1:1", "127.0.0.1:PORT.evil.example",
      "127.0.0.1:PORT@evil.example", "0.0.0.0:PORT", "localhost.:PORT", "",
    ])
  func foreignHost(_ host: String) async throws {
    try await TestServer.run { test in
      let host = host.replacing("PORT", with: "\(test.port)")
      for path in ["/", "/api/state"] {
        let answer = try test.answer(
          "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nAuthorization: Bearer \(test.token)\r\n\r\n")
        #expect(answer.status == 421 && answer.code == "foreign_host")
      }
    }
  }

  @Test("A host that is repeated, missing, or different in the address gets nothing")
  func unclearHost() async throws {
    try await TestServer.run { (test) throws in
      let own = "Host: 127.0.0.1:\(test.port)\r\n"
      #expect(try test.answer("GET / HTTP/1.1\r\n\(own)\(own)\r\n").status == 400)
      #expect(try test.answer("GET / HTTP/1.1\r\n\r\n").status == 421)
      #expect(try test.answer("GET / HTTP/1.0\r\n\r\n").status == 421)
      #expect(try test.answer("GET http://evil.example/ HTTP/1.1\r\n\(own)\r\n").status == 421)
      #expect(try test.answer("GET http://localhost:\(test.port)/ HTTP/1.1\r\n\(own)\r\n").status == 200)
      #expect(try test.answer("GET / HTTP/1.1\r\nHost: LOCALHOST:\(test.port)\r\n\r\n").status == 200)
      #expect(try test.answer("GET / HTTP/1.1\r\nHost: [::1]:\(test.port)\r\n\r\n").status == 200)
    }
  }

  @Test(
    "Another page can change nothing",
    arguments: [
      "http://evil.example", "null", "https://127.0.0.1:PORT", "http://127.0.0.1", "http://127.0.0.1:PORT/",
    ])
  func foreignOrigin(_ origin: String) async throws {
    try await TestServer.run { test in
      let origin = "Origin: \(origin.replacing("PORT", with: "\(test.port)"))"
      let answer = try test.answer(test.request("POST /api/echo", [origin], body: "{}"))
      #expect(answer.status == 403 && answer.code == "foreign_origin")
      #expect(answer.field("access-control-allow-origin") == nil)
      let own = "Origin: http://127.0.0.1:\(test.port)"
      #expect(try test.answer(test.request("POST /api/echo", [own], body: "{}")).text == "{}")
    }
  }

  @Test("Without the token nothing is disclosed, not even which paths exist")
  func token() async throws {
    try await TestServer.run { test in
      let (wrong, short) = (String(repeating: "0", count: 64), String(test.token.dropLast()))
      for field in [
        nil, "Bearer \(wrong)", "Bearer \(short)", "Bearer", "Basic \(test.token)", "\(test.token)",
        "Bearer \(test.token) \(test.token)", "Bearer \(test.token.uppercased())x",
      ] {
        for path in [
          "/api/state", "/api/nothing", "/api", "/api/", "/api/takes/1/thumbnail.jpg?ticket=\(wrong)",
        ] {
          let answer = try test.answer(test.bare("GET \(path)", field.map { ["Authorization: \($0)"] } ?? []))
          #expect(answer.status == 401 && answer.code == "no_token", "\(field ?? "none") \(path)")
        }
      }
      #expect(try test.isWell())
    }
  }

  @Test("A ticket opens one path: a picture once, a video for its parts")
  func tickets() async throws {
    try await TestServer.run { test in
      func ticket(_ path: String) throws -> RawAnswer {
        try test.answer(test.request("POST /api/tickets", body: #"{"path": "\#(path)"}"#))
      }
      func text(_ path: String) throws -> String {
        struct Body: Decodable { var ticket: String }
        return try JSONDecoder().decode(Body.self, from: Data(ticket(path).body)).ticket
      }
      let picture = try text("/api/takes/a/thumbnail.jpg")
      #expect(try test.answer(test.bare("GET /api/takes/b/thumbnail.jpg?ticket=\(picture)")).status == 401)
      #expect(
        try test.answer(test.bare("GET /api/takes/a/thumbnail.jpg?ticket=\(picture)&width=9")).text == "a")
      #expect(try test.answer(test.bare("GET /api/takes/a/thumbnail.jpg?ticket=\(picture)")).status == 401)
      let video = try text("/api/takes/a/clips/0.mp4")
      for _ in 0..<3 {
        #expect(try test.answer(test.bare("GET /api/takes/a/clips/0.mp4?ticket=\(video)")).status == 200)
      }
      for path in [
        "/api/state", "/", "/api/echo", "/api/takes/../state", "", "/api/takes/a/thumbnail.jpg?x=1",
      ] {
        #expect(try ticket(path).status == 400)
      }
    }
  }

  @Test("Only paths in the table exist, however they are written")
  func paths() async throws {
    try await TestServer.run { test in
      for path in [
        "/../etc/passwd", "/..", "/.", "//", "/index.html/../../etc/passwd", "/%2e%2e/etc/passwd",
        "/..%2fetc/passwd",
        "/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "/..%5c..%5cetc", "/api/takes/../thumbnail.jpg",
        "/api/takes/..%2f..%2fetc%2fpasswd/thumbnail.jpg", "/api/takes/%2e%2e/thumbnail.jpg",
        "/api/takes/a%00/thumbnail.jpg", "/api/takes//thumbnail.jpg", "/api/takes/a/b/thumbnail.jpg",
        "/api/state/", "/API/state", "/api/takes/a/thumbnail.jpg/..", "/\u{2e}\u{2e}/x",
        "/api/takes/" + String(repeating: "a", count: 200) + "/thumbnail.jpg",
      ] {
        let answer = try test.answer(test.request("GET \(path)"))
        #expect(answer.status == 404, "\(path): \(answer.status)")
        #expect(!answer.text.contains("root:"))
      }
      #expect(try test.answer(test.request("GET /\u{1}")).status == 400)
      #expect(try test.answer(test.request("GET etc/passwd")).status == 400)
      #expect(try test.answer(test.request("GET file:///etc/passwd")).status == 400)
    }
  }

  @Test("A path has its methods, and lists them")
  func methods() async throws {
    try await TestServer.run { test in
      let answer = try test.answer(test.request("POST /api/state"))
      #expect(answer.status == 405 && answer.field("allow") == "GET, HEAD")
      for method in ["OPTIONS", "TRACE", "PROPFIND", "DELETE"] {
        #expect(try test.answer(test.request("\(method) /api/echo")).field("allow") == "POST")
      }
      #expect(try test.answer(test.request("BREW /api/echo")).status == 400)
      #expect(
        try test.answer("CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n").status == 400)
      let head = try test.answer(test.request("HEAD /api/state"), isHead: true)
      #expect(head.status == 200 && head.field("content-length") == "\(#"{"phase":"armed"}"#.utf8.count)")
    }
  }

  @Test("Pipelined requests are answered in order, on one connection")
  func pipelining() async throws {
    try await TestServer.run { test in
      let client = try test.connect()
      let bodies = (0..<200).map { #"{"n":\#($0)}"# }
      client.send(bodies.map { test.request("POST /api/echo", body: $0) }.joined())
      for body in bodies { #expect(try client.receiveAnswer().text == body) }
      // Refused requests do not disturb the others.
      client.send(test.bare("GET /api/state") + test.request("GET /nothing") + test.request("GET /api/state"))
      let statuses = try (0..<3).map { _ in try client.receiveAnswer().status }
      #expect(statuses == [401, 404, 200])
    }
  }

  @Test("HTTP/1.0, a half-closed connection, and Connection: close are answered, and end")
  func endings() async throws {
    try await TestServer.run { test in
      let token = "Authorization: Bearer \(test.token)"
      let old = try test.connect()
      old.send("GET /api/state HTTP/1.0\r\nHost: 127.0.0.1:\(test.port)\r\n\(token)\r\n\r\n")
      let text = old.receiveAll()
      #expect(text.hasPrefix("HTTP/1.0 200") && text.hasSuffix(#"{"phase":"armed"}"#))
      let half = try test.connect()
      half.send(test.request("GET /api/state"))
      half.endSending()
      #expect(half.receiveAll().hasSuffix(#"{"phase":"armed"}"#))
      let closing = try test.connect()
      closing.send(test.request("GET /api/state", ["Connection: close"]) + test.request("GET /api/state"))
      #expect(closing.receiveAll().components(separatedBy: "HTTP/1.1 200").count == 2)
    }
  }

  @Test("Chunked bodies, and those that wait for 100 Continue, arrive complete")
  func bodies() async throws {
    try await TestServer.run { test in
      let chunked = ["Transfer-Encoding: chunked", "Content-Type: application/json"]
      #expect(
        try test.answer(
          test.request("POST /api/echo", chunked) + "2\r\n{\"\r\n5;x=y\r\na\":1}\r\n0\r\nX: y\r\n\r\n"
        ).text
          == #"{"a":1}"#)
      let waiting = try test.connect()
      waiting.send(
        test.request(
          "POST /api/echo", ["Expect: 100-continue", "Content-Length: 2", "Content-Type: application/json"]))
      #expect(try waiting.receiveAnswer().status == 100)
      waiting.send("{}")
      #expect(try waiting.receiveAnswer().text == "{}")
      // A refusal is sent before the body.
      let refused = try test.connect()
      refused.send(test.bare("POST /api/echo", ["Expect: 100-continue", "Content-Length: 2"]))
      #expect(try refused.receiveAnswer().status == 401)
      #expect(try test.answer(test.request("POST /api/echo", ["Content-Length: 2"]) + "{}").status == 415)
    }
  }

  @Test("Bodies of 100 MB are refused, announced or not, and read no further")
  func largeBodies() async throws {
    try await TestServer.run { test in
      let piece = [UInt8](repeating: 0x20, count: 1 << 20)
      let announced = try test.connect()
      announced.send(
        test.request("POST /api/echo", ["Content-Length: 100000000", "Content-Type: application/json"]))
      var sent = 0
      while sent < 100, announced.send(piece) { sent += 1 }
      #expect(sent < 100)
      let quiet = try test.connect()
      quiet.send(
        test.request("POST /api/echo", ["Content-Length: 100000000", "Content-Type: application/json"]))
      let answer = try quiet.receiveAnswer()
      #expect(answer.status == 413 && answer.code == "too_large" && answer.field("connection") == "close")
      #expect(quiet.receiveAll().isEmpty)
      let chunked = try test.connect()
      chunked.send(
        test.request("POST /api/echo", ["Transfer-Encoding: chunked", "Content-Type: application/json"]))
      chunked.send("10001\r\n" + String(repeating: " ", count: 0x10001) + "\r\n")
      #expect(try chunked.receiveAnswer().status == 413)
      #expect(chunked.receiveAll().isEmpty)
      // The largest that is accepted.
      let largest = "{" + String(repeating: " ", count: (64 << 10) - 2) + "}"
      #expect(try test.answer(test.request("POST /api/echo", body: largest)).text == largest)
      #expect(try test.isWell())
    }
  }

  @Test(
    "A request that could be read as two is refused, and no part of it is read as another request",
    arguments: [
      "Content-Length: 2\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 2",
      "Content-Length: 2\r\nContent-Length: 60", "Content-Length: 2, 2", "Content-Length: +2",
      "Content-Length: -1",
      "Content-Length: 0x2", "Content-Length: 2 2", "Content-Length:", "Content-Length: 99999999999999999999",
      "Transfer-Encoding: identity", "Transfer-Encoding: chunked, identity", "Transfer-Encoding: xchunked",
      "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
      "Transfer-Encoding : chunked", "Content-Length : 2", " Content-Length: 2",
      "Transfer-Encoding:\u{b}chunked",
      "X: y\r\n folded", "X\0: y", "X: \0", "X: y\rZ: z", "No colon", ": no name",
    ])
  func smuggling(_ fields: String) async throws {
    try await TestServer.run { test in
      let client = try test.connect()
      client.send(
        test.request("POST /api/echo", ["Content-Type: application/json", fields])
          + "{}" + test.request("GET /api/state"))
      let text = client.receiveAll()
      let answers = text.components(separatedBy: "HTTP/1.1 ").dropFirst()
      #expect(answers.count == 1, "\(text)")
      let isRefused = ["400", "413"].contains(answers.first.map { String($0.prefix(3)) } ?? "")
      #expect(isRefused, "\(text)")
      #expect(!text.contains("armed"))
      #expect(try test.isWell())
    }
  }

  @Test(
    "Bytes that are not HTTP are refused",
    arguments: [
      "\0\0\0\0", "\u{16}\u{3}\u{1}", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
      "GET / HTTP/1.1\nHost: x\n\n\0",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET  /  HTTP/1.1\r\n\r\n", "hello\r\n\r\n", "{}",
      "GET / FTP/1.1\r\n\r\n",
      "HTTP/1.1 200 OK\r\n\r\n",
    ])
  func malformed(_ bytes: String) async throws {
    try await TestServer.run { test in
      let client = try test.connect()
      client.send(bytes)
      client.endSending()
      let text = client.receiveAll()
      #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 4"), "\(text)")
      #expect(!text.contains("<"))
      #expect(try test.isWell())
    }
  }

  @Test("Long lines, long fields and many fields are refused")
  func longHeads() async throws {
    try await TestServer.run { (test) throws in
      let long = String(repeating: "a", count: 9000)
      #expect(try [414, 431].contains(test.answer(test.request("GET /\(long)")).status))
      #expect(try test.answer(test.request("GET /api/state", ["X: \(long)"])).status == 431)
      #expect(try test.answer(test.request("GET /api/state", ["\(long): x"])).status == 431)
      let many = (0..<100).map { "X\($0): y" }
      #expect(try test.answer(test.request("GET /api/state", many)).status == 431)
      let total = (0..<10).map { "X\($0): \(String(repeating: "b", count: 2000))" }
      #expect(try test.answer(test.request("GET /api/state", total)).status == 431)
      #expect(try test.isWell())
    }
  }
}
