import NIOHTTP1
import SystemPackage
import Testing
import Timebase

@testable import StudioServer

@Suite("Tickets, clocks and bodies") struct ValueTests {
  private let start = Instant(nanoseconds: 0)

  @Test("A ticket ends a minute after it was made, a film's ten minutes after its last part")
  func ticketTimes() {
    var tickets = Tickets(most: 8)
    let picture = tickets.issue("/a", .once, now: start)
    let film = tickets.issue("/b", .parts, now: start)
    let atTheEnd = tickets.admits(picture, to: "/a", now: start + .seconds(60))
    let first = tickets.admits(film, to: "/b", now: start + .milliseconds(59_999))
    let later = tickets.admits(film, to: "/b", now: start + .seconds(600))
    let tooLate = tickets.admits(film, to: "/b", now: start + .seconds(1200))
    #expect(!atTheEnd && first && later && !tooLate)
  }

  @Test("Tickets are no more than so many: the one that ends first makes room")
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

  @Test("A request has its time from its first byte on, an answer any, and the pause after it another")
  func clock() {
    var limits = ServerLimits()
    (limits.requestTime, limits.idleTime) = (.seconds(10), .seconds(60))
    var clock = RequestClock(limits, opened: start)
    #expect(clock.lateness(start + .seconds(10)) == .silence)
    clock.bytesCame(start + .seconds(4))
    clock.bytesCame(start + .seconds(9))
    #expect(clock.deadline == start + .seconds(14) && clock.lateness(start + .seconds(14)) == .request)
    clock.headCame()
    clock.endCame()
    #expect(clock.deadline == nil && clock.lateness(start + .seconds(999)) == nil)
    // The next one has begun by the time that this one is answered.
    clock.headCame()
    clock.answered(start + .seconds(100))
    #expect(clock.deadline == start + .seconds(110))
    clock.endCame()
    clock.answered(start + .seconds(105))
    #expect(clock.lateness(start + .seconds(164)) == nil && clock.lateness(start + .seconds(165)) == .silence)
  }

  @Test("Tokens have 256 bits, differ, and match themselves alone")
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

  @Test(
    "What a body says that nobody asked for, or says wrongly, is told by its name",
    arguments: [
      (#"{"first": 1.5}"#, "first"), (#"{"first": "1"}"#, "first"), (#"{"first": true}"#, "first"),
      (#"{"first": 99999999999999999999}"#, "first"), (#"{"time": -1}"#, "time"), (#"{"other": 1}"#, "other"),
      (#"{"deep": {"other": 1}}"#, "deep.other"), (#"{"deep": []}"#, "deep"), ("[]", "body"), ("{", "body"),
      ("null", "body"), (#"{"first": 1} x"#, "body"), (String(repeating: "[", count: 60_000), "body"),
      (#"{"first": 1e400}"#, "body"), ("\u{feff}\0", "body"),
    ])
  func bodies(_ text: String, _ word: String) throws {
    let error = #expect(throws: APIError.self) {
      var body = try JSONObject(Array(text.utf8))
      _ = try body.whole("first")
      _ = try body.time("time")
      if let deep = try body.object("deep").value { try deep.end() }
      try body.end()
    }
    #expect(error?.status == 400)
    #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
  }

  @Test("What is unknown is null, and files of the library are named without their folder")
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

  @Test("A body's keys are absent, null, or have a value")
  func presence() throws {
    var body = try JSONObject(Array(#"{"a": null, "b": 5, "c": [1, 2], "d": 0.5, "e": false}"#.utf8))
    #expect(try body.text("a").present == .some(nil))
    #expect(try body.text("x").present == nil)
    #expect(try body.whole("b").value == 5)
    #expect(try body.wholes("c").value == [1, 2])
    #expect(try body.number("d").value == 0.5)
    #expect(try body.flag("e").value == false)
    try body.end()
    var long = try JSONObject(Array("{\"a\": \"\(String(repeating: "x", count: 300))\"}".utf8))
    let error = #expect(throws: APIError.self) { _ = try long.text("a") }
    #expect(error.map { $0.status == 400 && $0.message.count < 100 } == true)
  }
}
