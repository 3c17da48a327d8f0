// The calls of docs/from-avfoundation.md: an example of each row of its table, run with simulated cameras. A row is named
// by the beginning of its first cell.
//
// swift run FromAVFoundation FOLDER

import Foundation
import Overcrank

/// What an example says is not so.
struct Untrue: Error {}

func expect(_ holds: Bool) throws {
  guard holds else { throw Untrue() }
}

/// Names the rows, and runs the example of them.
@MainActor func row(_ names: String..., example: () async throws -> Void) async throws {
  for name in names { print(name) }
  try await example()
}

/// An output that only counts the bytes of a take.
final class Count: TakeOutput {
  private(set) var bytesWritten: Int64 = 0

  func write(
    _ frame: UnsafeRawBufferPointer, sequence: UInt32, timestampNanoseconds: Int64, isTimedAtDequeue: Bool
  ) throws(OvercrankError) {
    bytesWritten += Int64(frame.count)
  }
}

let folder = FilePath(CommandLine.arguments.dropFirst().first ?? "from-avfoundation")
try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)

/// The table of a simulated camera with small pictures.
let small = folder.appending("small.json")
try Data(
  """
  {"card": "Small", "modes": [
    {"fourcc": "MJPG", "width": 320, "height": 240, "intervals": [[1, 240], [1, 120]]},
    {"fourcc": "MJPG", "width": 640, "height": 480, "intervals": [[1, 60]]}]}
  """.utf8
).write(to: URL(filePath: small.string))

/// Returns the simulated camera with these faults.
@MainActor func camera(_ faults: String = "") throws -> CaptureDevice {
  try CaptureDevice(named: "sim:\(small)\(faults)")
}

/// Returns a request to record as `plan` says.
@MainActor func recording(_ name: String, _ plan: SessionPlan) -> RecordRequest {
  RecordRequest(rate: .rate(FrameRate(whole: 120)), plan: plan, output: folder.appending(name), clip: nil)
}

// MARK: Devices and formats

try await row("AVCaptureDevice.DiscoverySession.devices", "device.position") {
  for node in VideoNode.all() {
    let mounting: CameraMounting = node.mounting
    print(node.path, mounting.orientation as Any, mounting.kind as Any)
  }
  let table: CameraTable = try CaptureDevice(named: "sim:").table(profiles: ProfileLibrary())
  // Unknown: neither a driver nor a profile states it.
  try expect(table.mounting.orientation != .external && table.mounting.kind == nil)
}

try await row("AVCaptureDevice.default(for:)") {
  // Throws if there is no camera.
  if let first = try? CaptureDevice(named: nil) { print(first.name) }
}

try await row("AVCaptureDevice.default(_:for:position:)") {
  for name in ["back", "front", "external"] {
    if let device = try? CaptureDevice(named: name) { print(device.name) }
  }
  try expect(try CaptureDevice.first(of: ["/dev/video987", "sim:"]).name == "sim:")
}

try await row("AVCaptureDevice(uniqueID:)") {
  if let device = try? CaptureDevice(named: "/dev/v4l/by-id/...") { print(device.name) }
  try expect(try CaptureDevice(named: "sim:").name == "sim:")
}

let device = try camera()
let table = try device.table(profiles: ProfileLibrary())

try await row("AVCaptureDevice.RotationCoordinator") {
  let mounting = table.mounting
  try expect(mounting.rotation == nil && RecordRequest().turn == nil)
}

try await row("requestAccess(for:)") {
  let examination = try Examination(ofCamera: "sim:", folder: folder)
  try expect(examination.camera == "sim:")
}

try await row("device.formats", "format.videoSupportedFrameRateRanges", "format.isVideoBinned") {
  for row: ModeRow in try device.table(profiles: ProfileLibrary()).rows {
    let ranges: [FrameRateRange] = row.frameRateRanges
    try expect(ranges.allSatisfy { $0.minFrameRate <= $0.maxFrameRate })
    try expect(row.readout.isBinned == nil)
  }
}

// MARK: Sessions

try await row(
  "AVCaptureSession(), addInput, addOutput", "stopRunning()", "isRunning, isInterrupted", "startRunning()"
) {
  guard let mode = table.modes.last else { throw Untrue() }
  let session = CaptureSession(
    SessionSetup(
      CaptureSource(device), SessionConfiguration(mode: mode), SessionPlan(limit: RecordingLimit())
    ) { _ in Count() })
  let events = session.events
  try session.start()
  for try await event in events {
    if case .takeStarted = event.kind {
      try expect(session.isRunning && !session.isInterrupted)
      session.commands.send(.stop)
    }
  }
  try expect(!session.isRunning)
  // The same with files.
  let recorder = try TakeRecorder(device, recording("short.mp4", SessionPlan(limit: RecordingLimit())))
  try recorder.start()
  recorder.stop()
  _ = await recorder.recorded()
}

