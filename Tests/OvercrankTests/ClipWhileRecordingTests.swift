import CameraModel
import Capture
import FrameJudge
import Foundation
import Media
import Overcrank
import Retime
import SystemPackage
import Takes
import Testing
import Timebase

@Suite("A clip rendered during its recording", .tags(.program), .timeLimit(.minutes(1)))
struct ClipWhileRecordingTests {
  /// The checksums and times of a clip's pictures.
  private func pictures(of path: FilePath) throws -> [String] {
    let list = try Program.run(
      "ffmpeg", ["-v", "error", "-i", path.string, "-fps_mode", "passthrough", "-f", "framemd5", "-"])
    return String(decoding: list.output, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.map(String.init)
  }

  /// A clip without loss, so that its pictures show how it was rendered.
  private var options: RenderSpec {
    get throws {
      var options = RenderSpec(
        speed: try SpeedCurve(text: "1/64"), outputRate: FrameRate(whole: 30),
        stages: .usual.with(ClipScale.width(160)),
        preset: .ultrafast)
      options.quality = 0
      return options
    }
  }

  private func expectSameAfterwards(_ take: FinishedTake, _ folder: TemporaryFolder) async throws {
    let report = try #require(take.clip)
    let made = try #require(report.madeWhileRecording)
    #expect((0...report.outputFrames).contains(made))
    #expect(take.take.clips.map(\.madeWhileRecording) == [made])
    let later = FilePath(folder.path("later.mp4"))
    let again = try await ClipMaker.make(
      SourceVideo(take.files.master).source, to: later, spec: ClipSpec(options), replacing: true)
    #expect(again.outputFrames == report.outputFrames)
    let (one, other) = (try pictures(of: take.files.clip), try pictures(of: later))
    #expect(one.count == report.outputFrames)
    #expect(one == other)
  }

  @Test("has the pictures of one rendered afterwards, however much was done by then")
  func oneTake() async throws {
    let folder = try TemporaryFolder()
    let recorder = try TakeRecorder(
      CaptureDevice(named: SmallCamera.inVirtualTime("drop=50-52")),
      RecordRequest(
        rate: .rate(FrameRate(whole: 240)), plan: SessionPlan(limit: RecordingLimit(frames: 360)),
        output: FilePath(folder.path("drop.mp4")),
        clip: ClipSpec(try options), makesClipsWhileRecording: true))
    try recorder.start()
    let recording = try await recorder.finish()
    #expect(recording.failure == nil)
    #expect(try folder.names == ["drop.master.mov", "drop.mp4", "drop.take.json"])
    try await expectSameAfterwards(try #require(recording.takes.first), folder)
  }

  @Test("is rendered for each of several takes, one after the other")
  func severalTakes() async throws {
    let folder = try TemporaryFolder()
    let plan = SessionPlan(preRoll: .zero, limit: RecordingLimit(frames: 150), takeCount: 2)
    let recorder = try TakeRecorder(
      CaptureDevice(named: SmallCamera.inVirtualTime()),
      RecordRequest(
        rate: .rate(FrameRate(whole: 240)), plan: plan,
        output: FilePath(folder.path("drop.mp4")), numbersTakes: true,
        clip: ClipSpec(try options), makesClipsWhileRecording: true))
    let takes = Task { [events = recorder.events] in
      for try await event in events {
        if case .armed = event.kind { recorder.trigger() }
      }
    }
    try recorder.start()
    let recording = try await recorder.finish()
    try await takes.value
    #expect(recording.takes.count == 2)
    for take in recording.takes { try await expectSameAfterwards(take, folder) }
  }
}
