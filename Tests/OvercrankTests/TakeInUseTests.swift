import Capture
import FilmJudge
import Foundation
import Media
import Overcrank
import Platform
import Retime
import Synchronization
import SystemPackage
import Takes
import Testing
import Timebase

@Suite("A take that somebody is at work with", .timeLimit(.minutes(15)))
struct TakeInUseTests {
  let folder: TemporaryFolder
  let entry: LibraryEntry

  init() async throws {
    folder = try TemporaryFolder()
    let path = FilePath(folder.path("drop.mp4"))
    let recorder = try TakeRecorder(
      CaptureDevice(named: "sim:"),
      RecordRequest(
        rate: .rate(FrameRate(whole: 120)), plan: SessionPlan(limit: RecordingLimit(frames: 24)),
        output: path,
        clip: nil, makesThumbnails: false))
    try recorder.start()
    if let failure = try await recorder.finish().failure { throw failure }
    entry = try #require(TakeLibrary(path.folder).entry(at: path))
  }

  private func refusal(_ body: () throws -> Void) -> MediaError? {
    do {
      try body()
      return nil
    } catch {
      if case .media(let error)? = error as? FilmError { return error }
      return error as? MediaError
    }
  }

  @Test("is neither removed, moved nor changed in place while a clip is made of it, and can be labelled")
  func clip() async throws {
    let (folder, entry) = (folder, entry)
    let master = try #require(entry.master)
    let names = try folder.names
    let target = try TemporaryFolder()
    let refusals = Mutex<[MediaError?]>([])
    _ = try await ClipMaker.make(
      ClipSource(master), to: FilePath(folder.path("slow.mp4")),
      options: ClipOptions(speed: SpeedCurve(.normal), preset: .ultrafast)
    ) { _ in
      refusals.withLock { refusals in
        guard refusals.isEmpty else { return }
        refusals.append(self.refusal { try entry.remove() })
        refusals.append(self.refusal { try entry.removeRemains() })
        refusals.append(self.refusal { _ = try InPlaceChange(master, at: .normal) })
        let export = TakeExport(to: FilePath(target.url.path), moving: true)
        refusals.append(export.run([entry])[0].failure)
        do { try entry.setLabel("milk") } catch { Issue.record(error) }
      }
    }
    let told = refusals.withLock { $0 }
    #expect(told.count == 4)
    for error in told {
      #expect(error?.code == .busy, "\(String(describing: error))")
      #expect(error?.description.contains("drop.master.mov: is in use: ") == true)
    }
    #expect(try folder.names == (names + ["slow.mp4"]).sorted())
    #expect(try target.names == names)
    let label = try #require(TakeLibrary(entry.path.folder).entry(at: entry.path)).description?.label
    #expect(label == "milk")
    try entry.remove()
    #expect(try folder.names == ["slow.mp4"])
  }

  @Test("loses nothing of what several write into it at once")
  func changes() async throws {
    let entry = entry
    let count = 24
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        group.addTask {
          do {
            try entry.enter(
              Take.Clip(
                file: "clip-\(number).mp4", speed: "1/8", framesPerSecond: 30, frames: 1, held: 0, leftOut: 0)
            )
            try entry.setLabel("label \(number)")
          } catch {
            Issue.record(error)
          }
        }
      }
    }
    let take = try #require(try Take.read(from: entry.path))
    #expect(Set(take.clips.map(\.file)) == Set((0..<count).map { "clip-\($0).mp4" }))
    #expect(take.label?.hasPrefix("label ") == true)
  }

  @Test("is not removed where it has got a clip since it was looked at")
  func changed() throws {
    try Data("film".utf8).write(to: folder.url.appending(path: "late.mp4"))
    let names = try folder.names
    try entry.enter(
      Take.Clip(file: "late.mp4", speed: "1/8", framesPerSecond: 30, frames: 1, held: 0, leftOut: 0))
    #expect(refusal { try entry.remove() }?.code == .busy)
    #expect(try folder.names == names)
    try #require(TakeLibrary(entry.path.folder).entry(at: entry.path)).remove()
    #expect(try folder.names.isEmpty)
  }
}
