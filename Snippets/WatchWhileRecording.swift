// Records two seconds at 240 fps, and looks at them meanwhile: a few small pictures a second, which
// cost no frame, however long it takes to look at one.
//
// swift run WatchWhileRecording [CAMERA]

import Overcrank

// A simulated camera, unless one is named.
let device = try CaptureDevice(named: CommandLine.arguments.dropFirst().first ?? "sim:")
let recorder = try TakeRecorder(
  device,
  RecordRequest(
    rate: .rate(FrameRate(whole: 240)),
    plan: SessionPlan(limit: RecordingLimit(duration: .seconds(2))), output: "watched.mp4",
    replacesFiles: true, clip: nil))

// Five pictures a second, none larger than 320x240.
let preview = try PreviewTap(
  fitting: Dimensions(width: 320, height: 240), minimumInterval: .milliseconds(200))
recorder.session.add(preview)
let pictures = preview.pictures

try recorder.start()
for await picture in pictures {
  let jpeg = try picture.jpeg()
  print(
    "Frame \(picture.sequence): \(picture.picture.width)x\(picture.picture.height), "
      + "\(jpeg.count) bytes as a JPEG")
}
let recording = try await recorder.finish()
for take in recording.takes {
  let frames = take.take.frames
  print("\(frames.written) frames written, \(frames.lost.total) lost: \(take.files.master)")
}
if let failure = recording.failure { print("Ended early: \(failure)") }
