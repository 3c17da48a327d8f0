import Capture
import FrameJudge
import Foundation
import Platform
import SystemPackage
import Takes
import Testing
import Timebase

@testable import Overcrank

@Suite("A take whose times cannot be those of a recording", .tags(.program), .timeLimit(.minutes(1)))
struct ImpossibleTimeTests {
  let folder: TemporaryFolder
  let entry: LibraryEntry
  private let original: Take

  init() async throws {
    folder = try TemporaryFolder()
    let path = FilePath(folder.path("drop.mp4"))
    let recorder = try TakeRecorder(
      CaptureDevice(named: SmallCamera.inVirtualTime("drop=5-6")),
      RecordRequest(
        rate: .rate(FrameRate(whole: 120)), plan: SessionPlan(limit: RecordingLimit(frames: 12)),
        output: path,
        clip: nil, makesThumbnails: false))
    try recorder.start()
    if let failure = try await recorder.finish().failure { throw failure }
    entry = try #require(TakeLibrary(path.folder).entry(at: path))
    original = try entry.take()
  }

  /// Writes the take with other times, and returns it.
  private func edit(_ change: (inout [Int64]) -> Void) throws -> LibraryEntry {
    var take = original
    var times = take.timestamps.map(\.nanoseconds)
    change(&times)
    take.timestamps = FrameTimes(times.map { Instant(nanoseconds: $0) })
    try take.write(to: entry.path, replacing: true)
    return try #require(TakeLibrary(entry.path.folder).entry(at: entry.path))
  }

  private func refusal(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "is refused by clips, exports, alignments, pictures and lists of frames in the words of a verification")
  func refused() throws {
    let (master, target) = (try #require(entry.master), try TemporaryFolder())
    #expect(try TakeVerification(entry).isSound)
    _ = try SourceVideo(master)
    let edits: [(String, (inout [Int64]) -> Void)] = [
      ("backwards", { $0.swapAt(6, 7) }), ("all backwards", { $0.reverse() }), ("twice", { $0[8] = $0[7] }),
      ("all the same", { times in times = times.map { _ in times[0] } }), ("last", { $0[11] = .max }),
      ("first", { $0[0] = .min }), ("middle", { $0[5] = .min + 1 }),
    ]
    for (name, change) in edits {
      let edited = try edit(change)
      let findings = try TakeVerification(edited).findings
      let words = try #require(findings.first { $0.file == master }?.words, "\(name)")
      #expect(words.contains(" is shown at "), "\(name): \(words)")
      let told = [
        refusal { _ = try SourceVideo(master) },
        refusal { _ = try GroupMember(name: "A", path: edited.path) },
        FormExport(to: FilePath(target.url.path), as: .csv)
          .run(ExportedRecording.recordings(of: [edited]))[0].failure?.description,
        refusal { _ = try TakePictures(edited) }, refusal { _ = try edited.takeOfPossibleTimes() },
      ]
      for text in told {
        #expect(
          text?.contains(words) == true && text?.contains("Put back a copy") == true, "\(name): \(text ?? "")"
        )
      }
      // The remedy of the command line: without the take's times.
      _ = try SourceVideo(master, captureRate: FrameRate(whole: 120))
    }
  }
}
