// Records two seconds at 240 fps, and makes a clip of them that is eight times slower: all that
// "overcrank record" does, with the mode tried, the exposure held to the frame, and every loss told.
//
// swift run RecordAndSlowDown [CAMERA]

import Overcrank

// The camera: the first of this machine, or the one that is named; "sim:" needs no hardware.
let device = try CaptureDevice(named: CommandLine.arguments.dropFirst().first)
let recorder = try TakeRecorder(
  device,
  RecordRequest(
    rate: .rate(FrameRate(whole: 240)),
    plan: SessionPlan(limit: RecordingLimit(duration: .seconds(2))), output: "drop.mp4",
    replacesFiles: true, clip: ClipSpec(RenderSpec(speed: SpeedCurve(Speed(text: "1/8"))))))
print("\(device.name) in \(recorder.mode)")

try recorder.start()
let recording = try await recorder.finish()
for take in recording.takes {
  print("\(take.take.frames.written) frames written, \(take.take.frames.lost.total) lost.")
  if let clip = take.clip { print("\(take.files.clip): \(clip.outputFrames) frames") }
}
if let failure = recording.failure { print("Ended early: \(failure)") }
