import FrameJudge
import Foundation
import Testing

@Suite("A recording whose files another program changes", .tags(.program), .timeLimit(.minutes(1)))
struct DisturbedRecordingTests {
  /// Records into the folder `w`, which `disturb` changes once the journal has 40 frames.
  private func record(
    in folder: TemporaryFolder, _ disturb: (_ part: String, Process) throws -> Void
  ) throws -> OvercrankProgram {
    try FileManager.default.createDirectory(atPath: folder.path("w"), withIntermediateDirectories: false)
    let part = folder.path("w/x.master.mov.part")
    return try OvercrankProgram(
      [
        "record", SmallCamera.inVirtualTime(), "--duration", "1h", "--no-clip", "-o",
        folder.path("w/x.mp4"),
      ],
      whileRunning: { process in
        WatchedJournal(path: part + ".journal").wait(for: 40, of: process)
        try disturb(part, process)
      })
  }

  /// Expects the master in `folder` to hold the frames in its take.
  private func judge(_ folder: String) throws -> Int {
    let take = try JSONDecoder().decode(
      TakeNumbers.self, from: Data(contentsOf: URL(filePath: folder + "/x.take.json")))
    let video = try StripVideo(folder + "/x.master.mov")
    #expect(video.complaints.isEmpty)
    #expect(video.numbers.map { $0.map(Int64.init) } == take.sequence)
    return video.numbers.count
  }

  private struct TakeNumbers: Decodable { var sequence: [Int64] }

  @Test("ends with 74 when its part is truncated, and the rest can be recovered", arguments: [0, 30_000])
  func cut(length: Int) throws {
    let folder = try TemporaryFolder()
    let run = try record(in: folder) { part, _ in #expect(truncate(part, length) == 0) }
    #expect(run.status == 74)
    #expect(run.errors.contains("another program truncated"))
    #expect(!run.output.contains("none lost"))
    let recovery = try OvercrankProgram("recover", folder.path("w/x.mp4"))
    guard length > 0 else {
      #expect(recovery.status == 65)
      return
    }
    #expect(recovery.status == 0, "\(recovery.errors)")
    #expect(try judge(folder.path("w")) > 1)
  }

  @Test("ends with 74 when its part is removed, and promises nothing")
  func removed() throws {
    let folder = try TemporaryFolder()
    let run = try record(in: folder) { part, _ in try FileManager.default.removeItem(atPath: part) }
    #expect(run.status == 74)
    #expect(run.errors.contains("is gone: another program removed"))
    #expect(!run.errors.contains("recover"))
  }

  @Test("ends with 74 when its folder is moved, and the message names the new place")
  func moved() throws {
    let folder = try TemporaryFolder()
    let run = try record(in: folder) { _, process in
      try FileManager.default.moveItem(atPath: folder.path("w"), toPath: folder.path("v"))
      process.interrupt()
    }
    #expect(run.status == 74)
    let part = folder.path("v/x.master.mov.part")
    #expect(run.errors.contains("\"overcrank recover \(part)\" recovers what is left."))
    #expect(try OvercrankProgram("recover", part).status == 0)
    #expect(try judge(folder.path("v")) >= 40)
  }

  @Test("ends with 74 when its part is renamed, and the master and its take can be restored")
  func renamed() throws {
    let folder = try TemporaryFolder()
    let run = try record(in: folder) { part, process in
      try FileManager.default.moveItem(atPath: part, toPath: folder.path("w/y"))
      process.interrupt()
    }
    #expect(run.status == 74)
    let master = folder.path("w/x.master.mov")
    #expect(run.errors.contains("is in \(folder.path("w/y")), and is complete: rename it to \(master)."))
    try FileManager.default.moveItem(atPath: folder.path("w/y"), toPath: master)
    #expect(try OvercrankProgram("recover", folder.path("w/x.mp4")).status == 0)
    #expect(try judge(folder.path("w")) >= 40)
  }

  @Test("loses nothing when its journal is removed")
  func journalGone() throws {
    let folder = try TemporaryFolder()
    let run = try record(in: folder) { part, process in
      try FileManager.default.removeItem(atPath: part + ".journal")
      process.interrupt()
    }
    #expect(run.status == 0, "\(run.errors)")
    #expect(try judge(folder.path("w")) >= 40)
  }
}
