// Films two seconds at 240 fps, and makes a clip of them that is eight times slower.
//
// swift run FilmAndSlowDown [CAMERA]

import CameraModel
import Cameras
import Capture
import Platform
import Retime
import SystemPackage
import Takes
import Timebase

// The camera: the first of this machine, or the one that is named; "sim:" needs no hardware.
let profiles = ProfileLibrary()
let camera = try CaptureDevice(
  named: CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : nil, profiles: profiles)
let table = try camera.table(profiles: profiles)
let choice = ModeChoice(from: table, for: ModeChoice.Request(rate: FrameRate(whole: 240)))
guard let mode = choice.mode, let format = mode.pixelFormat.flatMap(MasterFormat.init) else {
  fatalError("\(camera.name) has no mode that is fast enough: \(choice.reason)")
}

// Ring and master: every frame as the camera sent it, with the time when it was captured.
let recording = try Recorder.record(
  camera, in: mode, to: "drop.master.mov", as: format,
  RecordingRequest(limit: RecordingLimit(nanoseconds: 2_000_000_000), replacesFiles: true))
print("\(recording.accounting.written) frames written, \(recording.accounting.ledger.total) lost.")

// The clip. What the take knows of each frame puts it where it belongs.
let take = Take(
  recording,
  metadata: TakeMetadata(
    camera: CameraIdentity(name: camera.name, table: table), mode: mode, asked: FrameRate(whole: 240),
    started: recording.startedAt, version: "0.1.0"),
  master: "drop.master.mov")
let report = try await ClipRenderer(
  ClipSource("drop.master.mov", take: take), options: ClipOptions(speed: SpeedCurve(Speed(text: "1/8")))
).render(to: OutputFile("drop.mp4", replacing: true), container: .mp4)
print("\(report.outputFrames) frames, \(report.duration.decimal(places: 1)) s.")
