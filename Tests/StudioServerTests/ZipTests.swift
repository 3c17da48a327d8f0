import FrameJudge
import Foundation
import Overcrank
import Platform
import Synchronization
import SystemPackage
import Takes
import Testing

@testable import StudioServer

@Suite("Names in archives") struct ZipNameTests {
  @Test("are those of files on every system, and no two are the same")
  func names() {
    let names = [
      "drop.mp4", "DROP.mp4", "drop.mp4", #"..\up.mp4"#, "../up.mp4", "..", "", "a:b?.mov", "tail. ",
      "two\nlines", "ü.mp4",
      "u\u{308}.mp4", ".hidden", ".hidden",
    ]
    #expect(
      ZipDownload.names(names) == [
        "drop.mp4", "DROP-2.mp4", "drop-3.mp4", ".._up.mp4", ".._up-2.mp4", "_", "_-2", "a_b_.mov", "tail",
        "two_lines",
        "ü.mp4", "u\u{308}-2.mp4", ".hidden", ".hidden-2",
      ])
  }
}

@Suite("Archives", .tags(.program), .timeLimit(.minutes(1)), .serialized) struct ZipTests {
  /// The files that Python reads in an archive, which it has checked: `[[NAME, SIZE, CONTENT or null if it is long]]`.
  private static let reader = """
    import json, sys, zipfile
    archive = zipfile.ZipFile(sys.argv[1])
    short = lambda file: file.file_size < 1 << 30
    print(json.dumps([
        [file.filename, file.file_size, archive.read(file).hex() if short(file) else None]
        for file in archive.infolist()]))
    """

  private struct File: Decodable, Equatable {
    var name: String
    var size: Int
    var content: String?

    init(_ name: String, _ content: Data) {
      (self.name, size, self.content) = (name, content.count, content.hex)
    }

    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      name = try values.decode(String.self)
      size = try values.decode(Int.self)
      content = try values.decodeIfPresent(String.self)
    }
  }

  private func read(_ archive: URL) throws -> [File] {
    let told = try Program.run("python3", ["-c", Self.reader, archive.path]).output
    return try JSONDecoder().decode([File].self, from: told)
  }

  @Test("of more than 4 GiB, and of many files, are read by another program")
  func large() throws {
    let folder = try TemporaryFolder()
    let hello = Data("hello".utf8)
    let checksum = Checksum.crc32(of: Array(hello), from: 0)
    #expect(checksum == 0x3610_a686)
    let long: Int64 = 5 << 30
    let layout = try #require(
      ZipLayout([
        .init(name: "a.mp4", size: 5, changed: 1_700_000_000),
        .init(name: "grün.mov", size: long, changed: 0),
        .init(name: "b.jpg", size: 5, changed: -1),
      ]))
    let archive = folder.url.appending(path: "long.zip")
    try Data().write(to: archive)
    let file = try FileHandle(forWritingTo: archive)
    file.write(Data(layout.header(0)) + hello + Data(layout.descriptor(0, checksum) + layout.header(1)))
    // A hole of zeros.
    try file.seek(toOffset: file.offset() + UInt64(long))
    file.write(Data(layout.descriptor(1, 7) + layout.header(2)) + hello)
    file.write(Data(layout.descriptor(2, checksum) + layout.directory([checksum, 7, checksum])))
    #expect(try file.offset() == UInt64(layout.length))
    let files = try read(archive)
    #expect(files.map(\.name) == ["a.mp4", "grün.mov", "b.jpg"] && files.map(\.size) == [5, Int(long), 5])
    #expect(files.map(\.content) == [hello.hex, nil, hello.hex])

    let many = try #require(ZipLayout((0..<70_000).map { .init(name: "\($0)", size: 0, changed: 0) }))
    var bytes: [UInt8] = []
    for index in many.entries.indices { bytes += many.header(index) + many.descriptor(index, 0) }
    bytes += many.directory(Array(repeating: 0, count: many.entries.count))
    #expect(Int64(bytes.count) == many.length)
    let second = folder.url.appending(path: "many.zip")
    try Data(bytes).write(to: second)
    #expect(try read(second).map(\.name) == many.entries.map(\.name))
    #expect(
      ZipLayout([.init(name: "a", size: .max, changed: 0), .init(name: "b", size: .max, changed: 0)]) == nil)
  }

  /// A writer that keeps its pieces, and does something before the second one.
  private final class Writer: StreamWriter {
    let bytes = Mutex<[UInt8]>([])
    private let meanwhile: @Sendable () throws -> Void
    private let pieces = Mutex(0)

    init(_ meanwhile: @escaping @Sendable () throws -> Void) { self.meanwhile = meanwhile }

    func write(_ bytes: [UInt8]) async throws {
      let count = pieces.withLock { pieces in
        pieces += 1
        return pieces
      }
      if count == 2 { try meanwhile() }
      self.bytes.withLock { $0 += bytes }
    }
  }

  @Test("are broken off before their end if a file changes meanwhile, and read no more of a file than it had")
  func changes() async throws {
    let work = BlockingWork(.patient)
    for number in 0..<5 {
      let folder = try TemporaryFolder()
      let (first, second) = (folder.path("a.mp4"), folder.path("b.mp4"))
      for path in [first, second] {
        try Data(repeating: 7, count: 200_000).write(to: URL(filePath: path))
      }
      let zip = try ZipDownload(of: [FilePath(first), FilePath(second)])
      let writer = Writer {
        switch number {
        case 1: try FileManager.default.removeItem(atPath: second)
        case 2: try FileManager.default.removeItem(atPath: first)
        case 3:
          let file = try FileHandle(forUpdating: URL(filePath: first))
          try file.truncate(atOffset: 1)
        case 4:
          let file = try FileHandle(forWritingTo: URL(filePath: second))
          try file.seekToEnd()
          file.write(Data([7]))
        default: break
        }
      }
      let outcome = await Result { try await zip.write(to: writer, work) }
      let count = writer.bytes.withLock { Int64($0.count) }
      if number == 0 {
        #expect(throws: Never.self) { try outcome.get() }
        #expect(count == zip.layout.length)
      } else {
        #expect(throws: (any Error).self) { try outcome.get() }
        #expect(count < zip.layout.length)
      }
    }
    await work.end()
  }

  @Test("have the selected clips and photos, and the rest of the takes if that is asked for")
  func downloads() async throws {
    let folder = try TemporaryFolder()
    for name in ["drop", "other"] {
      try await SimulatedTake.record(to: FilePath(folder.path("\(name).mp4")), frames: 8)
    }
    let studio = FakeStudio()
    let parts = StudioHost.Parts(
      studio: studio, hub: studio.hub, library: TakeLibrary(FilePath(folder.url.path)), ids: TakeIDs(),
      clips: ClipQueue(changed: {}, finished: { _ in }), libraryChanged: {})
    let clips = Task { await parts.clips.run() }
    try await TestServer.run(.patient, usual: []) { work in
      StudioHost.routes(parts, StudioHost.catalog(parts, work), .patient)
    } _: { test in
      struct Item: Decodable {
        var id: String
        var name: String
        var kind: String
      }
      func list() throws -> [Item] {
        try JSONDecoder().decode([Item].self, from: Data(test.answer(test.request("GET /api/takes")).body))
      }
      let drop = try #require(try list().first { $0.name == "drop" }).id
      let other = try #require(try list().first { $0.name == "other" }).id
      for (path, body) in [("clips", #"{"speed": "1/2"}"#), ("stills", #"{"frame": 3}"#)] {
        #expect(try test.answer(test.request("POST /api/takes/\(drop)/\(path)", body: body)).status < 300)
      }
      let clip = folder.url.appending(path: "drop-slow.mp4")
      #expect(
        test.until { FileManager.default.fileExists(atPath: clip.path) && parts.clips.progress.isEmpty })
      let photo = try #require(try list().first { $0.kind == "photo" }).id

      struct Made: Decodable {
        var id: String
        var bytes: Int
        var files: [String]
      }
      func make(_ ids: [String], _ masters: Bool = false) throws -> Made {
        let body = #"{"ids": ["\#(ids.joined(separator: #"", ""#))"], "with_masters": \#(masters)}"#
        let answer = try test.answer(test.request("POST /api/zips", body: body))
        #expect(answer.status == 200, "\(answer.text)")
        return try JSONDecoder().decode(Made.self, from: Data(answer.body))
      }
      func check(_ made: Made, _ names: [String]) throws {
        let path = "/api/zips/\(made.id).zip"
        let ticket = try test.answer(test.request("POST /api/tickets", body: #"{"path": "\#(path)"}"#)).text
        let secret = try #require(ticket.firstMatch(of: /"ticket":"([0-9a-f]+)"/)).output.1
        let answer = try test.answer(test.bare("GET \(path)?ticket=\(secret)"))
        #expect(answer.field("content-type") == "application/zip" && answer.body.count == made.bytes)
        #expect(answer.field("content-disposition") == "attachment; filename=\"overcrank.zip\"")
        let archive = folder.url.appending(path: "made.zip")
        try Data(answer.body).write(to: archive)
        let files = try names.map { File($0, try Data(contentsOf: folder.url.appending(path: $0))) }
        #expect(try read(archive) == files && made.files == names)
        let head = try test.answer(test.request("HEAD \(path)"), isHead: true)
        #expect(head.field("content-length") == "\(made.bytes)" && head.body.isEmpty)
        #expect(try test.answer(test.bare("GET \(path)")).status == 401)
      }
      try check(make([drop, photo, drop]), ["drop-slow.mp4", "drop-frame-3.jpg"])
      try check(
        make([drop, other], true),
        ["drop-slow.mp4", "drop.master.mov", "drop.take.json", "other.master.mov", "other.take.json"])

      func refused(_ body: String, _ fields: [String] = []) throws -> Int {
        try test.answer(test.request("POST /api/zips", fields, body: body)).status
      }
      #expect(try refused(#"{"ids": ["\#(other)"]}"#) == 422)
      #expect(try refused(#"{"ids": ["\#(drop)", "no-such"]}"#) == 404)
      for body in [
        #"{"ids": []}"#, #"{"ids": "x"}"#, "{}", #"{"ids": [1]}"#, #"{"ids": ["x"], "path": "/"}"#,
      ] {
        #expect(try refused(body) == 400, "\(body)")
      }
      #expect(try refused(#"{"ids": ["\#(drop)"]}"#, ["Origin: http://example.org"]) == 403)
      #expect(try test.answer(test.request("GET /api/zips/none.zip")).status == 404)

      // A file that changes after the archive was asked for must not end a whole-looking archive.
      let torn = try make([drop])
      let file = try FileHandle(forWritingTo: clip)
      try file.seekToEnd()
      file.write(Data([0]))
      #expect(throws: RawClient.Failure.self) {
        try test.answer(test.request("GET /api/zips/\(torn.id).zip"))
      }
      #expect(try test.answer(test.request("GET /api/takes")).status == 200)
    }
    clips.cancel()
    await clips.value
  }

  @Test("and files continue once they have begun, however many other calls wait for the disk")
  func busy() async throws {
    let folder = try TemporaryFolder()
    let path = FilePath(folder.path("a.mp4"))
    let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
    try content.write(to: URL(filePath: path.string))
    let (file, zip) = (try InputFile(path), try ZipDownload(of: [path]))
    var limits = ServerLimits.patient
    limits.waitingCalls = 0
    try await TestServer.run(limits) { work in
      [
        Route(.get, "/api/file") { _ in Response(body: .file(file, 0..<file.size)) },
        Route(.get, "/api/zip") { _ in
          Response(body: .sized(zip.layout.length) { try await zip.write(to: $0, work) })
        },
      ]
    } _: { test in
      #expect(try Data(test.answer(test.request("GET /api/file")).body) == content)
      let archive = folder.url.appending(path: "a.zip")
      try Data(test.answer(test.request("GET /api/zip")).body).write(to: archive)
      #expect(try read(archive) == [File("a.mp4", content)])
    }
  }
}

extension Data {
  fileprivate var hex: String { map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
