import Capture
import FrameJudge
import Foundation
import Overcrank
import Platform
import SystemPackage
import Takes
import Timebase

/// A failure of the run.
struct Wrong: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Short recordings with faults, one after another, beside one long session.
struct Soak {
  let folder: URL
  let seed: UInt64
  let until: ContinuousClock.Instant

  init(folder: URL, seed: UInt64, until: ContinuousClock.Instant) {
    self.folder = folder
    self.seed = seed
    self.until = until
  }

  /// Runs to the end. Returns the figures in a line or two.
  func run() async throws -> String {
    var random = SplitMix(state: seed)
    let long = try LongSession(in: folder)
    var (recordings, takes, frames, lost) = (0, 0, Int64(0), Int64(0))
    var footprints: [Footprint] = []
    while ContinuousClock.now < until || recordings < 3 {
      let tally = try await record(&random)
      recordings += 1
      takes += tally.takes
      frames += tally.written
      lost += tally.lost
      footprints.append(try Footprint.settled())
    }
    let longTally = try await long.end()
    try Footprint.check(footprints)
    let last = try Footprint.settled()
    return """
      seed \(seed): \(recordings) recordings with \(takes) takes, \(frames) frames written and \(lost) lost; \
      the long session: \(longTally).
      \(footprints.first.map { "\($0)" } ?? "nothing") after the first, \
      \(footprints.last.map { "\($0)" } ?? "nothing") after the last, \(last) at the end.
      """
  }

  /// One recording of some seconds, with faults and triggers at random.
  private func record(_ random: inout SplitMix) async throws -> TakeTally {
    let place = folder.appending(path: "take")
    try? FileManager.default.removeItem(at: place)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let camera = try Self.camera(in: folder, &random)
    let isTriggered = random.next() % 2 == 0
    var request = RecordRequest(
      rate: .rate(FrameRate(whole: 240)),
      criteria: .init(format: random.next() % 2 == 0 ? .mjpeg : .raw),
      plan: isTriggered
        ? SessionPlan(
          preRoll: .microseconds(Int64.random(in: 0..<500_000, using: &random)),
          limit: RecordingLimit(duration: .microseconds(Int64.random(in: 10_000..<700_000, using: &random))),
          takeCount: nil, interruptionResponse: .reconnect)
        : SessionPlan(
          limit: RecordingLimit(frames: Int.random(in: 20..<700, using: &random)),
          interruptionResponse: .reconnect),
      output: FilePath(place.appending(path: "x.mp4").path), numbersTakes: isTriggered, clip: nil)
    request.capture.ring = [nil, .frames(64), .bytes(1 << 20)].randomElement(using: &random) ?? nil
    let socket = "soak\(recorderNumber.next())"
    if isTriggered { request.triggers = [try TriggerSources.source("socket=\(socket)")] }
    let recorder = try TakeRecorder(try CaptureDevice(named: camera), request)
    let tap = FrameTap(minimumInterval: .nanoseconds(1))
    recorder.session.add(tap)
    // One tap that is not read, and one that reads and leaves.
    recorder.session.add(FrameTap(minimumInterval: .nanoseconds(1)))
    let looker = Thread { for _ in 0..<50 { _ = tap.next() } }
    looker.start()
    let preview = try PreviewTap(fitting: .init(width: 128, height: 16), minimumInterval: .milliseconds(30))
    recorder.session.add(preview)

    try recorder.start()
    if isTriggered {
      for _ in 0..<Int.random(in: 1..<8, using: &random) {
        try await Task.sleep(for: .milliseconds(Int.random(in: 1..<300, using: &random)))
        if random.next() % 3 == 0 { recorder.trigger() } else { try await Self.trigger(socket) }
      }
      try await Task.sleep(for: .milliseconds(Int.random(in: 0..<500, using: &random)))
      recorder.stop()
    }
    // A camera that is unplugged before its first frame leaves a recording that waits for ever.
    let patience = Task {
      try await Task.sleep(for: .seconds(8))
      recorder.stop()
    }
    let recording = await recorder.recorded()
    patience.cancel()
    preview.close()
    tap.close()
    if let failure = recording.failure, !isExpected(failure, of: camera) {
      throw Wrong("\(camera): \(failure)")
    }
    var tally = TakeTally()
    for take in recording.takes {
      try tally.check(take.take, master: take.files.master, of: camera)
    }
    return tally
  }

  /// Whether a recording from `camera` may end in this way: without a frame, or unplugged during its stop.
  private func isExpected(_ failure: OvercrankError, of camera: String) -> Bool {
    failure.code == .noFrames || (failure.code == .disconnected && camera.contains("disconnect="))
  }

  /// Sends a trigger by the socket; the recording may have ended meanwhile.
  private static func trigger(_ socket: String) async throws {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        _ = try? RemoteTrigger.send(to: socket)
        continuation.resume()
      }
    }
  }

  /// The address of a camera with some faults, each kind on or off.
  static func camera(in folder: URL, _ random: inout SplitMix) throws -> String {
    let table = folder.appending(path: "camera.json")
    if !FileManager.default.fileExists(atPath: table.path) {
      // The smallest pictures that hold a strip.
      let modes = ["MJPG", "GREY"].map {
        "{\"fourcc\": \"\($0)\", \"width\": 256, \"height\": 16, \"intervals\": [[1, 240]]}"
      }
      try Data("{\"modes\": [\(modes.joined(separator: ", "))]}".utf8).write(to: table)
    }
    let faults = [
      "drop=2%", "corrupt=1%+60-62", "flagged=1%", "huffman=missing", "jitter=3ms", "rate=200",
      "stall=300ms@\(100 + random.next() % 100)", "disconnect=\(30 + random.next() % 300)",
      "flicker=100", "buffers=\(1 + random.next() % 6)",
    ].filter { _ in random.next() % 3 == 0 }
    return (["sim:\(table.path)", "seed=\(random.next() % 1000)"] + faults).joined(separator: ",")
  }
}

/// Numbers for names that are used only once.
let recorderNumber = Counter()
