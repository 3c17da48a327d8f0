import Capture
import FrameJudge
import Overcrank
import SystemPackage
import Timebase

/// A take of a simulated camera with small pictures.
enum SimulatedTake {
  /// Records this many frames without a clip.
  static func record(to path: FilePath, frames: Int) async throws {
    let recorder = try TakeRecorder(
      CaptureDevice(named: SmallCamera.inVirtualTime()),
      RecordRequest(
        rate: .rate(FrameRate(whole: 120)), plan: SessionPlan(limit: RecordingLimit(frames: frames)),
        output: path,
        clip: nil, makesThumbnails: false))
    try recorder.start()
    let recording = try await recorder.finish()
    if let failure = recording.failure { throw failure }
  }
}