try await row("session.sessionPreset", "canSetSessionPreset") {
  var request = RecordRequest(output: folder.appending("unused.mp4"), clip: nil)
  request.rate = .rate(FrameRate(whole: 120))
  request.criteria = ModeChoice.Criteria(maxWidth: 1920)
  request.quality = [.rows(2160), .rows(1080), .high]
  let recorder = try TakeRecorder(CaptureDevice(named: "sim:"), request)
  try expect(recorder.mode.height == 1080)
  // Which one it is, and why not an earlier one.
  let choice: QualityChoice? = recorder.quality
  try expect(choice?.asked.first == "2160p" && choice?.skipped.isEmpty == false)
}

try await row("presets of your own") {
  let file = folder.appending("drip.yaml")
  try Data("fps: 240\n".utf8).write(to: URL(filePath: file.string))
  try expect(try Setup(file: file).entries.map(\.key) == ["fps"])
}

// The session of most examples: each trigger records a take.
var request = recording(
  "jump.mp4",
  SessionPlan(preRoll: .zero, limit: RecordingLimit(), takeCount: nil, interruptionResponse: .reconnect))
request.numbersTakes = true

try await row("maxRecordedDuration") {
  var limited = request
  limited.plan.limit = RecordingLimit(duration: .seconds(60))
  try expect(limited.plan.limit.frames == nil && RecordingLimit(frames: 10).duration == nil)
}

try await row("maxRecordedFileSize") {
  request.sizeLimit = 1_000_000_000
}

try await row("connection.videoRotationAngle, isVideoMirrored") {
  let turn = PictureTurn(degrees: 90, isMirrored: true)
  var turned = request
  turned.turn = turn
  var settings = StillSettings()
  settings.turn = turn
  var spec = RenderSpec()
  spec.stages = spec.stages.with(turn)
  try expect(spec.stages[PictureTurn.self] == settings.turn)
}

try await row("subjectAreaDidChangeNotification", "focusMode = .autoFocus then") {
  request.watchesScene = true
  // The simulated camera can focus.
  request.refocuses = true
}

try await row("restart after an interruption", "mediaServicesWereReset") {
  let responses: [SessionPlan.InterruptionResponse] = [.end, .reconnect, .wait]
  try expect(responses.contains(request.plan.interruptionResponse))
  let resume = SessionCommand.resume
  try expect(resume == .resume)
}

let recorder: TakeRecorder = try TakeRecorder(device, request)
let session = recorder.session
let events = recorder.events

/// Returns the next event of the session that `find` finds something in.
@MainActor func next<Found>(_ find: (SessionEvent.Kind) -> Found?) async throws -> Found {
  for try await event in events {
    if let found = find(event.kind) { return found }
  }
  throw Untrue()
}

try recorder.start()
_ = try await next { if case .armed = $0 { true } else { nil } }

try await row("device.activeFormat, activeVideoMinFrameDuration") {
  let mode: Mode = session.activeFormat
  try expect(mode.width == 320 && mode.interval == FrameInterval(1, 120))
}

try await row("beginConfiguration(), commitConfiguration()") {
  guard let mode = table.modes.first(where: { $0.interval == FrameInterval(1, 240) })
  else { throw Untrue() }
  session.configure { $0.mode = mode }
  _ = try await next { if case .modeChanged = $0 { true } else { nil } }
  session.change(to: try ModeRequest(text: "320x240@120")) { outcome in
    if case .refused(let error) = outcome { print(error) }
  }
  let gap = try await next { if case .modeChanged(_, let gap) = $0 { gap } else { nil } }
  try expect(gap > .zero && session.activeFormat.interval == FrameInterval(1, 120))
}

try await row(
  "startRecording(to:recordingDelegate:)", "delegate's didStartRecordingTo", "isRecording"
) {
  try expect(request.output == folder.appending("jump.mp4"))
  recorder.trigger()
  let take = try await next { if case .takeStarted(take: let take, trigger: _) = $0 { take } else { nil } }
  try expect(session.isRecording)
  let files: TakeFiles? = recorder.files(ofTake: take)
  try expect(files?.master.lastComponent?.string.hasPrefix("jump") == true)
}

