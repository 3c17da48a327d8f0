import NIOHTTP1
import SystemPackage
import Testing
import Timebase

@testable import StudioServer

@Suite("Tickets, clocks and bodies") struct ValueTests {
  private let start = Instant(nanoseconds: 0)

  @Test("A ticket expires after a minute, a video's ten minutes after its last part")
  func ticketTimes() {
    var tickets = Tickets(most: 8)
    let picture = tickets.issue("/a", .once, now: start)
    let video = tickets.issue("/b", .parts, now: start)
    let atTheEnd = tickets.admits(picture, to: "/a", now: start + .seconds(60))
    let first = tickets.admits(video, to: "/b", now: start + .milliseconds(59_999))
    let later = tickets.admits(video, to: "/b", now: start + .seconds(600))
    let tooLate = tickets.admits(video, to: "/b", now: start + .seconds(1200))
    #expect(!atTheEnd && first && later && !tooLate)
  }

  @Test("Tickets are limited in number: the one that expires first makes room")
  func ticketCount() {
    var tickets = Tickets(most: 3)
    let all = (0..<5).map { tickets.issue("/\($0)", .once, now: start + .seconds($0)) }
    #expect(tickets.count == 3)
    let opened = all.indices.map { tickets.admits(all[$0], to: "/\($0)", now: start + .seconds(5)) }
    #expect(opened == [false, false, true, true, true])
    let again = tickets.admits(all[4], to: "/4", now: start + .seconds(5))
    #expect(!again)
    #expect(tickets.count == 0)
  }

  @Test("A request is timed from its first byte, an answer has no limit, and the pause after it has its own")
  func clock() {
    var limits = ServerLimits()
    (limits.requestTime, limits.idleTime) = (.seconds(10), .seconds(60))
    var clock = RequestClock(limits, opened: start)
    #expect(clock.lateness(start + .seconds(10)) == .silence)
    clock.bytesArrived(start + .seconds(4))
    clock.bytesArrived(start + .seconds(9))
    #expect(clock.deadline == start + .seconds(14) && clock.lateness(start + .seconds(14)) == .request)
    clock.headArrived()
    clock.endArrived()
    #expect(clock.deadline == nil && clock.lateness(start + .seconds(999)) == nil)
    // The next one has begun before this one is answered.
    clock.headArrived()
    clock.answered(start + .seconds(100))
    #expect(clock.deadline == start + .seconds(110))
    clock.endArrived()
    clock.answered(start + .seconds(105))
    #expect(clock.lateness(start + .seconds(164)) == nil && clock.lateness(start + .seconds(165)) == .silence)
  }

  @Test("Tokens have 256 bits, differ, and match only themselves")
  func tokens() {
    let tokens = (0..<100).map { _ in Token() }
    #expect(Set(tokens.map(\.text)).count == 100)
    for token in tokens {
      #expect(token.text.count == 64 && token.matches(token.text))
      #expect(
        !token.matches("") && !token.matches(token.text + "0")
          && !token.matches(String(token.text.dropLast())))
    }
    #expect(!tokens[0].matches(tokens[1].text))
  }

  /// A request with `body`.
  private func request(_ body: String) throws -> Request {
    let head = try RequestHead(HTTPRequestHead(version: .http1_1, method: .POST, uri: "/"))
    return Request(head: head, parameters: [:], body: Array(body.utf8))
  }

  private struct Body: Decodable {
    struct Deep: Decodable {
      private enum CodingKeys: CodingKey, CaseIterable { case known }
      init(from decoder: any Decoder) throws { _ = try decoder.known(CodingKeys.self) }
    }

    let first: Int64?
    let time: Duration?
    let deep: Deep??
    let text: String??
    let flag: Bool?
    let number: Double?

    private enum CodingKeys: CodingKey, CaseIterable { case first, time, deep, text, flag, number }

    init(from decoder: any Decoder) throws {
      let keys = try decoder.known(CodingKeys.self)
      (first, time, text) = (try keys.whole(.first), try keys.time(.time), try keys.text(.text))
      (flag, number) = (try keys.flag(.flag), try keys.number(.number))
      deep = try keys.presence(.deep)
    }
  }

  @Test(
    "An unknown or invalid value in a body is reported by its key",
    arguments: [
      (#"{"first": 1.5}"#, #""first" must be a whole number."#),
      (#"{"first": "1"}"#, #""first" must be a whole number."#),
      (#"{"first": true}"#, #""first" must be a whole number."#),
      (#"{"first": 99999999999999999999}"#, #""first" must be a whole number."#),
      (#"{"time": -1}"#, #""time" must be a number of nanoseconds, 0 or more."#),
      (#"{"other": 1}"#, #"Unknown key "other"."#),
      (#"{"deep": {"other": 1}}"#, #"Unknown key "deep.other"."#),
      (#"{"deep": []}"#, #""deep" must be an object."#), ("[]", "The body is not a JSON object."),
      ("{", "The body is not a JSON object."), ("null", "The body is not a JSON object."),
      (#"{"first": 1} x"#, "The body is not a JSON object."),
      (String(repeating: "[", count: 60_000), "The body is not a JSON object."),
      ("\u{feff}\0", "The body is not a JSON object."),
    ])
  func bodies(_ text: String, _ words: String) throws {
    let error = #expect(throws: APIError.self) { try request(text).body(as: Body.self) }
    #expect(error?.status == 400)
    #expect(error?.message == words)
  }

  @Test("An unknown value is null, and files of the library are named without their folder")
  func words() throws {
    func text(_ value: some Encodable) throws -> String {
      String(decoding: try JSONAnswer.bytes(value), as: UTF8.self)
    }
    #expect(
      try text(StudioState.Disk(freeBytes: 1, secondsLeft: nil)) == #"{"free_bytes":1,"seconds_left":null}"#)
    #expect(
      try text(StudioState.Interruption(reason: "silent", message: nil, waitsForResume: true))
        == #"{"message":null,"reason":"silent","waits_for_resume":true}"#)
    let folder = FilePath("/films/of me")
    #expect(folder.namingFiles(in: "/films/of me/x.mp4: is gone.") == "x.mp4: is gone.")
    #expect(folder.namingFiles(in: "/films/of me: is full.") == "of me: is full.")
    #expect(folder.namingFiles(in: "/dev/video0: is busy.") == "/dev/video0: is busy.")
    #expect(FilePath("films").namingFiles(in: "films/x.mp4: is gone.") == "x.mp4: is gone.")
    #expect(FilePath("/").namingFiles(in: "/x.mp4: is gone.") == "/x.mp4: is gone.")
  }

  @Test("A body's keys are absent, null, or have a value; a body without required keys may be empty")
  func presence() throws {
    let body = try request(#"{"text": null, "first": 5, "number": 0.5, "flag": false, "deep": null}"#)
      .body(as: Body.self)
    #expect(body.text == .some(nil) && body.first == 5 && body.number == 0.5 && body.flag == false)
    #expect(body.deep.map { $0 == nil } == true && body.time == nil)
    let empty = try request("").body(as: Body.self)
    #expect(empty.text == nil && empty.first == nil)
    _ = try request("{}").body(as: EmptyBody.self)
    let long = "{\"text\": \"\(String(repeating: "x", count: 300))\"}"
    let error = #expect(throws: APIError.self) { try request(long).body(as: Body.self) }
    #expect(error.map { $0.status == 400 && $0.message.count < 100 } == true)
  }
}
