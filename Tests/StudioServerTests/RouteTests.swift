import FrameJudge
import Foundation
import Overcrank
import Platform
import SystemPackage
import Takes
import Testing
import Timebase

@testable import StudioServer

@Suite("The studio's API", .tags(.program), .timeLimit(.minutes(1)), .serialized) struct RouteTests {
  private static func parts(_ studio: FakeStudio, _ folder: FilePath = "/nonexistent") -> StudioHost.Parts {
    StudioHost.Parts(
      studio: studio, hub: studio.hub, library: TakeLibrary(folder), ids: TakeIDs(),
      clips: ClipQueue(changed: {}, finished: { _ in }), libraryChanged: {})
  }

  /// Serves a studio that notes its calls.
  func run(
    _ limits: ServerLimits = .patient, folder: FilePath = "/nonexistent",
    _ body: @escaping @Sendable (TestServer, FakeStudio) throws -> Void
  ) async throws {
    let studio = FakeStudio()
    let parts = Self.parts(studio, folder)
    let clips = Task { await parts.clips.run() }
    try await TestServer.run(limits, usual: []) { work in
      StudioHost.routes(parts, StudioHost.catalog(parts, work), limits)
    } _: { test in
      try body(test, studio)
    }
    clips.cancel()
    await clips.value
    #expect(studio.hub.readerCount == 0)
  }

  @Test("Commands reach the studio and return its state; a refusal is reported")
  func commands() async throws {
    try await run { test, studio in
      for path in ["trigger", "record", "resume", "arm", "motion-photo"] {
        let answer = try test.answer(test.request("POST /api/\(path)"))
        #expect(answer.status == 200 && answer.text.contains(#""phase":"armed""#))
      }
      #expect(studio.calls.withLock { $0 } == ["trigger", "record", "resume", "arm", "motionPhoto"])
      let stop = try test.answer(test.request("POST /api/stop"))
      #expect(stop.status == 409 && stop.code == "not_now" && stop.text.contains("Record first."))
      let photo = try test.answer(test.request("POST /api/photo"))
      #expect(photo.status == 422 && photo.code == "refused")
      #expect(try test.answer(test.request("POST /api/photo", body: #"{"light": true}"#)).status == 422)
      #expect(try test.answer(test.request("POST /api/photo", body: #"{"light": 1}"#)).status == 400)
      #expect(try test.answer(test.request("POST /api/trigger", body: #"{"x":1}"#)).status == 400)
      #expect(try test.answer(test.request("POST /api/trigger", body: "{}")).status == 200)
    }
  }

  @Test("Each setting that a page sends back is applied")
  func everySetting() throws {
    let settings = try StudioSettings.unusual()
    let (sent, usual) = (try JSONEncoder().encode(settings), try JSONEncoder().encode(StudioSettings()))
    func values(_ json: Data) throws -> [String: NSObject] {
      try #require(try JSONSerialization.jsonObject(with: json) as? [String: NSObject])
    }
    let (these, those) = (try values(sent), try values(usual))
    #expect(these.filter { those[$0.key] == $0.value }.isEmpty, "each value must differ from the usual one")
    var applied = StudioSettings()
    applied.apply(try JSONDecoder().decode(SettingsChange.self, from: sent))
    #expect(applied == settings)
  }

  @Test("Settings change only if they are given; null, absent and wrong ones are distinguished")
  func settings() async throws {
    try await run { test, studio in
      func put(_ body: String) throws -> Int {
        try test.answer(test.request("PUT /api/settings", body: body)).status
      }
      #expect(
        try put(
          #"{"pre_ns": 1000000000, "microphone": null, "speed": "0s:1, 1s:1/8", "rotate": 90, "#
            + #""motion": {"threshold": 30, "area": 0.05, "region": "64x36+0+0", "triggers": false}, "label": ""}"#
        ) == 200)
      let call = try #require(studio.calls.withLock { $0.last })
      #expect(call.contains("preRoll: Optional(1.0 seconds)") && call.contains("postRoll: nil"))
      #expect(call.contains("microphone: Optional(nil)") && call.contains("rotate: Optional(90)"))
      for body in [
        #"{"pre_ns": -1}"#, #"{"pre_ns": "1s"}"#, #"{"rotate": 45}"#, #"{"after_trigger": "never"}"#,
        #"{"speed": "fast"}"#, #"{"motion": {"area": 7}}"#, #"{"motion": {"threshold": 999}}"#,
        #"{"motion": {"region": "x"}}"#, #"{"motion": {"other": 1}}"#, #"{"unknown": 1}"#, "[1]", "x",
      ] {
        #expect(try put(body) == 400, "\(body)")
      }
      #expect(studio.calls.withLock { $0.count } == 1)
    }
  }

  @Test("A camera, a mode and a control are chosen by their identity")
  func camera() async throws {
    try await run { test, studio in
      func put(_ path: String, _ body: String) throws -> RawAnswer {
        try test.answer(test.request("PUT \(path)", body: body))
      }
      #expect(try put("/api/camera", #"{"id": "sim:", "fps": 240}"#).status == 200)
      #expect(
        try put(
          "/api/camera", #"{"mode": {"fourcc": "MJPG", "width": 640, "height": 480, "interval": [1, 240]}}"#
        ).status == 200)
      #expect(studio.calls.withLock { $0.first } == "camera sim: rate(240.0)")
      for body in [
        #"{"fps": 0}"#, #"{"fps": 1e300}"#, #"{"mode": {}}"#, #"{"fps": 1, "mode": {"fourcc": "M"}}"#,
        #"{"mode": {"fourcc": "MJPG", "width": 640, "height": 480, "interval": [1, 0]}}"#,
      ] {
        #expect(try put("/api/camera", body).status == 400, "\(body)")
      }
      let modes = try test.answer(test.request("GET /api/camera/modes")).text
      #expect(modes.contains(#""text":"640x480 MJPG at 240 fps""#), "\(modes)")
      let control = try put("/api/controls/exposure_time_absolute", #"{"value": 20, "rate": 50}"#).text
      #expect(control.contains(#""frame_limit":41"#) && control.contains(#""value":20"#), "\(control)")
      #expect(try put("/api/controls/no_such", #"{"value": 20}"#).status == 404)
      #expect(try put("/api/controls/exposure_time_absolute", #"{"value": 20, "rate": -1}"#).status == 400)
      let cameras = try test.answer(test.request("GET /api/cameras")).text
      #expect(
        cameras.hasSuffix(#""name":"Simulated camera","orientation":null,"problem":null}]"#), "\(cameras)")
    }
  }

  @Test("The live picture states its frame, and is available as a stream")
  func preview() async throws {
    try await run { test, _ in
      let picture = try test.answer(test.request("GET /api/preview.jpg?after=8&width=32"))
      #expect(picture.body == [0xff, 0xd8, 32] && picture.field("content-type") == "image/jpeg")
      #expect(picture.field("overcrank-sequence") == "9" && picture.field("overcrank-newest") == "99")
      #expect(picture.field("overcrank-timestamp") == "7")
      let none = try test.answer(test.request("GET /api/preview.jpg?after=50"))
      #expect(none.status == 204 && none.field("content-length") == nil)
      for query in ["after=-1", "after=x", "width=15", "width=1921", "after=4294967296"] {
        #expect(try test.answer(test.request("GET /api/preview.jpg?\(query)")).status == 400, "\(query)")
      }
      let stream = try test.connect()
      stream.send(test.request("GET /api/preview.mjpeg"))
      #expect(try stream.receiveHead().contains("multipart/x-mixed-replace; boundary=frame"))
      for number in 1...3 {
        let part = String(decoding: try #require(try stream.receiveChunk()), as: UTF8.self)
        #expect(part.hasPrefix("--frame\r\n") && part.contains("Overcrank-Sequence: \(number)\r\n"))
      }
    }
  }

  @Test("Events begin with the state, continue with its changes, and send each notice once")
  func events() async throws {
    try await run { test, studio in
      studio.hub.publish(FakeStudio.state(library: 1))
      let reader = try test.connect()
      reader.send(test.request("GET /api/events"))
      let head = try reader.receiveHead()
      #expect(head.contains("Content-Type: text/event-stream"))
      func next() throws -> String {
        String(decoding: try #require(try reader.receiveChunk()), as: UTF8.self)
      }
      let first = try next()
      #expect(
        first.hasPrefix("event: state\ndata: {") && first.contains(#""library":1"#)
          && first.hasSuffix("}\n\n"))
      studio.hub.publish(StudioNotice(kind: .takeSaved, message: "Saved.", id: "a", file: nil))
      #expect(
        try next() == "event: notice\ndata: {\"id\":\"a\",\"kind\":\"take_saved\",\"message\":\"Saved.\"}\n\n"
      )
      for number in 2...500 { studio.hub.publish(FakeStudio.state(library: number)) }
      // Some in between may be sent, and the newest is.
      var last = try next()
      while !last.contains(#""library":500"#) { last = try next() }
    }
  }

  @Test(
    "A reader of events that has left, or stalls, is detected by a heartbeat, and the others are not affected"
  )
  func goneReaders() async throws {
    var limits = ServerLimits.patient
    limits.heartbeat = .milliseconds(20)
    try await run(limits) { test, studio in
      do {
        let gone = try (0..<5).map { _ in try test.connect() }
        for client in gone {
          client.send(test.request("GET /api/events"))
          _ = try client.receiveHead()
          #expect(try client.receiveChunk() == Array(":\n\n".utf8))
        }
        // Otherwise a connection might be closed after its last use.
        withExtendedLifetime(gone) { #expect(studio.hub.readerCount == 5) }
      }
      #expect(test.until { studio.hub.readerCount == 0 })
      #expect(try test.answer(test.request("GET /api/state")).status == 200)
    }
  }

  @Test("A review's frames are listed and shown, and a part of them is saved")
  func review() async throws {
    try await run { (test, studio) throws in
      #expect(
        try test.answer(test.request("GET /api/review/frames")).text
          == #"{"sequence":[4,5],"time_ns":[-5,0]}"#)
      #expect(try test.answer(test.request("GET /api/review/frames/1.jpg")).body == [1])
      #expect(try test.answer(test.request("GET /api/review/frames/2.jpg")).status == 404)
      #expect(try test.answer(test.request("GET /api/review/frames/99999999999999999999.jpg")).status == 404)
      #expect(try test.answer(test.request("GET /api/review/frames/-1.jpg")).status == 404)
      let body = #"{"first": 12, "last": 340, "speed": "1/8", "label": null}"#
      #expect(try test.answer(test.request("POST /api/review/save", body: body)).status == 200)
      #expect(studio.calls.withLock { $0 } == ["save 12 340 1/8 nil"])
      #expect(try test.answer(test.request("POST /api/review/save", body: #"{"first": 1}"#)).status == 400)
      let cropped = #"{"first": 0, "last": 9, "crop": "1:1", "format": "gif"}"#
      #expect(try test.answer(test.request("POST /api/review/save", body: cropped)).status == 200)
      #expect(studio.calls.withLock { $0.last } == "save 0 9 nil nil 1:1")
      for wrong in [#""crop": "round""#, #""layout": "side""#] {
        let answer = try test.answer(
          test.request("POST /api/review/save", body: #"{"first": 0, "last": 9, \#(wrong)}"#))
        #expect(answer.status == 400, "\(answer.text)")
      }
    }
  }

  @Test("Takes are listed, shown, labelled, rendered and removed, by ids that are not file names")
  func takes() async throws {
    let folder = FilePath(FileManager.default.temporaryDirectory.path).appending(
      "studio-\(Token().text.prefix(8))")
    try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder.string) }
    try await SimulatedTake.record(to: folder.appending("drop.mp4"), frames: 24)
    try await run(folder: folder) { test, _ in
      struct Listed: Decodable {
        struct Clip: Decodable {
          var file: String
          var is_there: Bool
        }
        var id: String
        var name: String
        var label: String?
        var written: Int?
        var has_master: Bool
        var clips: [Clip]
        var kind: String
      }
      func list() throws -> [Listed] {
        try JSONDecoder().decode([Listed].self, from: Data(test.answer(test.request("GET /api/takes")).body))
      }
      let take = try #require(try list().first)
      #expect(
        take.name == "drop" && take.written == 24 && take.has_master && take.kind == "take"
          && take.clips.isEmpty)
      #expect(!take.id.contains("drop") && take.id.utf8.allSatisfy { $0 != UInt8(ascii: "/") })
      let base = "/api/takes/\(take.id)"
      for path in ["\(base)/thumbnail.jpg", "\(base)/frames/23.jpg?width=64"] {
        let picture = try test.answer(test.request("GET \(path)"))
        #expect(
          picture.status == 200 && picture.body.starts(with: [0xff, 0xd8]),
          "\(path): \(picture.text.prefix(99))")
      }
      #expect(try test.answer(test.request("GET \(base)/frames/24.jpg")).status == 404)
      #expect(try test.answer(test.request("GET \(base)/clips/0.mp4")).status == 404)
      #expect(
        try test.answer(test.request("PATCH \(base)", body: #"{"label": "a drop"}"#)).text.contains("a drop"))
      #expect(try test.answer(test.request("PATCH \(base)", body: #"{"label": "two\nlines"}"#)).status == 400)
      #expect(try test.answer(test.request("PATCH \(base)", body: "{}")).status == 400)
      #expect(try list()[0].label == "a drop")
      let made = try test.answer(
        test.request("POST \(base)/clips", body: #"{"speed": "1/8", "first": 4, "last": 11}"#))
      #expect(made.status == 202, "\(made.text)")
      #expect(test.until { (try? list().first?.clips.first?.is_there) ?? false })
      let clip = try test.answer(test.request("GET \(base)/clips/0.mp4", ["Range: bytes=4-7"]))
      #expect(clip.status == 206 && clip.text == "ftyp" && clip.field("content-type") == "video/mp4")
      // With its description, it can be made again.
      #expect(try test.answer(test.request("GET \(base)")).text.contains(#""spec":{"part":{"end_ns":"#))
      let saved = try test.answer(test.request("GET \(base)/clips/0.mp4?download=1"))
      #expect(saved.field("content-disposition") == "attachment; filename=\"drop-slow.mp4\"")
      // A clip of a week, and one that waits for it.
      for speed in ["0s:freeze 604800s,0s:1", "1"] {
        let asked = try test.answer(test.request("POST \(base)/clips", body: "{\"speed\": \"\(speed)\"}"))
        #expect(asked.status == 202, "\(asked.text)")
      }
      #expect(try test.answer(test.request("DELETE \(base)/clips")).status == 200)
      #expect(test.until { (try? test.answer(test.request("DELETE \(base)/clips")).status) == 409 })
      #expect(try list()[0].clips.count == 1)
      let master = try test.answer(test.request("GET \(base)/master"))
      #expect(master.field("content-disposition") == "attachment; filename=\"drop.master.mov\"")
      for body in [
        #"{"first": 5, "last": 4}"#, #"{"first": -1}"#, #"{"last": 24}"#, #"{"speed": "0"}"#,
        #"{"last": 11, "speed": "0s:1, 9s:1/8"}"#, #"{"for": "cinema"}"#,
        #"{"for": "edit", "format": "gif"}"#,
      ] {
        #expect(try test.answer(test.request("POST \(base)/clips", body: body)).status == 400, "\(body)")
      }
      #expect(
        try test.answer(test.request("POST \(base)/stills", body: #"{"frame": 3}"#)).text
          == #"{"file":"drop-frame-3.jpg"}"#)
      #expect(
        try test.answer(test.request("POST \(base)/stills", body: #"{"frame": 3}"#)).text
          == #"{"file":"drop-frame-3-2.jpg"}"#)
      #expect(
        try test.answer(test.request("POST \(base)/stills", body: #"{"frame": 1, "at_ns": 1}"#)).status == 400
      )
      #expect(
        try test.answer(test.request("POST \(base)/motion-photos", body: #"{"frame": 9}"#)).text
          == #"{"file":"drop-frame-9.MP.jpg"}"#)
      #expect(try test.answer(test.request("DELETE \(base)")).status == 204)
      #expect(try list().map(\.kind) == ["photo", "photo", "photo"])
      let photo = try #require(try list().first)
      let photos = "/api/takes/\(photo.id)/photos"
      #expect(try test.answer(test.request("GET \(photos)/0")).field("content-type") == "image/jpeg")
      #expect(try test.answer(test.request("GET \(photos)/1")).status == 404)
      for method in ["GET \(base)", "DELETE \(base)", "GET \(base)/master", "GET /api/takes/drop"] {
        #expect(try test.answer(test.request(method)).status == 404)
      }
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.string).sorted()
      #expect(left == ["drop-frame-3-2.jpg", "drop-frame-3.jpg", "drop-frame-9.MP.jpg"])
    }
  }

  private struct Item: Decodable {
    struct Photo: Decodable {
      var file: String
      var type: String
      var is_motion: Bool
    }
    var id: String
    var name: String
    var kind: String
    var bytes: Int
    var problems: [String]
    var photo: Photo?
  }

  private func list(_ test: TestServer) throws -> [Item] {
    try JSONDecoder().decode([Item].self, from: Data(test.answer(test.request("GET /api/takes")).body))
  }

  @Test("Photos from Overcrank are listed, shown, downloaded and removed; other pictures are not listed")
  func photos() async throws {
    let folder = try TemporaryFolder()
    try await SimulatedTake.record(to: FilePath(folder.path("drop.mp4")), frames: 24)
    try await run(folder: FilePath(folder.url.path)) { test, _ in
      let take = try #require(try list(test).first)
      #expect(take.kind == "take" && take.photo == nil)
      for path in ["stills", "motion-photos"] {
        #expect(
          try test.answer(test.request("POST /api/takes/\(take.id)/\(path)", body: #"{"frame": 9}"#)).status
            == 200)
      }
      // Another program's picture, and a link.
      try Data(contentsOf: folder.url.appending(path: "drop-frame-9.jpg")).dropFirst(2000)
        .write(to: folder.url.appending(path: "holiday.jpg"))
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("link.jpg"), withDestinationPath: folder.path("drop-frame-9.jpg"))
      let photos = try list(test).filter { $0.kind == "photo" }
      #expect(
        Set(photos.compactMap(\.photo?.file)) == ["drop-frame-9.jpg", "drop-frame-9.MP.jpg"])
      #expect(photos.allSatisfy { $0.name == "drop-frame-9" && $0.photo?.type == "image/jpeg" })
      for photo in photos {
        let file = try #require(photo.photo)
        #expect(file.is_motion == file.file.hasSuffix(".MP.jpg"))
        let base = "/api/takes/\(photo.id)"
        let small = try test.answer(test.request("GET \(base)/thumbnail.jpg"))
        #expect(small.status == 200 && small.body.starts(with: [0xff, 0xd8]))
        let whole = try test.answer(test.request("GET \(base)/photo?download=1"))
        #expect(Data(whole.body) == (try Data(contentsOf: folder.url.appending(path: file.file))))
        #expect(whole.field("content-disposition") == "attachment; filename=\"\(file.file)\"")
        #expect(try test.answer(test.request("GET \(base)")).text.contains(file.file))
        for path in ["GET \(base)/master", "GET \(base)/clips/0.mp4", "GET \(base)/frames/0.jpg"] {
          #expect(try test.answer(test.request(path)).status == 404)
        }
        let labelled = try test.answer(test.request("PATCH \(base)", body: #"{"label": "x"}"#))
        #expect(labelled.status == 200 && labelled.text.contains(#""label":"x""#), "\(labelled.text)")
        #expect(try test.answer(test.request("DELETE \(base)")).status == 204)
      }
      #expect(try test.answer(test.request("GET /api/takes/\(take.id)/photo")).status == 404)
      #expect(try list(test).map(\.kind) == ["take"])
      let left = try folder.names.filter { $0.hasSuffix(".jpg") }
      #expect(left == ["holiday.jpg", "link.jpg"])
    }
  }

  @Test("A take in use by another program is not removed, and the program is named")
  func takeInUse() async throws {
    let folder = try TemporaryFolder()
    try await SimulatedTake.record(to: FilePath(folder.path("drop.mp4")), frames: 8)
    let names = try folder.names
    try await run(folder: FilePath(folder.url.path)) { test, _ in
      let id = try #require(try list(test).first).id
      let lock = try FileLock([FilePath(folder.path("drop.master.mov"))], for: .reading)
      let refused = try test.answer(test.request("DELETE /api/takes/\(id)"))
      #expect(refused.status == 409 && refused.code == "not_now", "\(refused.text)")
      let process = ProcessInfo.processInfo.processIdentifier
      #expect(refused.text.contains("drop.master.mov: is in use"), "\(refused.text)")
      #expect(refused.text.contains("(process \(process))") && !refused.text.contains(folder.url.path))
      #expect(try folder.names == names)
      lock.release()
      #expect(try test.answer(test.request("DELETE /api/takes/\(id)")).status == 204)
      #expect(try folder.names.isEmpty)
    }
  }

  @Test("A removed take can be restored, and a clip is deleted alone")
  func trash() async throws {
    let folder = try TemporaryFolder()
    try await SimulatedTake.record(to: FilePath(folder.path("drop.mp4")), frames: 24)
    let names = try folder.names
    try await run(folder: FilePath(folder.url.path)) { test, _ in
      func items(_ path: String) throws -> [Item] {
        try JSONDecoder().decode([Item].self, from: Data(test.answer(test.request("GET \(path)")).body))
      }
      func id(_ answer: RawAnswer) throws -> String {
        struct Body: Decodable { var id: String }
        #expect(answer.status == 200, "\(answer.text)")
        return try JSONDecoder().decode(Body.self, from: Data(answer.body)).id
      }
      let take = try #require(try items("/api/takes").first).id
      let removed = try id(test.answer(test.request("POST /api/takes/\(take)/trash")))
      #expect(try items("/api/takes").isEmpty && items("/api/trash").map(\.id) == [removed])
      #expect(try test.answer(test.request("GET /api/takes/\(take)")).status == 404)
      // Its id in the trash is not that of a take.
      for request in ["GET", "DELETE"].map({ "\($0) /api/takes/\(removed)" })
        + ["frames", "master", "thumbnail.jpg"].map({ "GET /api/takes/\(removed)/\($0)" })
        + ["trash", "stills", "motion-photos"].map({ "POST /api/takes/\(removed)/\($0)" })
      {
        let body = request.hasPrefix("POST") ? "{}" : ""
        #expect(try test.answer(test.request(request, body: body)).status == 404, "\(request)")
      }
      let label = try test.answer(test.request("PATCH /api/takes/\(removed)", body: #"{"label":"x"}"#))
      #expect(label.status == 404)
      #expect(try test.answer(test.request("POST /api/trash/\(take)/restore")).status == 404)
      let restored = try id(test.answer(test.request("POST /api/trash/\(removed)/restore")))
      #expect(try items("/api/takes").map(\.id) == [restored] && items("/api/trash").isEmpty)
      #expect(try folder.names == names)
      struct Frames: Decodable { var sequence: [Int64], time_ns: [Int64] }
      let frames = try JSONDecoder().decode(
        Frames.self, from: Data(test.answer(test.request("GET /api/takes/\(restored)/frames")).body))
      #expect(frames.sequence == Array(0..<24) && frames.time_ns.first == 0 && frames.time_ns.count == 24)
      #expect(zip(frames.time_ns, frames.time_ns.dropFirst()).allSatisfy { $0 < $1 })
      #expect(try test.answer(test.request("DELETE /api/takes/\(restored)/clips/0")).status == 404)
      _ = try id(test.answer(test.request("POST /api/takes/\(restored)/trash")))
      #expect(try test.answer(test.request("DELETE /api/trash")).status == 204)
      #expect(try items("/api/trash").isEmpty && folder.names.isEmpty)
    }
  }

  @Test("The address for other machines is told only if they can reach the studio")
  func address() async throws {
    try await run { test, _ in
      let answer = try test.answer(test.request("GET /api/address")).text
      #expect(answer == #"{"address":null,"code":null}"#)
    }
    let (parts, url) = (Self.parts(FakeStudio()), "http://192.168.1.20:24024/#0")
    try await TestServer.run(.patient, usual: []) { work in
      StudioHost.routes(parts, StudioHost.catalog(parts, work), .patient, address: url)
    } _: { test in
      let answer = try test.answer(test.request("GET /api/address")).text
      #expect(answer.hasPrefix(#"{"address":"http://192.168.1.20:24024/#0","code":["1111111"#), "\(answer)")
    }
  }

  @Test("A take may be begun with a length")
  func recordForLength() async throws {
    try await run { test, studio in
      let begun = try test.answer(test.request("POST /api/record", body: #"{"duration_ns": 5000000000}"#))
      #expect(begun.status == 200)
      #expect(studio.calls.withLock { $0 } == ["record 5000000000"])
      for body in [
        #"{"duration_ns": 0}"#, #"{"duration_ns": -1}"#, #"{"duration_ns": "5s"}"#, #"{"length": 5}"#,
      ] {
        let refused = try test.answer(test.request("POST /api/record", body: body))
        #expect(refused.status == 400, "\(body)")
      }
      #expect(studio.calls.withLock { $0.count } == 1)
    }
  }

  @Test("A temporary take is not listed")
  func passingTake() async throws {
    let folder = try TemporaryFolder()
    for name in ["kept", "passing"] {
      try await SimulatedTake.record(to: FilePath(folder.path("\(name).mp4")), frames: 8)
    }
    var parts = Self.parts(FakeStudio(), FilePath(folder.url.path))
    parts.isPassing = { $0.name == "passing.take.json" }
    try await TestServer.run(.patient, usual: []) { [parts] work in
      StudioHost.routes(parts, StudioHost.catalog(parts, work), .patient)
    } _: { test in
      let names = try list(test).map(\.name)
      #expect(names == ["kept"])
    }
  }

  @Test("The remains of a take can be removed, and no link leads out of the folder")
  func remains() async throws {
    let folder = try TemporaryFolder()
    let elsewhere = try TemporaryFolder()
    try await SimulatedTake.record(to: FilePath(folder.path("good.mp4")), frames: 8)
    try await SimulatedTake.record(to: FilePath(folder.path("bad.mp4")), frames: 8)
    try await SimulatedTake.record(to: FilePath(folder.path("lone.mp4")), frames: 8)
    try Data("{".utf8).write(to: folder.url.appending(path: "bad.take.json"))
    try FileManager.default.removeItem(atPath: folder.path("lone.take.json"))
    try Data("cut off".utf8).write(to: folder.url.appending(path: "part.master.mov.part"))
    try Data("secret".utf8).write(to: elsewhere.url.appending(path: "x.mov"))
    for (name, target) in [("gone", "/no/such/take"), ("loop", "loop.take.json")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("\(name).take.json"), withDestinationPath: target)
    }
    try await run(folder: FilePath(folder.url.path)) { test, _ in
      let all = try list(test)
      #expect(
        Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.kind) })
          == [
            "good": "take", "bad": "damaged", "gone": "damaged", "loop": "damaged", "lone": "unfinished",
            "part": "unfinished",
          ])
      #expect(all.allSatisfy { !$0.problems.joined().contains(folder.url.path) })
      for item in all where item.kind != "take" {
        let refused = try test.answer(test.request("GET /api/takes/\(item.id)/frames/0.jpg"))
        #expect(!refused.text.contains(folder.url.path), "\(refused.text)")
        #expect(try test.answer(test.request("DELETE /api/takes/\(item.id)")).status == 204, "\(item.name)")
      }
      #expect(try folder.names == ["good.master.mov", "good.take.json"])
      let good = try #require(all.first { $0.kind == "take" })
      try FileManager.default.removeItem(atPath: folder.path("good.master.mov"))
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("good.master.mov"), withDestinationPath: elsewhere.path("x.mov"))
      for path in ["master", "frames/0.jpg", "thumbnail.jpg"] {
        let answer = try test.answer(test.request("GET /api/takes/\(good.id)/\(path)"))
        #expect(answer.status == 404 && !answer.text.contains("secret"), "\(path): \(answer.text)")
      }
      #expect(try test.answer(test.request("DELETE /api/takes/\(good.id)")).status == 204)
      #expect(try elsewhere.names == ["x.mov"])
    }
  }

  @Test("A clip shows the marked frames, the first and the last included, at every speed")
  func markedFrames() async throws {
    let folder = FilePath(FileManager.default.temporaryDirectory.path).appending(
      "marked-\(Token().text.prefix(8))")
    try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder.string) }
    try await SimulatedTake.record(to: folder.appending("drop.mp4"), frames: 40)
    let master = try StripVideo(folder.appending("drop.master.mov").string).numbers.compactMap(\.self)
    #expect(master.count == 40)
    try await run(folder: folder) { test, _ in
      struct Listed: Decodable { var id: String }
      let takes = try JSONDecoder().decode(
        [Listed].self, from: Data(test.answer(test.request("GET /api/takes")).body))
      let clips = "/api/takes/\(try #require(takes.first).id)/clips"
      for (number, (first, last, speed)) in [
        (4, 11, "null"), (4, 11, #""1/8""#), (0, 3, "null"), (35, 39, #""1/4""#), (20, 20, "null"),
        (20, 20, #""1/16""#),
        (13, 29, #""0s:1/4, 0.1s:1/16""#),
      ].enumerated() {
        let body = #"{"first": \#(first), "last": \#(last), "speed": \#(speed)}"#
        #expect(try test.answer(test.request("POST \(clips)", body: body)).status == 202)
        let file = folder.appending(number == 0 ? "drop-slow.mp4" : "drop-slow-\(number + 1).mp4")
        #expect(test.until { FileManager.default.fileExists(atPath: file.string) })
        let shown = try StripVideo(file.string).numbers.compactMap(\.self)
        #expect(
          Set(shown) == Set(master[first...last]) && shown == shown.sorted(),
          "\(first) to \(last), \(speed): \(shown)")
      }
    }
  }
}
