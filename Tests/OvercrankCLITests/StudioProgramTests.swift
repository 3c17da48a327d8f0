import FrameJudge
import Foundation
import Takes
import Testing
import Timebase

@Suite("overcrank studio, as a program", .tags(.program), .timeLimit(.minutes(1)), .serialized)
struct StudioProgramTests {
  @Test("prints its address, answers only there and only to its token, and ends with Ctrl-C")
  func address() async throws {
    let studio = try RunningStudio("sim:", [])
    let report = try studio.report()
    #expect(report.address == "http://127.0.0.1:\(report.port)/#\(report.token)" && report.token.count == 64)
    #expect(try await studio.ask("/", token: nil).status == 200)
    #expect(try await studio.ask("/api/state", token: nil).status == 401)
    #expect(try await studio.ask("/api/state").status == 200)
    // Until its first frame it opens the camera, and the files of the next take.
    try await studio.reach { $0.phase == "armed" }
    // The client keeps a few connections for its next request.
    let most = studio.descriptors + 8
    for _ in 0..<50 { #expect(try await studio.ask("/api/state", token: "x").status == 401) }
    var after = studio.descriptors
    for _ in 0..<60_000 where after > most {
      usleep(10_000)
      after = studio.descriptors
    }
    #expect(after <= most)
    #expect(studio.interrupt() == 0)
  }

  @Test("reports a port in use, and an invalid address, with the remedy")
  func refused() throws {
    let studio = try RunningStudio("sim:", [])
    let port = String(try studio.report().port)
    let second = try OvercrankProgram("studio", "sim:", "--no-open", "--port", port)
    #expect(second.status == 75 && second.output.isEmpty)
    #expect(second.errors.contains("another program listens there") && second.errors.contains("--port 0"))
    let foreign = try OvercrankProgram("studio", "sim:", "--no-open", "--port", "0", "--bind", "192.0.2.1")
    #expect(foreign.status == 69 && foreign.errors.contains("this machine has no such address"))
    let name = try OvercrankProgram("studio", "sim:", "--no-open", "--port", "0", "--bind", "example.org")
    #expect(name.status == 69 && name.errors.contains("Give one in numbers"))
    #expect(try OvercrankProgram("studio", "--port", "65536").status == 64)
    // As the end of a service does.
    studio.process.terminate()
    studio.process.waitUntilExit()
    #expect(studio.process.terminationStatus == 0)
  }

  @Test("shows several cameras, triggers all of them, and leaves their takes and the group")
  func severalCameras() async throws {
    let virtual = try OvercrankProgram(
      "studio", "sim:", "--with", "sim:,clock=virtual", "--no-open", "--port", "0")
    #expect(virtual.status == 64 && virtual.errors.contains("in real time"))
    let studio = try RunningStudio(
      SmallCamera.inRealTime(), ["--fps", "240", "--with", SmallCamera.inRealTime() + ",fps=60,size=360p"])
    try await studio.reach { $0.phase == "armed" }
    let lengths = #"{"pre_ns": 300000000, "post_ns": 200000000}"#
    #expect(try await studio.ask("/api/settings", "PUT", lengths).status == 200)
    try await studio.reach { $0.phase == "armed" && $0.heldNs >= 300_000_000 }
    let state = try #require(
      try JSONSerialization.jsonObject(with: await studio.ask("/api/state").body) as? [String: Any])
    let cameras = try #require(state["cameras"] as? [[String: Any]])
    #expect(cameras.map { $0["letter"] as? String } == ["A", "B"])
    let modes = cameras.map {
      (($0["camera"] as? [String: Any])?["mode"] as? [String: Any])?["width"] as? Int
    }
    #expect(modes == [320, 640])
    for (path, status) in [
      ("/api/preview.jpg?camera=B", 200), ("/api/controls?camera=B", 200),
      ("/api/camera/modes?camera=C", 404),
    ] {
      #expect(try await studio.ask(path).status == status, "\(path)")
    }
    #expect(try await studio.ask("/api/trigger", "POST").status == 200)
    // The end completes the take.
    try await studio.reach { $0.phase == "armed" }
    #expect(studio.interrupt() == 0)
    let takes = try studio.takes()
    try #require(takes.count == 2)
    for (take, master) in takes {
      checkTruth(take)
      #expect(try StripVideo(master).numbers == take.sequences.map { UInt32($0) })
    }
    let times = try takes.map { try #require($0.take.trigger?.frameTime) }
    #expect(max(times[0], times[1]) - min(times[0], times[1]) < .milliseconds(16))
    #expect(try studio.files.count { $0.hasSuffix("-1\(TakeGroup.suffix)") } == 1)
  }
}
