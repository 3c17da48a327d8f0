import FrameJudge
import Foundation
import SystemPackage
import Testing

@testable import Overcrank

@Suite("The takes of several cameras after a crash")
struct RecoveredGroupTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func ungrouped(with name: String) -> [String] {
    Recovery.ungrouped(with: FilePath(folder.path(name))).map { $0.lastComponent?.string ?? "" }
  }

  private func write(_ names: String...) throws {
    for name in names { try Data().write(to: URL(filePath: folder.path(name))) }
  }

  @Test("are found by their names in the library too")
  func named() async throws {
    try write("x.master.mov.part")
    let library = TakeLibrary(FilePath(folder.url.path))
    let part = FilePath(folder.path("x.master.mov.part"))
    #expect(try await Recovery.recordings(meantBy: "x", in: library) == [part])
    #expect(try await Recovery.recordings(meantBy: part, in: library) == [part])
    #expect(try await Recovery.recordings(meantBy: "no such", in: library) == ["no such"])
    // All of them are complete, which is said of each.
    try write("y-A.take.json", "y-B.take.json")
    let clips = ["y-A.mp4", "y-B.mp4"].map { FilePath(folder.path($0)) }
    #expect(try await Recovery.recordings(meantBy: FilePath(folder.path("y.mp4")), in: library) == clips)
  }

  @Test("are those of one name, once all of them are recovered and no group file has them")
  func ungrouped() throws {
    try write("x-1-A.take.json", "x-1.take.json", "y-B.take.json")
    #expect(ungrouped(with: "x-1-A.take.json").isEmpty)
    try write("x-1-B.master.mov.part", "x-1-B.master.mov.part.journal")
    #expect(ungrouped(with: "x-1-A.take.json").isEmpty)
    try write("x-1-B.take.json")
    #expect(ungrouped(with: "x-1-A.take.json").isEmpty)
    for name in ["x-1-B.master.mov.part", "x-1-B.master.mov.part.journal"] {
      try FileManager.default.removeItem(atPath: folder.path(name))
    }
    #expect(ungrouped(with: "x-1-A.take.json") == ["x-1-A.take.json", "x-1-B.take.json"])
    #expect(ungrouped(with: "x-1-B.take.json") == ["x-1-A.take.json", "x-1-B.take.json"])
    #expect(ungrouped(with: "x-1.take.json").isEmpty && ungrouped(with: "y-B.take.json").isEmpty)
    try write("x-1.group.json")
    #expect(ungrouped(with: "x-1-A.take.json").isEmpty)
  }
}
