import CameraModel
import Cameras
import FrameJudge
import Foundation
import SystemPackage
import Takes
import Testing
import Timebase

@testable import Capture
@testable import OvercrankCLI

@Suite("docs/events.schema.json", .tags(.program), .timeLimit(.minutes(1)))
struct EventSchemaTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../docs/events.schema.json")

  private let schema = JSONSchema(file)

  private static let configuration = StreamConfiguration(
    FrameFormat(.grey, width: 8, height: 8, acceptedInterval: FrameInterval(1, 240), clock: .monotonic),
    largestFrame: 64, bufferCount: 4, controls: [:])
  private static let change = ControlChange(id: 1, name: "gain", value: 3, isRequired: true)

  private static let armed = {
    var status = SessionStatus(configuration: session)
    (status.phase, status.held) = (.armed, .seconds(1))
    status.ring = SessionStatus.RingStatus(capacity: 16, fillBytes: 8)
    return status
  }()
  private static let recording = {
    var status = SessionStatus(configuration: session)
    status.phase = .recording
    var take = SessionStatus.TakeStatus()
    (take.framesPerSecond, take.bytesWritten, take.limitFill) = (239.5, 7, 0.5)
    status.take = take
    return status
  }()
  private static let session = SessionConfiguration(
    mode: Mode(fourcc: "GREY", width: 8, height: 8, interval: FrameInterval(1, 240)))

  /// An event of each kind, some also with unknown values.
  private static let events: [SessionEvent.Kind] = [
    .armed(take: 1), .triggered(TriggerEvent(.key, at: Instant(nanoseconds: 0)), .started(take: 1)),
    .triggered(TriggerEvent(.stdin, at: Instant(nanoseconds: 0), text: "door"), .refused),
    .takeStarted(take: 1, trigger: nil),
    .takeStarted(take: 2, trigger: TriggerEvent(.socket, at: Instant(nanoseconds: 0))),
    .progress(armed), .progress(recording),
    .lost(take: 1, frames: 3), .takeEnded(take: 1, .failure(.empty)),
    .clipReady(take: 1, "/tmp/x.mp4"), .photo(StillRequest(id: 1), .willBegin, inProgress: 1),
    .photo(StillRequest(id: 1), .willCapture, inProgress: 1),
    .photo(StillRequest(id: 1), .captured(sequence: 5, nil), inProgress: 1),
    .photo(StillRequest(id: 1), .processed, inProgress: 1),
    .photo(StillRequest(id: 1), .written("/tmp/x.jpg"), inProgress: 0),
    .photo(StillRequest(id: 1), .failed("gone"), inProgress: 0),
    .controlChanged(ControlOutcome(change: change, before: nil, after: nil)), .lightChanged(factor: 1.5),
    .sceneChanged(SceneChange(sequence: 7, timestamp: Instant(nanoseconds: 5), score: 0.5)),
    .reviewing(frames: 480), .modeChanged(configuration, gap: .milliseconds(5)),
    .interrupted(.suspended, nil),
    .interrupted(.driverError, .silence(.seconds(1))), .interruptionEnded(.unplugged), .error(.outOfTriggers),
    .ended(SessionEnd(takeCount: 1)), .ended(SessionEnd(takeCount: 0, failure: .empty)),
  ]

  @Test("matches an event of each kind")
  func kinds() throws {
    let events = Self.events.map { SessionEvent($0, at: Instant(nanoseconds: 5)) }
    let lines = try events.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
    for (line, complaints) in try zip(lines, schema.complaints(of: lines)) {
      #expect(complaints.isEmpty, "\(line)")
    }
    let file = try JSONSerialization.jsonObject(with: Data(contentsOf: Self.file)) as? [String: Any]
    let all = try #require(file?["$defs"] as? [String: Any]).keys
    // The first frame's event has its ring, which only a session has.
    #expect(Set(events.map(\.name)).union(["started", "reason"]) == Set(all))
  }

  @Test("and the progress line have the counts of the status")
  func progressLine() throws {
    var status = Self.recording
    var accounting = FrameAccounting()
    accounting.enterWritten(sequence: 0, at: Instant(nanoseconds: 0))
    accounting.enterLost(sequence: 1, count: 4, at: .ring)
    status.take?.frames = Take.FrameCounts(accounting)
    let event = SessionEvent(.progress(status), at: Instant(nanoseconds: 5))
    let json = String(decoding: try JSONEncoder().encode(event), as: UTF8.self)
    #expect(json.contains("\"lost\":4") && json.contains("\"written\":1"))
    #expect(status.line() == "0.0 s  1 frame  239.50 fps  4 lost  ring 0 %  0.0 MB/s  50 % of --max-size")
  }

  @Test("rejects what is not an event")
  func wrong() throws {
    let lines = [
      #"{"event": "armed", "time_ns": 1}"#, #"{"event": "armed", "time_ns": 1, "take": 0}"#,
      #"{"event": "armed", "time_ns": "1", "take": 1}"#, #"{"event": "gone", "time_ns": 1}"#,
      #"{"event": "armed", "time_ns": 1, "take": 1, "more": 2}"#,
      #"{"event": "interrupted", "time_ns": 1, "reason": "tired", "message": null}"#,
      #"{"event": "started", "time_ns": 1, "fourcc": "GREY", "width": 8, "height": 8, "accepted_interval": [1]}"#,
    ]
    for (line, complaints) in try zip(lines, schema.complaints(of: lines)) {
      #expect(!complaints.isEmpty, "\(line)")
    }
  }

  @Test("matches every line of a recording with a failing driver, a changing scene and a clip")
  func recording() throws {
    let folder = try TemporaryFolder()
    let log = folder.path("events.ndjson")
    let run = try OvercrankProgram(
      [
        "record", SmallCamera.inVirtualTime("fail=300,scene=3s,drop=20"), "--fps", "120",
        "--trigger", "signal", "--frames", "20", "--reconnect", "--refocus", "--set",
        "focus_automatic_continuous=0", "--max-size", "1TB", "--preset", "ultrafast", "--scale", "160", "-o",
        folder.path("x.mp4"), "--events", log, "--takes", "2",
      ],
      whileRunning: { process in
        // Nothing triggers before the rest has happened, however long a busy machine needs for it.
        func wait(for events: String...) {
          while process.isRunning {
            let told = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            if events.allSatisfy({ told.contains("\"\($0)\"") }) { return }
            usleep(20_000)
          }
        }
        wait(for: "interruption_ended", "auto_focus_start")
        kill(process.processIdentifier, SIGUSR1)
        wait(for: "take_ended")
        kill(process.processIdentifier, SIGUSR1)
      })
    #expect(run.status == 0, "\(run.errors)")
    var names: [String] = []
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
    for (line, complaints) in try zip(lines, schema.complaints(of: lines)) {
      #expect(complaints.isEmpty, "\(line)")
      let json = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      names.append(json["event"] as? String ?? "")
      guard names.last == "control_changed", json["name"] as? String == "auto_focus_start" else { continue }
      #expect(names.contains("scene_changed"))
      names.append("focused")
    }
    for name in [
      "started", "armed", "scene_changed", "focused", "triggered", "take_started", "progress", "take_ended",
      "interrupted", "interruption_ended", "clip_ready", "ended",
    ] { #expect(names.contains(name), "\(name) is not in \(names)") }
  }
}
