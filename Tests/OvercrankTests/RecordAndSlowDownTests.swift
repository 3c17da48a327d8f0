import Capture
import FrameJudge
import Foundation
import Overcrank
import Retime
import SystemPackage
import Takes
import Testing
import Timebase

@Suite("Recording a take and its clip with the library alone", .tags(.program), .timeLimit(.minutes(1)))
struct RecordAndSlowDownTests {
  /// Expects every frame between a take's first and last to be written or in the ledger.
  private func checkTruth(_ take: Take) {
    #expect(take.frames.sent == take.frames.written + take.frames.lost.total)
    #expect(take.frames.written == Int64(take.sequences.count))
    let lost = Set(take.losses.flatMap { Array($0.sequence..<$0.sequence + $0.count) })
    #expect(Set(take.sequences).isDisjoint(with: lost))
    #expect(Int64(Set(take.sequences).union(lost).count) == take.frames.sent)
  }

  @Test("leaves a master, a consistent take, and a clip with each frame or the one before it")
  func recordAndSlowDown() async throws {
    let folder = try TemporaryFolder()
    let device = try CaptureDevice(named: SmallCamera.inVirtualTime("drop=20-24"))
    let recorder = try TakeRecorder(
      device,
      RecordRequest(
        rate: .rate(FrameRate(whole: 240)),
        plan: SessionPlan(limit: RecordingLimit(duration: .milliseconds(500))),
        output: FilePath(folder.path("drop.mp4")),
        clip: ClipSpec(RenderSpec(speed: try SpeedCurve(text: "1/8")))))
    #expect(recorder.mode.width == 320)
    try recorder.start()
    let recording = try await recorder.finish()

    #expect(recording.failure == nil)
    #expect(try folder.names == ["drop.master.mov", "drop.mp4", "drop.take.json"])
    let finished = try #require(recording.takes.first)
    let take = try #require(try Take.read(from: FilePath(folder.path("drop.take.json"))))
    checkTruth(take)
    #expect(take.frames.lost.driver >= 5)
    #expect(try Probe(folder.path("drop.master.mov")).packets.count == Int(take.frames.written))
    // 240 frames a second at an eighth of the speed are 30: one for each that the sensor sent.
    let clip = try #require(finished.clip)
    #expect(Int64(clip.outputFrames) == take.frames.sent)
    #expect(Int64(clip.held) == take.frames.lost.total)
    #expect(try Probe(folder.path("drop.mp4")).packets.count == clip.outputFrames)
  }
}
