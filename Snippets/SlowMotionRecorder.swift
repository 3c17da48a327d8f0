// A recorder like those of phones: one session runs all the time; for each rate, it looks for the
// widest format that has it, switches to it while the session runs, and records to a file that is
// named by the time. Events tell of the start, the end, interruptions and errors.
//
// swift run SlowMotionRecorder [CAMERA [SECONDS [RATE...]]]

import FoundationEssentials
import Overcrank

let arguments = Array(CommandLine.arguments.dropFirst())
let seconds = arguments.count > 1 ? try Duration(text: arguments[1]) : .seconds(60)
let texts = arguments.count > 2 ? Array(arguments[2...]) : ["120", "240"]
var rates = try texts.map { try FrameRate(text: $0) }[...]

// The device, and its formats with the ranges of rates that each supports.
let device = try CaptureDevice(named: arguments.first)
let table = try device.table(profiles: .init())

/// The widest format that has `rate`, at most 1920 pixels across.
@MainActor func format(for rate: FrameRate) -> Mode? {
  table.rows
    .filter { $0.frameRateRanges.contains { $0.contains(rate) } }
    .compactMap { $0.mode(at: rate) }
    .filter { $0.width <= 1920 }
    .max { ($0.width, $0.height) < ($1.width, $1.height) }
}

// The movie output: at most so long a take, as many as are asked for. No clip is made.
let stamp = Date.now.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
let limit = RecordingLimit(duration: seconds)
let recorder = try TakeRecorder(
  device,
  RecordRequest(
    plan: SessionPlan(
      preRoll: .zero, limit: limit, takeCount: nil, interruptionResponse: .reconnect),
    output: FilePath("slow-\(stamp).mp4"), numbersTakes: true, clip: nil))
let session = recorder.session
let events = recorder.events
try recorder.start()
let recording = Task { await recorder.recorded() }

/// Switches to the next format while the session runs, and records; ends it where there is none left.
@MainActor func recordNext() {
  while let rate = rates.popFirst() {
    guard let format = format(for: rate) else {
      print("\(device.name) has no format with \(rate) fps.")
      continue
    }
    // All or nothing, as between beginConfiguration and commitConfiguration.
    session.configure { $0.mode = format }
    // Begins with the first frame of the new format.
    return recorder.trigger()
  }
  recorder.stop()
}

recordNext()
for try await event in events {
  switch event.kind {
  case .modeChanged(_, let gap): print("\(session.activeFormat), after \(Int(gap / .milliseconds(1))) ms.")
  case .takeStarted(let take, _): print("Recording \(recorder.files(ofTake: take)?.master ?? "").")
  case .takeEnded(let take, let result):
    switch result {
    case .success(let recording):
      let (accounting, name) = (recording.accounting, recorder.files(ofTake: take)?.master ?? "")
      print("\(name): \(accounting.written) frames, \(accounting.ledger.total) lost.")
      if let failure = recording.failure { print("It ended early: \(failure)") }
    case .failure(let error): print("There is no take: \(error)")
    }
    recordNext()
  case .interrupted(let reason, _): print("Interrupted: \(reason.rawValue).")
  case .interruptionEnded: print("Capturing again.")
  case .error(let error): print("The session goes on: \(error)")
  default: break
  }
}
if let failure = await recording.value.failure { print("Ended early: \(failure)") }
