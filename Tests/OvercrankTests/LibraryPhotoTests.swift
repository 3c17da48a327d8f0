import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Takes
import Testing

@testable import Overcrank

@Suite("Photos in a library")
struct LibraryPhotoTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var library: TakeLibrary { TakeLibrary(FilePath(folder.url.path)) }

  /// Writes a photo that was captured at a second of 2026-01-01, and whose file was changed long before.
  private func write(_ name: String, at second: Int, _ change: (inout PhotoTags) -> Void = { _ in }) throws {
    let luma = (0..<64 * 32).map { (place: Int) in UInt8(place % 64 * 4) }
    let chroma = [UInt8](repeating: 128, count: 32 * 32)
    let jpeg = try JPEGEncoder(quality: 90).encode(
      luma: luma.span, blue: chroma.span, red: chroma.span, width: 64, height: 32)
    var tags = PhotoTags()
    tags.moment = PhotoTags.Moment(
      time: "2026:01:01 05:30:\(second < 10 ? "0" : "")\(second)", fraction: "25", offset: "+05:30")
    (tags.camera, tags.software, tags.comment) = ("USB Camera", "Overcrank 1.0", "frame 1, time 5 ns")
    change(&tags)
    let bytes = StillFormat.jpeg.adding(tags, to: jpeg, width: 64, height: 32)
    try Data(bytes).write(to: folder.url.appending(path: name))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: folder.path(name))
  }

  /// Writes a Live Photo whose video has this identifier; no player would take it.
  private func writeLivePhoto(_ name: String, at second: Int, video identifier: String? = "ID-1") throws {
    try write("\(name).jpg", at: second) { $0.contentIdentifier = "ID-1" }
    guard let identifier else { return }
    let index = [UInt8]([0, 0, 0, UInt8(8 + identifier.utf8.count)]) + "moov".utf8 + identifier.utf8
    try Data([0, 0, 0, 16] + "free".utf8 + [UInt8](repeating: 0, count: 8) + index).write(
      to: folder.url.appending(path: "\(name).mov"))
  }

  private func writeBurst(_ name: String, at second: Int, count: Int = 3) throws {
    for number in 1...count {
      try write("\(name)-00\(number).jpg", at: second) { $0.burst = PhotoTags.BurstPlace(number, of: count) }
    }
  }

  @Test("are named by a path only where that leads, and by a plain name not if another file here has it")
  func paths() async throws {
    let here = try TemporaryFolder()
    try write("still.jpg", at: 1)
    try Data("my notes".utf8).write(to: here.url.appending(path: "still.jpg"))
    let place = FilePath(here.url.path)
    for name in ["still.jpg", "./still.jpg", "nowhere/still.jpg"] {
      let error = await #expect(throws: OvercrankError.self) {
        try await library.entry(named: name, from: place)
      }
      #expect(error?.code == .noInput, "\(name)")
    }
    #expect(try await library.entry(named: "still", from: place).path == FilePath(folder.path("still.jpg")))
    try FileManager.default.removeItem(atPath: here.path("still.jpg"))
    #expect(
      try await library.entry(named: "still.jpg", from: place).path == FilePath(folder.path("still.jpg")))
  }

  @Test("are listed among takes by the time at which they were captured, each with all its files")
  func list() async throws {
    try StagedTake("take", startedAt: "2026-01-01T00:00:03Z").write(to: folder.url.path)
    try write("still.jpg", at: 1)
    try writeBurst("burst", at: 4)
    try writeLivePhoto("live", at: 5)
    try writeLivePhoto("other", at: 2, video: "ID-2")
    try write("overcrank-20260101T000009.123.jpg", at: 0) { $0.moment = nil }
    try Data("mine".utf8).write(to: folder.url.appending(path: "holiday.jpg"))
    let entries = try await library.entries()
    let stamped = entries.first { $0.name.hasPrefix("overcrank-") }
    let rest = entries.filter { !$0.name.hasPrefix("overcrank-") }
    #expect(rest.map(\.name) == ["live", "burst", "take", "other", "still"])
    #expect(rest.map { $0.photo?.kind } == [.livePhoto, .burst, nil, .livePhoto, .still])
    #expect(rest.map(\.date) == (1...5).reversed().map { "2026-01-01T00:00:0\($0)Z" })
    #expect(rest[0].files.map(\.name) == ["live.mov", "live.jpg"])
    #expect(rest[1].files.map(\.name) == ["burst-002.jpg", "burst-003.jpg", "burst-001.jpg"])
    #expect(rest[3].problems == [.videoMissing("other.mov")] && rest[3].files.count == 1)
    #expect(stamped.map { $0.date.hasSuffix(":09Z") } == true, "its name tells when")
    let sizes = try rest[1].files.map { try Stat($0).size }
    #expect(rest[1].bytes == sizes.reduce(0) { $0 + Int64($1) })
  }

  @Test("are found by any of their files, their name and their label")
  func names() async throws {
    try writeBurst("burst", at: 4)
    try writeLivePhoto("live", at: 5)
    try write("still.jpg", at: 1) { $0.label = "milk" }
    for (expected, count, names) in [
      ("still", 1, ["still", "still.jpg", "milk"]), ("live", 2, ["live", "live.jpg", "live.mov"]),
      ("burst", 3, ["burst", "burst-003.jpg", folder.path("burst-002.jpg")]),
    ] {
      for name in names {
        let entry = try await library.entry(named: name)
        #expect(entry.name == expected && entry.files.count == count, "\(name)")
      }
    }
    try write("still.jpeg", at: 1)
    let error = await #expect(throws: OvercrankError.self) { try await library.entry(named: "still") }
    #expect(error?.code == .outOfRange && error?.description.contains("still.jpeg") == true)
    let take = await #expect(throws: OvercrankError.self) { try await library.entry(named: "latest") }
    #expect(take?.code == .noInput && take?.description.contains("has no takes yet") == true)
  }

  @Test("get labels, and lose all their files at once, and no others")
  func changes() async throws {
    try writeBurst("burst", at: 4)
    try writeLivePhoto("live", at: 5)
    try writeLivePhoto("other", at: 2, video: "ID-2")
    for name in ["burst", "live", "other"] {
      try await library.entry(named: name).setLabel("label of \(name)")
      let entry = try await library.entry(named: "label of \(name)")
      #expect(entry.name == name && entry.date.hasPrefix("2026-01-01T00:00:0"))
      #expect(throws: OvercrankError.self) { try entry.remove(keeping: .master) }
      try entry.remove()
      #expect(await (try? library.entry(named: name)) == nil)
    }
    #expect(try folder.names == ["other.mov"])
  }

  @Test("that were replaced since they were listed are not removed")
  func replaced() async throws {
    try write("still.jpg", at: 1)
    let entry = try await library.entry(named: "still")
    try write("still.jpg", at: 2)
    #expect(throws: OvercrankError.self) { try entry.remove() }
    #expect(try folder.names == ["still.jpg"])
  }

  @Test("are verified to their ends")
  func damage() async throws {
    try write("still.jpg", at: 1)
    #expect(try await TakeVerification(library.entry(named: "still")).isSound)
    let whole = try Data(contentsOf: folder.url.appending(path: "still.jpg"))
    try whole.dropLast(40).write(to: folder.url.appending(path: "still.jpg"))
    #expect(try await !TakeVerification(library.entry(named: "still")).isSound)
    try writeBurst("burst", at: 4)
    #expect(try await TakeVerification(library.entry(named: "burst")).isSound)
    try FileManager.default.removeItem(atPath: folder.path("burst-001.jpg"))
    let found = try await TakeVerification(library.entry(named: "burst")).findings.map(\.words)
    #expect(found == ["one of its pictures is missing"])
    // No player would take its video.
    try writeLivePhoto("live", at: 5)
    #expect(try await !TakeVerification(library.entry(named: "live")).isSound)
  }

  @Test("whose JPEG lacks its last bytes, or has others behind it, are not intact")
  func ends() async throws {
    try write("still.jpg", at: 1)
    let whole = try Data(contentsOf: folder.url.appending(path: "still.jpg"))
    for (bytes, expected) in [
      (whole, nil), (whole.dropLast(1), "is cut off"), (whole.dropLast(2), "is cut off"),
      // Some cameras pad their pictures.
      (whole + Data([0, 0, 0xff]), nil), (whole + Data("more".utf8), "has 4 bytes after its end"),
    ] as [(Data, String?)] {
      try bytes.write(to: folder.url.appending(path: "still.jpg"))
      let found = try await TakeVerification(library.entry(named: "still")).findings.map(\.words)
      #expect(found == [expected].compactMap(\.self), "\(bytes.count)")
    }
  }

  @Test("are listed as damaged if nothing is left of them that tells their maker")
  func unreadable() async throws {
    try write("still.jpg", at: 1)
    let whole = try Data(contentsOf: folder.url.appending(path: "still.jpg"))
    for (name, bytes) in [
      ("empty.jpg", Data()), ("empty.png", Data()), ("empty.tif", Data()), ("one.jpg", whole.prefix(1)),
      ("head.jpg", whole.prefix(40)), ("tags.jpg", whole.prefix(200)),
    ] {
      try bytes.write(to: folder.url.appending(path: name))
      let entry = try #require(try await library.entries().first { $0.path.name == name }, "\(name)")
      guard case .unreadablePhoto(let error) = entry.kind else {
        Issue.record("\(name): \(entry.kind)")
        continue
      }
      #expect(error.code == .badData)
      #expect(library.entry(at: FilePath(folder.path(name)))?.kind == entry.kind)
    }
    // A picture by another program is none of ours.
    try Data("notes".utf8).write(to: folder.url.appending(path: "notes.jpg"))
    #expect(try await library.entries().count == 7)
  }

  @Test("stay whole if the video of a Live Photo is cut off, and the video is listed without its picture")
  func livePhotoDamage() async throws {
    try writeLivePhoto("live", at: 5)
    let movie = folder.url.appending(path: "live.mov")
    let whole = try Data(contentsOf: movie)
    let target = try TemporaryFolder()
    let move = TakeExport(to: FilePath(target.url.path), moving: true)
    for count in [0, 5, 16, whole.count - 1] {
      try whole.prefix(count).write(to: movie)
      let entry = try await library.entry(named: "live.mov")
      #expect(entry.problems == [.videoDamaged("live.mov")] && entry.files.count == 2, "\(count)")
      let outcome = try #require(move.run([entry]).first)
      #expect(outcome.failure?.code == .badData && outcome.failure?.description.contains("live.mov") == true)
      #expect(try folder.names == ["live.jpg", "live.mov"] && target.names.isEmpty)
      #expect(try !TakeVerification(entry).isSound)
    }
    // A copy has both files, too.
    #expect(try await TakeExport(to: move.destination).run([library.entry(named: "live")])[0].isComplete)
    #expect(try target.names == ["live.jpg", "live.mov"])
    // One that a link shows from elsewhere is not its video.
    try FileManager.default.removeItem(at: movie)
    try FileManager.default.createSymbolicLink(
      atPath: movie.path, withDestinationPath: target.path("live.mov"))
    #expect(try await library.entry(named: "live").problems == [.videoMissing("live.mov")])
    try FileManager.default.removeItem(at: movie)
    try FileManager.default.removeItem(atPath: folder.path("live.jpg"))
    let text = "com.apple.quicktime.content.identifier Overcrank, speed 1"
    let index = [UInt8]([0, 0, 0, UInt8(8 + text.utf8.count)]) + "moov".utf8 + text.utf8
    try Data(index).write(to: movie)
    let alone = try #require(try await library.entries().first)
    guard case .unreadablePhoto(let error) = alone.kind else {
      throw OvercrankError(.badData, "\(alone.kind)")
    }
    #expect(error.description.contains("whose picture is missing"))
    #expect(library.entry(at: FilePath(movie.path))?.kind == alone.kind)
  }

  @Test("have the same names in capitals")
  func capitals() async throws {
    try writeLivePhoto("live", at: 5)
    try write("jump.MP.jpg", at: 4)
    try writeBurst("burst", at: 3)
    for name in try folder.names {
      try FileManager.default.moveItem(atPath: folder.path(name), toPath: folder.path(name.uppercased()))
    }
    let entries = try await library.entries()
    #expect(entries.map(\.name) == ["LIVE", "JUMP", "BURST"])
    #expect(entries.map(\.problems) == [[], [], []] && entries.map(\.files.count) == [2, 1, 3])
    #expect(try await library.entry(named: "LIVE.MOV").files.count == 2)
    #expect(FilePath(folder.path("JUMP.MP.JPG")).free.name == "JUMP-2.MP.JPG")
  }

  @Test("that were cut off while they were made are listed with all their files, and removed")
  func unfinished() async throws {
    func touch(_ name: String, _ text: String = "") throws {
      try Data(text.utf8).write(to: folder.url.appending(path: name))
    }
    // Names are reserved before the first byte; the rest is what a kill may leave at any later moment.
    try folder.leavePart("jump.MP.jpg.part", holding: [])
    try folder.leavePart(".jump.MP.film.mp4.part")
    try write("burst-002.jpg", at: 4)
    try FileManager.default.moveItem(
      atPath: folder.path("burst-002.jpg"), toPath: folder.path("burst-002.jpg.part"))
    try folder.leavePart("live.jpg.part", holding: [0xff, 0xd8])
    try folder.leavePart("live.mov.part")
    try folder.leavePart(".lone.film.mov.part")
    // Those of a take's clip and of other programs.
    try StagedTake("drop").write(to: folder.url.path)
    try touch("drop.mov.part", "ftyp")
    try folder.leavePart("drop.jpg.part", holding: [])
    try touch("download.jpg.part")
    try touch("burst-002.mov.part")
    try write("theirs.jpg", at: 1) { $0.software = "Another 1.0" }
    try FileManager.default.moveItem(
      atPath: folder.path("theirs.jpg"), toPath: folder.path("theirs.jpg.part"))
    try touch("page.html.part")

    func leftovers() async throws -> [String: [String]] {
      Dictionary(
        uniqueKeysWithValues: try await library.entries().compactMap { entry in
          guard case .unfinishedPhoto = entry.kind else { return nil }
          #expect(entry.partState == .empty, "\(entry.name)")
          return (entry.name, entry.files.map(\.name))
        })
    }
    let expected = [
      "jump": [".jump.MP.film.mp4.part", "jump.MP.jpg.part"], "burst-002": ["burst-002.jpg.part"],
      "live": ["live.mov.part", "live.jpg.part"], ".lone.film": [".lone.film.mov.part"],
      "drop": ["drop.jpg.part"],
    ]
    #expect(try await leftovers() == expected)
    for (name, files) in expected {
      for file in files {
        let entry = try #require(library.entry(at: FilePath(folder.path(file))), "\(file)")
        guard case .unfinishedPhoto = entry.kind else {
          // That of the clip is the take's.
          Issue.record("\(file): \(entry.kind)")
          continue
        }
        #expect(entry.name == name && entry.files.map(\.name) == files)
        #expect(throws: OvercrankError.self) { try TakeVerification(entry) }
      }
    }
    let error = #expect(throws: OvercrankError.self) {
      _ = try Recovery.of(FilePath(folder.path("jump.MP.jpg")))
    }
    #expect(error?.code == .noInput && error?.description.contains("cannot be recovered") == true)

    // One that is being made stays.
    let file = try OutputFile(FilePath(folder.path("now.jpg")))
    let now = try #require(library.entry(at: FilePath(folder.path("now.jpg.part"))))
    #expect(now.partState == .growing)
    let busy = #expect(throws: OvercrankError.self) { try now.removeRemains() }
    #expect(busy?.code == .busy)
    _ = consume file
    for entry in try await library.entries() {
      if case .unfinishedPhoto = entry.kind { try entry.removeRemains() }
    }
    #expect(
      try folder.names == [
        "burst-002.mov.part", "download.jpg.part", "drop.master.mov", "drop.mov.part", "drop.mp4",
        "drop.take.json",
        "page.html.part", "theirs.jpg.part",
      ])
  }

  @Test("are exported whole beside the newest clip of each take, whatever is wrong with one of them")
  func export() async throws {
    let target = try TemporaryFolder()
    try writeBurst("burst", at: 4)
    try writeLivePhoto("live", at: 5)
    for number in 1...3 { try StagedTake("t\(number)").write(to: folder.url.path) }
    var trials = StagedTake("trials")
    trials.content["clips"] = ["trials", "trials-slow"].map {
      ["file": "\($0).mp4", "speed": "1/8", "fps": 30, "frames": 4, "held": 1] as [String: Any]
    }
    try trials.write(to: folder.url.path)
    try Data("slow".utf8).write(to: folder.url.appending(path: "trials-slow.mp4"))
    var bare = StagedTake("bare")
    (bare.clip, bare.content["clips"]) = (nil, [Any]())
    try bare.write(to: folder.url.path)
    try Data("{".utf8).write(to: folder.url.appending(path: "t2.take.json"))
    let before = try folder.names
    var export = TakeExport(to: FilePath(target.url.path), .clip, moving: true)
    let expected = [
      "bare.master.mov", "bare.take.json", "burst-001.jpg", "burst-002.jpg", "burst-003.jpg", "live.jpg",
      "live.mov",
      "t1.mp4", "t3.mp4", "trials-slow.mp4",
    ]
    let outcomes = export.run(try await library.entries())
    #expect(outcomes.filter { !$0.isComplete }.map(\.entry.name) == ["t2"])
    #expect(try target.names == expected)
    #expect(try folder.names == before.filter { !expected.contains($0) })
    // What an export left here on purpose, the next one leaves too.
    #expect(export.files(of: try await library.entry(named: "t1")).isEmpty)
    export.clips = [FilePath(folder.path("trials.mp4"))]
    #expect(export.run([try await library.entry(named: "trials")]).allSatisfy(\.isComplete))
    #expect(try target.names.contains("trials.mp4"))
    #expect(try await library.entry(named: "trials").problems.isEmpty)
  }
}
