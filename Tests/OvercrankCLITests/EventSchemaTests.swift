import CameraModel
import Cameras
import FilmJudge
import Foundation
import SystemPackage
import Testing
import Timebase

@testable import Capture

/// A JSON Schema, as far as `docs/events.schema.json` goes.
private struct Schema {
  let root: [String: Any]

  init(_ data: Data) throws {
    root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  /// What is wrong with `value`; empty where nothing is.
  func complaints(of value: Any) throws -> [String] {
    let event = try #require((value as? [String: Any])?["event"] as? String, "no event: \(value)")
    let kinds = try #require(root["oneOf"] as? [[String: String]])
    guard kinds.contains(["$ref": "#/$defs/\(event)"]) else { return ["\(event) is no event"] }
    return try complaints(of: value, ["$ref": "#/$defs/\(event)"], event)
  }

  private func complaints(of value: Any, _ schema: [String: Any], _ place: String) throws -> [String] {
    var found: [String] = []
    for (keyword, term) in schema {
      switch keyword {
      case "description": break
      case "$ref":
        let name = try #require((term as? String)?.split(separator: "/").last.map(String.init))
        let definitions = try #require(root["$defs"] as? [String: Any])
        found += try complaints(of: value, try #require(definitions[name] as? [String: Any]), place)
      case "const": if value as? String != term as? String { found.append("\(place) is no \(term)") }
      case "enum":
        let all = try #require(term as? [String])
        if !all.contains(value as? String ?? "") { found.append("\(place) is \(value), none of \(all)") }
      case "type":
        let types = try #require(term as? [String] ?? (term as? String).map { [$0] })
        if !types.contains(where: { Self.isOf($0, value) }) {
          found.append("\(place) is no \(types): \(value)")
        }
      case "minimum":
        if let number = value as? Int, number < (term as? Int ?? 0) { found.append("\(place) is \(number)") }
      case "minItems", "maxItems":
        if let items = value as? [Any], items.count != term as? Int { found.append("\(place) is \(items)") }
      case "items":
        let each = try #require(term as? [String: Any])
        for item in value as? [Any] ?? [] { found += try complaints(of: item, each, place) }
      case "required":
        for key in try #require(term as? [String]) where (value as? [String: Any])?[key] == nil {
          found.append("\(place) lacks \(key)")
        }
      case "properties":
        let known = try #require(term as? [String: [String: Any]])
        for (key, item) in value as? [String: Any] ?? [:] {
          guard let schema = known[key] else {
            found.append("\(place) has \(key) besides")
            continue
          }
          found += try complaints(of: item, schema, "\(place).\(key)")
        }
      case "additionalProperties": #expect(term as? Bool == false)
      default: Issue.record("\(keyword) is not understood")
      }
    }
    return found
  }

  private static func isOf(_ type: String, _ value: Any) -> Bool {
    switch type {
    case "null": value is NSNull
    case "string": value is String
    case "integer": (value as? NSNumber).map { Double($0.int64Value) == $0.doubleValue } ?? false
    case "number": value is NSNumber
    case "array": value is [Any]
    case "object": value is [String: Any]
    default: false
    }
  }
}

@Suite("docs/events.schema.json")
struct EventSchemaTests {
  private let schema: Schema

  init() throws {
    let docs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs")
    schema = try Schema(Data(contentsOf: docs.appending(path: "events.schema.json")))
  }

  private static let configuration = StreamConfiguration(
    FrameFormat(.grey, width: 8, height: 8, acceptedInterval: FrameInterval(1, 240), clock: .monotonic),
    largestFrame: 64, bufferCount: 4, controls: [:])
  private static let change = ControlChange(id: 1, name: "gain", value: 3, isRequired: true)

  /// An event of each kind, some with what is unknown as well.
  private static let events: [SessionEvent.Kind] = [
    .armed(take: 1), .triggered(TriggerEvent(.key, at: Instant(nanoseconds: 0)), .started(take: 1)),
    .triggered(TriggerEvent(.stdin, at: Instant(nanoseconds: 0), text: "door"), .refused),
    .takeStarted(take: 1, trigger: nil),
    .takeStarted(take: 2, trigger: TriggerEvent(.socket, at: Instant(nanoseconds: 0))),
    .progress(
      RecordingProgress(
        stage: .armed(take: 1, held: .seconds(1)), duration: .zero, framesWritten: 0, framesLost: 0,
        ringFill: 0.5, bytesWritten: 0)),
    .progress(
      RecordingProgress(
        duration: .seconds(1), framesWritten: 3, framesLost: 1, measuredFramesPerSecond: 239.5, ringFill: 0,
        bytesWritten: 7, limitFill: 0.5)),
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

  @Test("holds for an event of each kind")
  func kinds() throws {
    var names: Set<String> = []
    for kind in Self.events {
      let event = SessionEvent(kind, at: Instant(nanoseconds: 5))
      let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(event))
      #expect(try schema.complaints(of: json).isEmpty)
      names.insert(event.name)
    }
    let all = try #require(schema.root["$defs"] as? [String: Any]).keys
    // The first frame tells of its ring, which only a session has.
    #expect(names.union(["started", "reason"]) == Set(all))
  }

  @Test("refuses what no event is")
  func wrong() throws {
    for line in [
      #"{"event": "armed", "time_ns": 1}"#, #"{"event": "armed", "time_ns": 1, "take": 0}"#,
      #"{"event": "armed", "time_ns": "1", "take": 1}"#, #"{"event": "gone", "time_ns": 1}"#,
      #"{"event": "armed", "time_ns": 1, "take": 1, "more": 2}"#,
      #"{"event": "interrupted", "time_ns": 1, "reason": "tired", "message": null}"#,
      #"{"event": "started", "time_ns": 1, "fourcc": "GREY", "width": 8, "height": 8, "accepted_interval": [1]}"#,
    ] {
      let json = try JSONSerialization.jsonObject(with: Data(line.utf8))
      #expect(try !schema.complaints(of: json).isEmpty, "\(line)")
    }
  }

  @Test(
    "holds for every line of a recording: a driver that fails, a scene that changes, a clip", .tags(.program),
    .timeLimit(.minutes(1)))
  func recording() throws {
    let folder = try TemporaryFolder()
    let log = folder.path("events.ndjson")
    let run = try OvercrankProgram(
      [
        "record", "sim:,fail=300,scene=3s,drop=20,buffers=32", "--fps", "120", "--max-width", "640",
        "--trigger", "signal", "--frames", "20", "--reconnect", "--refocus", "--set",
        "focus_automatic_continuous=0", "--max-size", "1TB", "--preset", "ultrafast", "--scale", "160", "-o",
        folder.path("x.mp4"), "--events", log, "--takes", "2",
      ],
      whileRunning: { process in
        // Nothing is triggered before the rest has happened, however long a busy machine takes for that.
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
    for line in try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n") {
      let json = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(try schema.complaints(of: json).isEmpty, "\(line)")
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
