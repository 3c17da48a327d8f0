import FrameJudge
import Foundation
import SystemPackage
import Takes
import Testing
import Timebase

@testable import StudioServer

@Suite("The studio's API for groups", .tags(.program), .timeLimit(.minutes(1)), .serialized)
struct GroupRouteTests {
  private struct Group: Decodable {
    struct Camera: Decodable {
      var name: String
      var take: String?
      var file: String
      var offset_ns: Int
      var uncertainty_ns: Int?
      var by: [String]
    }
    struct Clip: Decodable {
      struct Spec: Decodable {
        struct Part: Decodable { var start_ns: Int, end_ns: Int? }
        struct Render: Decodable { var layout: String? }
        var part: Part
        var render: Render
      }
      var file: String
      var speed: String?
      var duration_ns: Int?
      var spec: Spec?
    }
    var id: String
    var name: String
    var label: String?
    var cameras: [Camera]
    var clips: [Clip]
    var problems: [String]
  }

  private struct Frames: Decodable {
    struct Camera: Decodable {
      var name: String
      var sequence: [Int]
      var time_ns: [Int]
    }
    var start_ns: Int?
    var end_ns: Int?
    var cameras: [Camera]
  }

  private struct ID: Decodable { var id: String }

  private struct Zip: Decodable { var files: [String] }

  private struct Removed: Decodable {
    struct Origin: Decodable { var id: String, name: String, camera: String }
    var group: Origin
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Records two takes of 60 frames at 120 fps. The frames of B lie 101 ms after those of A.
  private func record() async throws {
    for name in ["jump-A", "jump-B"] {
      try await SimulatedTake.record(to: FilePath(folder.path("\(name).mp4")), frames: 60)
    }
    try TakeGroup(
      overcrank: "1.0.0",
      cameras: [
        .init(name: "A", take: "jump-A.take.json", methods: [.stamps]),
        .init(
          name: "B", take: "jump-B.take.json", offset: .milliseconds(101), uncertainty: .microseconds(30),
          methods: [.stamps]),
      ]
    ).write(to: FilePath(folder.path("jump.group.json")), replacing: false)
  }

  private func serve(_ body: @escaping @Sendable (TestServer) throws -> Void) async throws {
    try await RouteTests().run(folder: FilePath(folder.url.path)) { test, _ in try body(test) }
  }

