import Capture
import FrameJudge
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

@Suite("A take in use", .tags(.program), .timeLimit(.minutes(1)))
struct TakeInUseTests {
  let folder: TemporaryFolder
  let entry: LibraryEntry

  init() async throws {
    folder = try TemporaryFolder()
    let path = FilePath(folder.path("drop.mp4"))
    let recorder = try TakeRecorder(
      CaptureDevice(named: SmallCamera.inVirtualTime()), Self.request(path))
    try recorder.start()
    if let failure = try await recorder.finish().failure { throw failure }
    entry = try #require(TakeLibrary(path.folder).entry(at: path))
  }

  private static func request(_ path: FilePath, replacing: Bool = false) -> RecordRequest {
    RecordRequest(
      rate: .rate(FrameRate(whole: 120)), plan: SessionPlan(limit: RecordingLimit(frames: 24)),
      output: path, replacesFiles: replacing, clip: nil, makesThumbnails: false)
  }

  private func request(replacing: Bool) -> RecordRequest {
    Self.request(FilePath(folder.path("drop.mp4")), replacing: replacing)
  }

  private func refusal(_ body: () throws -> Void) -> OvercrankError? {
    do {
      try body()
      return nil
    } catch {
      if case .failure(let error)? = error as? RecordError { return error }
      return error as? OvercrankError
    }
  }

