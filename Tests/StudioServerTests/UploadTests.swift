import FrameJudge
import Foundation
import Overcrank
import Platform
import SystemPackage
import Takes
import Testing
import Timebase

@testable import StudioServer

@Suite("The patience with an upload") struct UploadPatienceTests {
  @Test(
    "ends after a pause, and when fewer bytes come than the least rate asks for, but not with a slow disk")
  func patience() {
    var limits = ServerLimits()
    (limits.requestTime, limits.leastUploadRate) = (.seconds(10), 1000)
    var patience = UploadPatience(limits)
    #expect(patience.left == .seconds(10))
    // A fast client gains no more than the first patience.
    patience.received(1_000_000, after: .seconds(1))
    #expect(patience.left == .seconds(10))
    // One that sends a byte every nine seconds runs out of it.
    patience.received(1, after: .seconds(9))
    #expect(patience.left < .seconds(2))
    patience.received(1000, after: .zero)
    #expect(patience.left > .seconds(2) && patience.left < .seconds(3))
  }
}

@Suite("Videos that a page adds", .tags(.program), .timeLimit(.minutes(1)), .serialized) struct UploadTests {
  private struct Added: Decodable {
    struct Mode: Decodable { var fps: Double }
    struct Clip: Decodable { var is_there: Bool }
    var id: String
    var name: String
    var kind: String
    var written: Int?
    var has_master: Bool
    var mode: Mode?
    var date: String
    var clips: [Clip]
  }

  private func run(
    _ folder: TemporaryFolder, _ limits: ServerLimits = .patient,
    _ body: @escaping @Sendable (TestServer) throws -> Void
  ) async throws {
    let studio = FakeStudio()
    let parts = StudioHost.Parts(
      studio: studio, hub: studio.hub, library: TakeLibrary(FilePath(folder.path("takes"))), ids: TakeIDs(),
      clips: ClipQueue(changed: {}, finished: { _ in }), libraryChanged: {})
    let clips = Task { await parts.clips.run() }
    try await TestServer.run(limits, usual: []) { work in
      StudioHost.routes(parts, StudioHost.catalog(parts, work), limits)
    } _: { test in
      try body(test)
    }
    clips.cancel()
    await clips.value
  }

  private func announce(_ test: TestServer, _ name: String, _ size: Int) throws -> RawAnswer {
    let body = try JSONSerialization.data(withJSONObject: ["name": name, "bytes": size])
    return try test.answer(
      test.request("POST /api/uploads", body: String(decoding: body, as: UTF8.self)))
  }

  private func id(_ answer: RawAnswer) throws -> String {
    struct Body: Decodable { var id: String }
    #expect(answer.status == 200, "\(answer.text)")
    return try JSONDecoder().decode(Body.self, from: Data(answer.body)).id
  }

  private func head(_ test: TestServer, _ id: String, _ size: Int) -> String {
    test.request("PUT /api/uploads/\(id)", ["Content-Length: \(size)"])
  }

  private func send(_ test: TestServer, _ name: String, _ content: Data) throws -> RawAnswer {
    let id = try id(announce(test, name, content.count))
    let client = try test.connect()
    client.send(head(test, id, content.count))
    client.send(Array(content))
    return try client.receiveAnswer()
  }

  @Test("become takes with their true rate, under free names, and clips are made of them")
  func added() async throws {
    let folder = try TemporaryFolder()
    let source = folder.path("source.mp4")
    // 240 captured frames per second that play as 30, with frames that are stored out of order.
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc=size=320x240:rate=30:duration=2", "-c:v", "libx264", "-bf", "2",
      "-pix_fmt", "yuv420p",
      "-movflags", "use_metadata_tags", "-metadata", "com.android.capture.fps=240", "-metadata",
      "creation_time=2024-05-06T07:08:09Z", source)
    let content = try Data(contentsOf: URL(filePath: source))
    let takes = folder.url.appending(path: "takes")
    try await run(folder) { test in
      func add(_ name: String) throws -> Added {
        let answer = try send(test, name, content)
        #expect(answer.status == 200, "\(answer.text)")
        return try JSONDecoder().decode(Added.self, from: Data(answer.body))
      }
      let take = try add("IMG 1.MP4")
      #expect(take.name == "IMG 1" && take.kind == "take" && take.written == 60 && take.has_master)
      #expect(take.mode?.fps == 240 && take.date == "2024-05-06T07:08:09Z")
      #expect(try Data(contentsOf: takes.appending(path: "IMG 1.master.mp4")) == content)
      #expect(try add("IMG 1.mp4").name == "IMG 1-2")
      #expect(try add("../../up.mp4").name == "_.._.._up")
      let path = "/api/takes/\(take.id)"
      let picture = try test.answer(test.request("GET \(path)/frames/59.jpg?width=64"))
      #expect(picture.status == 200 && picture.body.starts(with: [0xff, 0xd8]))
      struct Times: Decodable { var time_ns: [Int64] }
      let times = try JSONDecoder().decode(
        Times.self, from: Data(test.answer(test.request("GET \(path)/frames")).body)
      ).time_ns
      #expect(times.count == 60 && abs((times.last ?? 0) - 59_000_000_000 / 240) < 1000)
      let body = #"{"speed": "1/8", "first": 10, "last": 19}"#
      #expect(try test.answer(test.request("POST \(path)/clips", body: body)).status == 202)
      #expect(
        test.until {
          let told = try? test.answer(test.request("GET \(path)"))
          return (try? JSONDecoder().decode(Added.self, from: Data(told?.body ?? [])))?.clips.first?.is_there
            ?? false
        })
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: takes.path).sorted()
    #expect(
      names == [
        "IMG 1-2.master.mp4", "IMG 1-2.take.json", "IMG 1-slow.mp4", "IMG 1.master.mp4", "IMG 1.take.json",
        "_.._.._up.master.mp4", "_.._.._up.take.json",
      ])
    let entry = try #require(
      TakeLibrary(FilePath(takes.path)).entry(at: FilePath(takes.path).appending("IMG 1.take.json")))
    #expect(try TakeVerification(entry).findings.map(\.words) == [])
  }

  @Test("are refused with the reason if they are not videos, and leave nothing behind")
  func refused() async throws {
    let folder = try TemporaryFolder()
    let source = folder.path("source.mp4")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc=size=64x64:rate=30:duration=1", "-c:v", "libx264", source)
    let content = try Data(contentsOf: URL(filePath: source))
    try await run(folder) { test in
      for (bytes, words) in [
        (Data("hello".utf8), "is not a media file"), (content.prefix(content.count / 2), "a.mp4: is cut off"),
      ] {
        let answer = try send(test, "a.mp4", bytes)
        #expect(answer.status == 422 && answer.text.contains(words), "\(answer.text)")
        #expect(!answer.text.contains(folder.url.path) && !answer.text.contains(".copying"), "\(answer.text)")
      }
      let picture = try announce(test, "a.jpg", 9)
      #expect(picture.status == 422 && picture.text.contains(".mp4"), "\(picture.text)")
      for body in [#"{"name": "a.mp4"}"#, #"{"name": "a.mp4", "bytes": 0}"#, #"{"bytes": 1}"#, "{}"] {
        #expect(try test.answer(test.request("POST /api/uploads", body: body)).status == 400, "\(body)")
      }
      #expect(try test.answer(head(test, "none", 0)).status == 404)
      let one = try id(announce(test, "a.mp4", 9))
      #expect(try test.answer(head(test, one, 8)).status == 400)
      #expect(try test.answer(test.bare("PUT /api/uploads/\(one)", ["Content-Length: 0"])).status == 401)
      let foreign = test.request(
        "PUT /api/uploads/\(one)", ["Content-Length: 0", "Origin: http://example.org"])
      #expect(try test.answer(foreign).status == 403)
      // A client that leaves.
      let takes = folder.path("takes")
      do {
        let client = try test.connect()
        client.send(head(test, one, 9) + "half")
        let isOpen = test.until { (try? FileManager.default.contentsOfDirectory(atPath: takes))?.count == 1 }
        // Otherwise the connection might be closed after its last use.
        withExtendedLifetime(client) { #expect(isOpen) }
      }
      #expect(test.until { (try? FileManager.default.contentsOfDirectory(atPath: takes)) == [] })
      #expect(try test.answer(head(test, one, 9)).status == 404)
      #expect(try test.answer(test.request("GET /api/takes")).text == "[]")
    }
  }

  @Test("leave a part if the studio is killed, which the next one removes unless it is being written")
  func abandoned() async throws {
    let folder = try TemporaryFolder()
    for name in ["a.master.mp4.copying", "notes.copying"] { try folder.leavePart(name) }
    for name in ["theirs.master.mp4.copying", "b.master.mov"] {
      try Data("x".utf8).write(to: folder.url.appending(path: name))
    }
    let file = try OutputFile(FilePath(folder.path("c.master.mov")), copying: true)
    let studio = FakeStudio()
    let parts = StudioHost.Parts(
      studio: studio, hub: studio.hub, library: TakeLibrary(FilePath(folder.url.path)), ids: TakeIDs(),
      clips: ClipQueue(changed: {}, finished: { _ in }), libraryChanged: {})
    let work = BlockingWork(.patient)
    await StudioHost.catalog(parts, work).removeAbandonedUploads()
    await work.end()
    #expect(
      try folder.names
        == ["b.master.mov", "c.master.mov.copying", "notes.copying", "theirs.master.mp4.copying"])
    try file.commit()
  }

  @Test("are limited in size, number and slowness")
  func limits() async throws {
    var limits = ServerLimits.patient
    (limits.uploads, limits.uploadBytes) = (0, 1 << 30)
    let folder = try TemporaryFolder()
    try await run(folder, limits) { test in
      let large = try announce(test, "a.mp4", (1 << 30) + 1)
      #expect(large.status == 413 && large.text.contains("at most 1 GiB"), "\(large.text)")
      let full = try announce(test, "a.mp4", 1 << 30)
      if full.status == 200 { #expect(try test.answer(head(test, id(full), 1 << 30)).status == 503) }
    }
    limits.uploads = 1
    limits.requestTime = .milliseconds(500)
    try await run(folder, limits) { test in
      let client = try test.connect()
      client.send(head(test, try id(announce(test, "a.mp4", 9)), 9) + "half")
      let late = try client.receiveAnswer()
      #expect(late.status == 408 && late.code == "too_slow", "\(late.text)")
      let takes = folder.path("takes")
      #expect(test.until { (try? FileManager.default.contentsOfDirectory(atPath: takes)) == [] })
    }
  }
}
