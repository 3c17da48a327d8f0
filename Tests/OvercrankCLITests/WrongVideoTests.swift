import FrameJudge
import Foundation
import Testing

@Suite("Input that is not a video is recognised", .tags(.program), .timeLimit(.minutes(1)))
struct WrongVideoTests {
  private func retime(_ path: String, _ folder: TemporaryFolder) throws -> OvercrankProgram {
    try OvercrankProgram("retime", path, "--speed", "1/8", "-o", folder.path("slow.mp4"))
  }

  @Test(
    "by content", arguments: ["text", "empty", "truncated", "noise"], [false, true])
  func content(_ kind: String, _ copies: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("film.mp4")
    let url = URL(filePath: path)
    switch kind {
    case "text": try Data("This is not a film.\n".utf8).write(to: url)
    case "empty": try Data().write(to: url)
    case "noise":
      var chance = SplitMix(state: 3)
      try Data((0..<100_000).map { _ in UInt8.random(in: 0...255, using: &chance) }).write(to: url)
    default:
      try Program.ffmpeg("-f", "lavfi", "-i", "testsrc=d=2:s=320x240", "-pix_fmt", "yuv420p", path)
      let whole = try Data(contentsOf: url)
      try whole.prefix(whole.count / 2).write(to: url)
    }
    let arguments =
      ["retime", path, "--speed", "1/8", "-o", folder.path("slow.mp4")] + (copies ? ["--copy"] : [])
    let run = try OvercrankProgram(arguments)
    #expect(run.status == 65, "\(run.errors)")
    #expect(run.errors.contains("film.mp4"))
    #expect(try folder.names == ["film.mp4"])
  }

  @Test("by place: a missing path, a folder")
  func place() throws {
    let folder = try TemporaryFolder()
    let missing = try retime(folder.path("none.mp4"), folder)
    #expect(missing.status == 66, "\(missing.errors)")
    #expect(missing.errors.contains("none.mp4"))
    let directory = try retime(folder.url.path, folder)
    #expect(directory.status == 66, "\(directory.errors)")
    #expect(directory.errors.contains(folder.url.path), "\(directory.errors)")
    #expect(try folder.names.isEmpty)
  }

  @Test("but a damaged take is named, and the video is unchanged")
  func damagedTake() throws {
    let folder = try TemporaryFolder()
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc=d=1:s=320x240", "-pix_fmt", "yuv420p", folder.path("x.master.mov"))
    try Data("{".utf8).write(to: folder.url.appending(path: "x.take.json"))
    let run = try retime(folder.path("x.master.mov"), folder)
    #expect(run.status == 65)
    #expect(run.errors.contains("x.take.json"))
    #expect(try folder.names == ["x.master.mov", "x.take.json"])
  }
}