try await row(
  "capturePhoto while the session runs", "AVCapturePhotoCaptureDelegate", "a still to a file while recording"
) {
  // The next frame: none is skipped, as none would be in another mode.
  let commands: SessionCommands = session.commands
  let request: StillRequest = commands.takeStill(in: nil, skipping: 0, answer: nil)
  var file: FilePath?
  while file == nil {
    let stage: PhotoStage = try await next { (kind) -> PhotoStage? in
      guard case .photo(let still, let stage, _) = kind, still.id == request.id else { return nil }
      return stage
    }
    switch stage {
    case .willBegin, .willCapture, .processed: continue
    case .captured(let sequence, let frame): print(sequence, frame?.bytes.count ?? 0)
    case .written(let path): file = path
    case .failed(let reason): throw OvercrankError(.failed, reason)
    }
  }
}

try await row("AVCaptureVideoDataOutput") {
  let tap = FrameTap()
  session.add(tap)

  while tap.poll() == nil { await Task.yield() }
  tap.close()
}

try await row("AVCaptureVideoPreviewLayer") {
  let preview = try PreviewTap(fitting: Dimensions(width: 160, height: 120))
  session.add(preview)
  for await picture in preview.pictures {
    try expect(picture.picture.width == 160)
    preview.close()
    break
  }
}

try await row("setExposureModeCustom(duration:iso:)") {
  let policy = ControlPolicy(exposure: .time(.milliseconds(1)), gain: nil)
  try expect(policy.exposure == .time(.milliseconds(1)))
  guard let gain = try device.controls().first(where: { $0.name == "gain" }) else { throw Untrue() }
  let change = ControlChange(id: gain.control.id, name: gain.name, value: 40, isRequired: true)
  session.commands.send(SessionCommand.set(change))
  let outcome = try await next { if case .controlChanged(let outcome) = $0 { outcome } else { nil } }
  try expect(outcome.after == 40)
}

try await row("ramp(toVideoZoomFactor:withRate:)", "cancelVideoZoomRamp()") {
  guard let zoom = try device.controls().first(where: { $0.name == "zoom_absolute" }) else { throw Untrue() }
  session.move(zoom, to: 300, rate: 100)
  _ = try await next { if case .controlChanged(let outcome) = $0 { outcome } else { nil } }
  session.cancelMove(of: zoom)
}

try await row(
  "delegate's didFinishRecordingTo, its error", "stopRecording()", "didDrop sampleBuffer",
  "maxRecordedFileSize"
) {
  // Without a limit, the next trigger ends the take.
  try expect(request.plan.limit == RecordingLimit())
  recorder.trigger()
  let result = try await next { (kind) -> Result<Recording, CaptureError>? in
    if case .lost(take: _, frames: let frames) = kind { print(frames) }
    if case .takeEnded(take: _, let result) = kind { return result } else { return nil }
  }
  let recording: Recording = try result.get()
  try expect(recording.failure == nil && !recording.isFull)
  let status: SessionStatus = session.status
  try expect(status.take?.limitFill == nil)
  try expect(recording.accounting.ledger.total == 0)
}

try await row("AVCapturePhotoSettings.maxPhotoDimensions") {
  let request = session.takeLargestStill(skipping: 1, answer: nil)
  let size = try await next { (kind) -> Result<Dimensions?, OvercrankError>? in
    guard case .photo(let still, let stage, _) = kind, still.id == request.id else { return nil }
    switch stage {
    case .captured(_, let frame):
      let format = frame?.configuration.frameFormat
      return .success(format.map { Dimensions(width: UInt32($0.width), height: UInt32($0.height)) })
    case .failed(let reason): return .failure(OvercrankError(.failed, reason))
    default: return nil
    }
  }.get()
  try expect(size == Dimensions(width: 640, height: 480))
}

try await row("AVCaptureMovieFileOutput") {
  recorder.stop()
  let recording: FinishedRecording = try await recorder.finish()
  try expect(recording.failure == nil && recording.takes.count == 1)
}

// MARK: Interruptions

try await row(
  "sessionWasInterruptedNotification", "videoDeviceInUseByAnotherClient",
  "videoDeviceNotAvailableInBackground",
  "wasDisconnectedNotification", "sessionInterruptionEndedNotification", "sessionRuntimeErrorNotification"
) {
  let failing = try camera(",clock=virtual,fail=30")
  let request = recording(
    "cut.mp4", SessionPlan(limit: RecordingLimit(frames: 60), interruptionResponse: .reconnect))
  let recorder = try TakeRecorder(failing, request)
  let events = recorder.events
  try recorder.start()
  var interruptions: [(reason: InterruptionReason, error: CaptureError?)] = []
  var ends: [InterruptionReason] = []
  for try await event in events {
    switch event.kind {
    case .interrupted(let reason, let error): interruptions.append((reason, error))
    case .interruptionEnded(let reason): ends.append(reason)
    case .error(let error): print(error as CaptureError)
    case .ended(let end): try expect(end.failure == nil)
    default: break
    }
  }
  let others: [InterruptionReason] = [.takenByAnotherProgram, .suspended, .unplugged]
  try expect(interruptions.count > 0 && !interruptions.map(\.reason).contains(where: others.contains))
  try expect(ends == [.driverError])
  _ = await recorder.recorded()
}

