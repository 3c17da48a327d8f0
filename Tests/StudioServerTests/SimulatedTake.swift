import Capture
import Overcrank
import SystemPackage
import Timebase

/// A take of the simulated camera.
enum SimulatedTake {
  /// Records this many frames, in real time, without a clip.
  static func record(to path: FilePath, frames: Int) async throws {
    let recorder = try TakeRecorder(
      CaptureDevice(named: "sim:"),
      RecordRequest(
        rate: .rate(FrameRate(whole: 120)), plan: SessionPlan(limit: RecordingLimit(frames: frames)),
        output: path,
        clip: nil, makesThumbnails: false))
    try recorder.start()
    let recording = try await recorder.finish()
    if let failure = recording.failure { throw failure }
  }
}