  @Test("cannot be removed, moved or changed in place while a clip is rendered from it, but can be labelled")
  func clip() async throws {
    let (folder, entry) = (folder, entry)
    let master = try #require(entry.master)
    let names = try folder.names
    let target = try TemporaryFolder()
    let refusals = Mutex<[OvercrankError?]>([])
    _ = try await ClipMaker.make(
      ClipSource(master), to: FilePath(folder.path("slow.mp4")),
      spec: ClipSpec(RenderSpec(speed: SpeedCurve(.normal), preset: .ultrafast))
    ) { _ in
      refusals.withLock { refusals in
        guard refusals.isEmpty else { return }
        refusals.append(self.refusal { try entry.remove() })
        refusals.append(self.refusal { try entry.removeRemains() })
        refusals.append(self.refusal { _ = try InPlaceChange(master, at: .normal) })
        let export = TakeExport(to: FilePath(target.url.path), moving: true)
        refusals.append(export.run([entry])[0].failure)
        refusals.append(
          self.refusal {
            _ = try TakeRecorder(
              CaptureDevice(named: SmallCamera.inRealTime()), self.request(replacing: true))
          })
        // Others may read it at the same time.
        do {
          let video = try SourceVideo(master)
          try video.locked().release()
          let copies = try TemporaryFolder()
          #expect(TakeExport(to: FilePath(copies.url.path)).run([entry])[0].isComplete)
          _ = try TakePictures(entry)
        } catch {
          Issue.record(error)
        }
        do { try entry.setLabel("milk") } catch { Issue.record(error) }
      }
    }
    let told = refusals.withLock { $0 }
    #expect(told.count == 5)
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

  @Test("is being recorded, and can be neither recovered nor removed, until its take file is complete")
  func closing() async throws {
    let path = FilePath(folder.path("closing.master.mov"))
    let writer = try MasterWriter(
      to: path, as: #require(MasterFormat(.mjpeg)), of: FrameFormat(.mjpeg, width: 64, height: 32),
      replacing: false, metadata: metadata(), keepingJournal: true)
    try [UInt8](repeating: 7, count: 100).withUnsafeBytes {
      try writer.write($0, sequence: 0, timestampNanoseconds: 0)
    }
    try writer.finish()
    let library = TakeLibrary(path.folder)
    let found = try #require(library.entry(at: path))
    #expect(found.kind == .takelessMaster && found.partState == .growing)
    #expect(try await library.entries().first { $0.path == path }?.partState == .growing)
    #expect(refusal { try found.removeRemains() }?.code == .busy)
    #expect(refusal { _ = try Recovery.of(path) }?.code == .busy)
    #expect(refusal { _ = try found.take() }?.code == .busy)
    // Its recorder lets others read it while it makes the clip.
    #expect(writer.lock?.admitReaders() == true)
    #expect(found.partState == nil)
    #expect(refusal { try found.removeRemains() }?.code == .busy)
    writer.lock?.release()
    // What was listed before the take was written is not removed as a master without one.
    try FileManager.default.copyItem(atPath: entry.path.string, toPath: folder.path("closing.take.json"))
    #expect(refusal { try found.removeRemains() }?.code == .busy)
    #expect(path.exists)
  }

  private func metadata() throws -> TakeMetadata {
    let take = try #require(try Take.read(from: entry.path))
    return TakeMetadata(camera: take.camera, mode: take.mode, asked: nil, started: Date(), version: "1.0")
  }

  @Test("can be read, listed and verified, but not changed, while another recording replaces it")
  func replacing() async throws {
    let (entry, target) = (entry, try TemporaryFolder())
    let master = try #require(entry.master)
    let request = RecordRequest(
      rate: .rate(FrameRate(whole: 120)), output: FilePath(folder.path("drop.mp4")), replacesFiles: true,
      clip: nil, makesThumbnails: false)
    let recorder = try TakeRecorder(CaptureDevice(named: SmallCamera.inRealTime()), request)
    let events = recorder.events
    try recorder.start()
    for try await event in events { if case .takeStarted = event.kind { break } }

    let video = try SourceVideo(master)
    let path = FilePath(folder.path("slow.mp4"))
    do {
      _ = try await ClipMaker.make(video.source, to: path, spec: ClipSpec(RenderSpec(preset: .ultrafast)))
      Issue.record("a clip was made")
    } catch {
      #expect(error.code == .busy, "\(error)")
    }
    #expect(refusal { _ = try InPlaceChange(master, at: .normal) }?.code == .busy)
    #expect(refusal { try entry.remove() }?.code == .busy)
    #expect(TakeExport(to: FilePath(target.url.path)).run([entry])[0].failure?.code == .busy)
    let second = refusal {
      _ = try TakeRecorder(CaptureDevice(named: SmallCamera.inRealTime()), self.request(replacing: true))
    }
    #expect(second?.code == .busy)
    #expect(try await TakeLibrary(entry.path.folder).entries().contains { $0.path == entry.path })
    #expect(try TakeVerification(entry).isSound)
    _ = try TakePictures(entry)

    recorder.stop()
    if let failure = try await recorder.finish().failure { throw failure }
    // Facts read from the former recording do not apply to the new one.
    #expect(refusal { _ = try video.locked() }?.code == .busy)
    let clip = Take.Clip(file: "slow.mp4", speed: "1/8", framesPerSecond: 30, frames: 1, held: 0, skipped: 0)
    #expect(refusal { try video.enter(clip, at: path) }?.code == .busy)
    #expect(try Take.read(from: entry.path)?.clips.isEmpty == true)
    let present = try SourceVideo(master)
    try present.locked().release()
    try present.enter(clip, at: path)
    #expect(try Take.read(from: entry.path)?.clips.map(\.file) == ["slow.mp4"])
    #expect(try !folder.names.contains { $0.contains(".part") })
  }

  @Test("loses nothing when several writers update it at once")
  func changes() async throws {
    let entry = entry
    let count = 24
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        group.addTask {
          do {
            try entry.enter(
              Take.Clip(
                file: "clip-\(number).mp4", speed: "1/8", framesPerSecond: 30, frames: 1, held: 0, skipped: 0)
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

  @Test("is not removed if it has got a clip since it was read")
  func changed() throws {
    try Data("film".utf8).write(to: folder.url.appending(path: "late.mp4"))
    let names = try folder.names
    try entry.enter(
      Take.Clip(file: "late.mp4", speed: "1/8", framesPerSecond: 30, frames: 1, held: 0, skipped: 0))
    #expect(refusal { try entry.remove() }?.code == .busy)
    #expect(try folder.names == names)
    try #require(TakeLibrary(entry.path.folder).entry(at: entry.path)).remove()
    #expect(try folder.names.isEmpty)
  }
}
