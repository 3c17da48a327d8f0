import FrameJudge
import Foundation
import Takes
import Testing

@Suite("A present camera whose driver fails", .tags(.program), .timeLimit(.minutes(1)))
struct DriverFailureTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func record(_ fault: String, _ arguments: String...) throws -> OvercrankProgram {
    try OvercrankProgram(
      [
        "record", SmallCamera.inVirtualTime(fault), "--fps", "120", "--no-clip",
        "-o",
        folder.path("x.mp4"),
      ] + arguments)
  }

  /// Checks a take's master against it. Returns the number of frames.
  private func judge(_ name: String) throws -> Int {
    let take = try JSONDecoder().decode(
      Take.self, from: Data(contentsOf: URL(filePath: folder.path("\(name).take.json"))))
    #expect(take.frames.sent == take.frames.written + take.frames.lost.total)
    let strips = try StripVideo(folder.path("\(name).master.mov")).numbers
    #expect(strips == take.sequences.map { UInt32($0) })
    return strips.count
  }

  @Test("is restarted up to three times with --reconnect, and the rest goes into a new take")
  func restarted() throws {
    let run = try record("fail=60:2", "--reconnect", "--frames", "100")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("its driver failed"), "\(run.errors)")
    let (first, second) = (try judge("x"), try judge("x-2"))
    #expect(first + second == 100)
    #expect(first <= 60 && second >= 40)
  }

  @Test("ends the recording after the third failure, and what was captured is kept")
  func givenUp() throws {
    let run = try record("fail=60:3", "--reconnect", "--frames", "100")
    #expect(run.status == 74, "\(run.errors)")
    #expect(run.errors.contains("What was recorded until then is complete."), "\(run.errors)")
    #expect(try judge("x") <= 60)
    #expect(!FileManager.default.fileExists(atPath: folder.path("x-2.take.json")))
  }

  @Test("is restarted before the first trigger too, but only with --reconnect")
  func standingBy() throws {
    let run = try record("fail=60:1", "--reconnect", "--trigger", "time=1s", "--frames", "10")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try judge("x") == 10)
    let without = try record("fail=60:1", "--force", "--trigger", "time=1s", "--frames", "10")
    #expect(without.status == 74)
    #expect(without.errors.contains("its driver failed"), "\(without.errors)")
  }
}