try await row("subjectAreaDidChangeNotification") {
  let changing = try camera(",clock=virtual,scene=3s")
  var request = recording(
    "scene.mp4", SessionPlan(preRoll: .zero, limit: RecordingLimit(frames: 1), takeCount: 1))
  request.watchesScene = true
  let recorder = try TakeRecorder(changing, request)
  let (events, start) = (recorder.events, recorder.session.now)
  try recorder.start()
  var change: SceneChange?
  for try await event in events {
    if case .sceneChanged(let found) = event.kind { change = found }
    if change != nil || event.time > start + .seconds(60) { recorder.stop() }
  }
  _ = await recorder.recorded()
  try expect(change != nil)
  // Without a recorder, a tap of its own.
  _ = SceneTap.init(watching:focusing:)
}

// MARK: Photos

try await row(
  "AVCapturePhotoOutput, AVCapturePhotoSettings", "AVCapturePhotoSettings.flashMode",
  "AVCapturePhotoBracketSettings, bursts",
  "AVCapturePhoto.fileDataRepresentation(), metadata"
) {
  let lamp = try camera(",clock=virtual,light=torch")
  var settings = StillSettings(output: folder.appending("still.jpg"))
  settings.format = .jpeg
  settings.jpegQuality = 90
  settings.controls.isLit = true
  settings.count = 3
  let recorder = try StillRecorder(lamp, settings)
  let taken = try recorder.take()
  try expect(taken.count == 3)
  let still: Still = taken[0].still
  try expect(still.bytes.starts(with: [0xff, 0xd8]))
  let photo = try await TakeLibrary(folder).entries().compactMap(\.photo).first { $0.kind == .burst }
  let tags: PhotoTags? = photo?.tags
  try expect(tags?.isLit == true)
}

try await row("Live Photos (livePhotoMovieFileURL)", "livePhotoAudio by an audio input") {
  let device = try camera(",clock=virtual")
  var request = RecordRequest(output: folder.appending("live.jpg"))
  request.microphones = [MicrophoneName("sim:,clock=virtual")]
  let recorder = try MotionPhotoRecorder(device, request, as: .livePhoto)
  let events = recorder.recorder.events
  try recorder.start()
  for try await event in events {
    if case .armed = event.kind { recorder.recorder.trigger() }
  }
  let (photos, failure) = await recorder.finish()
  try expect(failure == nil && photos.map(\.video) == [folder.appending("live.mov")])
}

// MARK: Audio

try await row(
  "AVCaptureDeviceInput of a microphone, audio in the movie",
  "AVCaptureAudioDataOutput, AVCaptureAudioChannel"
) {
  let device = try camera(",clock=virtual")
  var request = recording("heard.mp4", SessionPlan(limit: RecordingLimit(frames: 60)))
  request.microphones = [MicrophoneName("sim:,clock=virtual")]
  let recorder = try TakeRecorder(device, request)
  let tap = AudioTap()
  recorder.session.add(tap)
  try recorder.start()
  let recording = try await recorder.finish()
  try expect(recording.takes.first?.take.audio != nil)
  if let heard = tap.poll() { try expect(!heard.levels.isEmpty) }
  _ = \SessionSetup.microphone
}

// MARK: The library

try await row("PHAssetCreationRequest, saving every movie to the library") {
  let target = folder.appending("exported")
  try FileManager.default.createDirectory(atPath: target.string, withIntermediateDirectories: true)
  let outcomes = TakeExport(to: target, moving: true).run(try await TakeLibrary(folder).entries())
  try expect(!outcomes.isEmpty && outcomes.allSatisfy(\.isComplete))

}

try await row("CMTimeRange of a slow motion in Photos") {
  guard
    let take = try await TakeLibrary(folder.appending("exported")).entries().first(where: { $0.master != nil }
    ), let master = take.master
  else { throw Untrue() }
  let pace = CapturePace(of: master)
  // Only phones store a ramp.
  try expect(pace.ramp == nil)
}
