import FilmJudge
import Foundation
import Takes
import Testing

@Suite("A camera whose driver fails though it is there", .tags(.program), .timeLimit(.minutes(1)))
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

  /// Holds the master of a take against it; how many frames there are.
  private func judge(_ name: String) throws -> Int {
    let take = try JSONDecoder().decode(
      Take.self, from: Data(contentsOf: URL(filePath: folder.path("\(name).take.json"))))
    #expect(take.frames.sent == take.frames.written + take.frames.lost.total)
    let strips = try StripFilm(folder.path("\(name).master.mov")).numbers
    #expect(strips == take.sequences.map { UInt32($0) })
    return strips.count
  }

  @Test("is started again with --reconnect up to three times, and a new take goes on with the rest")
  func restarted() throws {
    let run = try record("fail=60:2", "--reconnect", "--frames", "100")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("its driver failed"), "\(run.errors)")
    let (first, second) = (try judge("x"), try judge("x-2"))
    #expect(first + second == 100)
    #expect(first <= 60 && second >= 40)
  }

  @Test("ends the recording after the third, with what is there")
  func givenUp() throws {
    let run = try record("fail=60:3", "--reconnect", "--frames", "100")
    #expect(run.status == 74, "\(run.errors)")
    #expect(run.errors.contains("What was recorded until then is whole."), "\(run.errors)")
    #expect(try judge("x") <= 60)
    #expect(!FileManager.default.fileExists(atPath: folder.path("x-2.take.json")))
  }

  @Test("is started again before the first trigger too, which only --reconnect asks for")
  func standingBy() throws {
    let run = try record("fail=60:1", "--reconnect", "--trigger", "time=1s", "--frames", "10")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try judge("x") == 10)
    let without = try record("fail=60:1", "--force", "--trigger", "time=1s", "--frames", "10")
    #expect(without.status == 74)
    #expect(without.errors.contains("its driver failed"), "\(without.errors)")
  }
}