  private static func get<Value: Decodable>(_ path: String, _ test: TestServer) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(test.answer(test.request("GET \(path)")).body))
  }

  @Test("A clip of a group shows, between two frames of camera A, what each camera saw then")
  func clip() async throws {
    try await record()
    let masters = try ["A", "B"].map { try StripVideo(folder.path("jump-\($0).master.mov")).numbers }
    let clip = folder.path("jump-slow.mp4")
    try await serve { test in
      func groups() throws -> [Group] { try Self.get("/api/groups", test) }
      let group = try #require(try groups().first)
      #expect(try groups().count == 1 && group.name == "jump" && group.problems.isEmpty)
      #expect(group.cameras.map(\.name) == ["A", "B"] && group.cameras.map(\.offset_ns) == [0, 101_000_000])
      #expect(group.cameras[1].uncertainty_ns == 30_000 && group.cameras[1].by == ["stamps"])
      struct Take: Decodable {
        var id: String
        var name: String
      }
      let takes: [Take] = try Self.get("/api/takes", test)
      #expect(Set(takes.map(\.name)) == ["jump-A", "jump-B"])
      #expect(Set(group.cameras.compactMap(\.take)) == Set(takes.map(\.id)))

      let base = "/api/groups/\(group.id)"
      let frames: Frames = try Self.get("\(base)/frames", test)
      #expect(
        frames.cameras.map(\.time_ns.count) == [60, 60] && frames.cameras.map(\.sequence.count) == [60, 60])
      #expect(frames.start_ns == 101_000_000 && frames.cameras[1].time_ns.first == 101_000_000)
      #expect(try abs(#require(frames.end_ns) - 500_000_000) < 1000)

      // Of camera A, frames 12 to 59 lie in the common time.
      for body in [
        "{}", #"{"layout": "round"}"#, #"{"layout": "side", "first": 11}"#,
        #"{"layout": "side", "last": 60}"#,
        #"{"layout": "side", "first": 20, "last": 19}"#, #"{"layout": "side", "for": "phone"}"#,
        #"{"layout": "side", "speed": "0s:1, 9s:1/8"}"#, #"{"layout": "side", "first": -1}"#,
      ] {
        #expect(try test.answer(test.request("POST \(base)/clips", body: body)).status == 400, "\(body)")
      }
      let skipping = try test.answer(
        test.request("POST \(base)/clips", body: #"{"layout": "side", "fill": "skip"}"#))
      #expect(skipping.status == 422, "\(skipping.text)")
      let lone = try test.answer(
        test.request("POST /api/takes/\(takes[0].id)/clips", body: #"{"layout": "side"}"#))
      #expect(lone.status == 400, "\(lone.text)")

      let made = try test.answer(
        test.request("POST \(base)/clips", body: #"{"layout": "side", "first": 20, "last": 39}"#))
      #expect(made.status == 202, "\(made.text)")
      // The file gets its name before the group's file lists it.
      #expect(test.until { (try? groups().first?.clips.first?.spec) != nil })
      let told = try #require(try groups().first?.clips.first)
      #expect(told.file == "jump-slow.mp4" && told.speed == "1/4" && told.spec?.render.layout == "side")
      let times = frames.cameras[0].time_ns
      #expect(told.spec?.part.start_ns == times[20] - 101_000_000)
      #expect(told.spec?.part.end_ns == times[40] - 101_000_000)
      #expect(try abs(#require(told.duration_ns) - 666_666_667) < 10)
      let part = try test.answer(test.request("GET \(base)/clips/0.mp4", ["Range: bytes=4-7"]))
      #expect(part.status == 206 && part.text == "ftyp")
      let cells = try ["320:180:0:0", "320:180:320:0"].map { try StripVideo(clip, part: $0).numbers }
      #expect(cells == [Array(masters[0][20...39]), Array(masters[1][8...27])])

      #expect(try test.answer(test.request("DELETE \(base)/clips/1")).status == 404)
      #expect(try test.answer(test.request("DELETE \(base)/clips/0")).status == 200)
      #expect(try groups().first?.clips.isEmpty == true && !FileManager.default.fileExists(atPath: clip))
      #expect(try test.answer(test.request("DELETE \(base)/clips")).status == 409)
      // Without its take, the group no longer names the camera.
      let id = try #require(group.cameras[1].take)
      #expect(try test.answer(test.request("DELETE /api/takes/\(id)")).status == 204)
      #expect(try groups().first?.cameras.map(\.name) == ["A"])
    }
  }

  @Test("A group is labelled, downloaded, moved to the trash, restored and deleted as one")
  func item() async throws {
    try await record()
    try Data("clip".utf8).write(to: folder.url.appending(path: "jump-slow.mp4"))
    let names = try folder.names
    try await serve { test in
      func group() throws -> Group? { try (Self.get("/api/groups", test) as [Group]).first }
      let id = try #require(try group()).id
      for label in [#""over the wall""#, #""two\nlines""#] {
        let answer = try test.answer(test.request("PATCH /api/groups/\(id)", body: "{\"label\": \(label)}"))
        #expect(answer.status == (label.contains("wall") ? 200 : 400), "\(answer.text)")
      }
      #expect(try group()?.label == "over the wall")
      let takes: [ID] = try Self.get("/api/takes", test)
      let all = takes.map { "\"\($0.id)\"" }
      let own = ["\"\(id)\""]
      let cases: [(ids: [String], masters: Bool, files: Set<String>?)] = [
        (own, true, Set(names)), (all, true, Set(names)), (own, false, ["jump-slow.mp4"]),
        ([all[0]], true, nil),
      ]
      for (ids, masters, expected) in cases {
        let answer = try test.answer(
          test.request(
            "POST /api/zips", body: "{\"ids\": [\(ids.joined(separator: ","))], \"with_masters\": \(masters)}"
          ))
        #expect(answer.status == 200, "\(answer.text)")
        let files = try JSONDecoder().decode(Zip.self, from: Data(answer.body)).files
        if let expected {
          #expect(files.count == expected.count && Set(files) == expected, "\(files)")
        } else {
          #expect(files.count == 2, "\(files)")
        }
      }
      let moved = try test.answer(test.request("POST /api/groups/\(id)/trash"))
      #expect(moved.status == 200, "\(moved.text)")
      #expect(try group() == nil && (Self.get("/api/takes", test) as [ID]).isEmpty)
      #expect(try test.answer(test.request("GET /api/groups/\(id)")).status == 404)
      let there = try JSONDecoder().decode(ID.self, from: Data(moved.body)).id
      let removed: [Removed] = try Self.get("/api/trash", test)
      #expect(removed.map(\.group.camera).sorted() == ["A", "B"])
      #expect(Set(removed.map(\.group.id)).count == 1 && removed.allSatisfy { $0.group.name == "jump" })
      #expect(try test.answer(test.request("POST /api/trash/\(there)/restore")).status == 200)
      let restored = try #require(try group())
      #expect(
        restored.cameras.allSatisfy { $0.take != nil } && restored.clips.map(\.file) == ["jump-slow.mp4"])
      #expect(try test.answer(test.request("DELETE /api/groups/\(restored.id)")).status == 204)
      #expect(try group() == nil && (Self.get("/api/takes", test) as [ID]).isEmpty)
    }
    #expect(try folder.names.filter { $0 != ".trash" }.isEmpty)
  }

  @Test("A damaged group file, a missing take and links out of the folder are reported, and not followed")
  func damaged() async throws {
    try await record()
    let outside = try TemporaryFolder()
    let take = folder.path("jump-B.take.json")

    try Data("{\"cameras\": []}".utf8).write(to: folder.url.appending(path: "bad.group.json"))
    try FileManager.default.copyItem(
      atPath: folder.path("jump.group.json"), toPath: outside.path("far.group.json"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("far.group.json"), withDestinationPath: outside.path("far.group.json"))
    try FileManager.default.moveItem(atPath: take, toPath: outside.path("jump-B.take.json"))
    try await serve { test in
      func refused(_ group: Group) throws {
        #expect(group.name == "jump" && group.cameras.map { $0.take == nil } == [false, true])
        #expect(group.problems.count == 1 && group.problems[0].hasPrefix("Camera B: "), "\(group.problems)")
        let base = "/api/groups/\(group.id)"
        for request in [
          test.request("GET \(base)/frames"),
          test.request("POST \(base)/clips", body: #"{"layout": "side"}"#),
        ] {
          let answer = try test.answer(request)
          #expect(answer.status == 404 && answer.text.contains("jump-B.take.json"), "\(answer.text)")
          #expect(!answer.text.contains(outside.url.path), "\(answer.text)")
        }
      }
      let missing: [Group] = try Self.get("/api/groups", test)
      #expect(missing.count == 1)
      try refused(#require(missing.first))
      try FileManager.default.createSymbolicLink(
        atPath: take, withDestinationPath: outside.path("jump-B.take.json"))
      let linked: [Group] = try Self.get("/api/groups", test)
      try refused(#require(linked.first))
      struct Item: Decodable {
        var id: String
        var name: String
        var kind: String
      }
      let items: [Item] = try Self.get("/api/takes", test)
      let bad = try #require(items.first { $0.name == "bad" })
      #expect(bad.kind == "damaged")
      #expect(try test.answer(test.request("GET /api/groups/\(bad.id)")).status == 422)
      #expect(try test.answer(test.request("GET /api/groups/\(items[0].id)/frames")).status != 200)
      #expect(try test.answer(test.request("GET /api/groups/nothing")).status == 404)
    }
  }
}
