import FrameJudge
import Foundation
import Testing

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
}
