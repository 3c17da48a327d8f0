import FrameJudge
import Foundation
import Testing

@Suite("-o with a trailing slash", .tags(.program), .timeLimit(.minutes(1)))
struct FolderOutputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func names(_ name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path(name)).sorted()
  }

  @Test(
    "names a folder, which is created, for takes with generated names",
    arguments: ["new/clips/", "new/clips/."])
  func takes(_ name: String) throws {
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--frames", "2", "--no-clip", "-o", folder.url.path + "/" + name)
    #expect(run.status == 0, "\(run.errors)")
    let names = try names("new/clips")
    #expect(names.count == 2)
    #expect(names.allSatisfy { $0.hasPrefix("overcrank-2") }, "\(names)")
    #expect(run.output.contains("\(folder.path("new/clips"))/overcrank-2"), "\(run.output)")
  }

  @Test("does so for stills and clips, and even without the slash if the folder exists")
  func others() throws {
    try FileManager.default.createDirectory(atPath: folder.path("stills"), withIntermediateDirectories: true)
    let still = try OvercrankProgram(
      "snap", SmallCamera.inVirtualTime(), "--skip", "0", "-o", folder.path("stills"))
    #expect(still.status == 0, "\(still.errors)")
    #expect(try names("stills").count == 1)
    let take = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--frames", "4", "--no-clip", "-o", folder.path("x.mp4"))
    #expect(take.status == 0, "\(take.errors)")
    let clip = try OvercrankProgram(
      "retime", folder.path("x.master.mov"), "--preset", "ultrafast", "-o", folder.url.path + "/clips/")
    #expect(clip.status == 0, "\(clip.errors)")
    #expect(try names("clips") == ["x-slow.mp4"])
  }

  @Test("is a single error if it cannot be a folder")
  func file() throws {
    try Data().write(to: folder.url.appending(path: "taken"))
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--frames", "2", "--no-clip", "-o", folder.url.path + "/taken/")
    #expect(run.status == 73, "\(run.errors)")
    #expect(run.errors.contains("\(folder.path("taken")): the folder cannot be created"), "\(run.errors)")
  }
}
