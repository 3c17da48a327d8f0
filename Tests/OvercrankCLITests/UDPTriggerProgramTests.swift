import Capture
import FrameJudge
import Foundation
import Platform
import SystemPackage
import Takes
import Testing
import Timebase

@Suite("Takes around datagrams", .tags(.program), .timeLimit(.minutes(1)))
struct UDPTriggerProgramTests {
  private let folder: TemporaryFolder
  private let port = UDPClient.freePort()

  init() throws { folder = try TemporaryFolder() }

  private func record(
    _ trigger: String, _ arguments: String..., whileRunning: (Process) throws -> Void
  ) throws -> OvercrankProgram {
    try OvercrankProgram(
      [
        "record", SmallCamera.inVirtualTime(), "--fps", "120", "--no-clip", "-o", folder.path("x.mp4"),
        "--trigger", trigger,
      ] + arguments, whileRunning: whileRunning)
  }

  private func reply(_ line: String?) throws -> TriggerReply {
    let line = try #require(line)
    #expect(line.hasSuffix("\n"))
    return try JSONDecoder().decode(TriggerReply.self, from: Data(line.utf8))
  }

  @Test("a datagram begins a take, and is answered with the frame that it fell into")
  func datagram() throws {
    var reply: TriggerReply?
    let run = try record("udp=\(port)", "--pre", "300ms", "--post", "100ms") { _ in
      reply = try self.reply(UDPClient(to: port).ask(Array("go".utf8)))
    }
    #expect(run.status == 0, "\(run.errors)")
    let take = try folder.take("x")
    try checkTriggered(take, pre: .milliseconds(300), post: .milliseconds(100))
    #expect(reply?.outcome == .started(take: 1))
    #expect(take.trigger?.kind == "udp" && take.trigger?.time == reply?.time)
    #expect(try #require(reply?.sequence) == take.trigger?.sequence)
    #expect(try #require(take.trigger?.uncertainty) < .milliseconds(100))
  }

  @Test("a message of Open Sound Control begins a take, and other datagrams do not")
  func message() throws {
    let go = Array("/go\0,i\0\0".utf8) + [0, 0, 0, 1]
    let run = try record("udp=127.0.0.1:\(port),osc:/go", "--frames", "20") { process in
      let client = try UDPClient(to: port)
      #expect(try reply(client.ask(go)).outcome == .started(take: 1))
    }
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.take("x").frames.written == 20)
  }

  @Test("a flood disturbs no recording")
  func flood() throws {
    let run = try record("udp=\(port)", "--frames", "300", "--strict") { _ in
      let client = try UDPClient(to: port)
      #expect(try reply(client.ask([1])).outcome == .started(take: 1))
      client.flood([1], count: 20_000)
    }
    // A trigger during a take extends it, so the take may be longer.
    #expect(run.status == 0, "\(run.errors)")
    let take = try folder.take("x")
    #expect(take.frames.lost.total == 0 && take.frames.written >= 300)
  }

  @Test("a port in use is refused before anything is recorded, and so is an address of another machine")
  func refused() throws {
    let run = try record("udp=\(port)", "--frames", "20", "--takes", "2") { _ in
      let client = try UDPClient(to: port)
      #expect(try reply(client.ask([])).outcome == .started(take: 1))
      let second = try OvercrankProgram([
        "record", SmallCamera.inVirtualTime(), "--trigger", "udp=\(port)", "-o", folder.path("y.mp4"),
      ])
      #expect(second.status == 75 && second.errors.contains("choose another port"), "\(second.errors)")
      #expect(try reply(client.ask([])).outcome.take != nil)
    }
    #expect(run.status == 0, "\(run.errors)")
    let foreign = try OvercrankProgram([
      "record", SmallCamera.inVirtualTime(), "--trigger", "udp=192.0.2.1:\(port)", "-o", folder.path("y.mp4"),
    ])
    #expect(
      foreign.status == 69 && foreign.errors.contains("not an address of this machine"), "\(foreign.errors)")
    #expect(try folder.names.filter { $0.hasPrefix("y") } == [])
  }
}
