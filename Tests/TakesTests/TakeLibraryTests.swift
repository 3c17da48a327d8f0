import CameraModel
import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Testing

@testable import Takes

@Suite("A library")
struct TakeLibraryTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var library: TakeLibrary { TakeLibrary(FilePath(folder.url.path), version: "0.1.0") }

  private func write(_ take: StagedTake) throws { try take.write(to: folder.url.path) }

  @Test("lists takes newest first, with the size of all files")
  func order() async throws {
    try write(StagedTake("old", startedAt: "2025-12-31T23:59:59Z"))
    try write(StagedTake("new", startedAt: "2026-02-01T00:00:00Z"))
    var middle = StagedTake("middle")
    middle.content["label"] = "milk"
    try write(middle)
    let entries = try await library.entries()
    #expect(entries.map(\.name) == ["new", "middle", "old"])
    #expect(entries.allSatisfy { $0.problems.isEmpty })
    #expect(entries[1].description?.label == "milk")
    #expect(entries[1].description?.frames.lost.total == 1)
    #expect(entries[1].description?.length == .nanoseconds(16_666_667))
    #expect(entries[1].files.map(\.name) == ["middle.mp4", "middle.master.mov", "middle.take.json"])
    let size = try Data(contentsOf: URL(filePath: folder.path("middle.take.json"))).count
    #expect(entries[1].bytes == Int64(150 + size))
  }

  @Test("lists damaged and incomplete takes, with their problems")
  func problems() async throws {
    var noMaster = StagedTake("no-master")
    noMaster.master = nil
    noMaster.clip = nil
    try write(noMaster)
    var twin = StagedTake("twin")
    twin.content["master"] = "one.master.mov"
    twin.master = nil
    try write(twin)
    try write(StagedTake("one"))
    var outside = StagedTake("outside")
    outside.content["master"] = "../../etc/passwd"
    try write(outside)
    try write(StagedTake("later", version: "0.10.0"))
    var unknown = StagedTake("unknown", version: "2.0")
    unknown.content["mode"] = "another shape"
    try write(unknown)
    for (name, text) in [
      ("broken.take.json", "{"), ("empty.take.json", ""), ("list.take.json", "[1]"),
      ("lone.master.mov", "x"), ("cut.master.mov.part", "x"), ("film.mov", "x"),
    ] {
      try Data(text.utf8).write(to: URL(filePath: folder.path(name)))
    }
    let whole = try Data(contentsOf: URL(filePath: folder.path("one.take.json")))
    try whole.dropLast(3).write(to: URL(filePath: folder.path("cut-off.take.json")))

    let entries = try await library.entries()
    let named = Dictionary(uniqueKeysWithValues: entries.map { ($0.path.name, $0) })
    func problems(_ name: String) -> [LibraryEntry.Problem]? { named["\(name).take.json"]?.problems }
    #expect(
      problems("no-master") == [.masterMissing("no-master.master.mov"), .clipMissing("no-master.mp4")])
    let twins = ["one", "twin"].map { FilePath(folder.path("\($0).take.json")) }
    #expect(problems("one") == [.shared("one.master.mov", with: [twins[1]])])
    #expect(problems("twin")?.contains(.shared("one.master.mov", with: [twins[0]])) == true)
    #expect(problems("outside") == [.outside("../../etc/passwd")])
    #expect(named["outside.take.json"]?.master == nil)
    #expect(problems("later") == [.newer(version: "0.10.0")])
    #expect(named["unknown.take.json"]?.kind == .newerTake(version: "2.0"))
    for name in ["broken", "empty", "list", "cut-off"] {
      guard case .damagedTake = named["\(name).take.json"]?.kind else {
        Issue.record("\(name): \(String(describing: named["\(name).take.json"]?.kind))")
        continue
      }
    }
    #expect(named["lone.master.mov"]?.kind == .takelessMaster)
    // Another take's name does not hide it.
    #expect(named["outside.master.mov"]?.kind == .takelessMaster)
    #expect(named["cut.master.mov.part"]?.kind == .part)
    #expect(named["film.mov"] == nil)
    #expect(entries.count == 13)
  }

  @Test(
    "lists group files that cannot be read, and takes and groups whose names are in capitals, with the reason"
  )
  func unread() async throws {
    try write(StagedTake("a"))
    let camera = #"{"name":"A","take":"a.take.json","offset_ns":0,"rate_ppm":0,"by":[]}"#
    let group = #"{"overcrank":"0.3.0","cameras":[\#(camera)]}"#
    let damaged = group.replacingOccurrences(of: #""offset_ns":0"#, with: #""offset_ns":0.5"#)
    for (name, text) in [
      ("good.group.json", group), ("half.group.json", "{"), ("odd.group.json", damaged),
      ("BIG.GROUP.JSON", group),
    ] {
      try Data(text.utf8).write(to: folder.url.appending(path: name))
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("loose.group.json"), withDestinationPath: "nowhere")
    try FileManager.default.moveItem(atPath: folder.path("a.take.json"), toPath: folder.path("A.TAKE.JSON"))
    let entries = try await library.entries()
    let reasons = Dictionary(
      uniqueKeysWithValues: entries.map { entry -> (String, OvercrankError?) in
        switch entry.kind {
        case .damagedGroup(let error), .unreadableTake(let error): (entry.path.name, error)
        default: (entry.path.name, nil)
        }
      })
    let expected = [
      "half.group.json": "valid JSON", "odd.group.json": #"at "cameras[0].offset_ns""#,
      "loose.group.json": "cannot be read", "BIG.GROUP.JSON": #"Rename it to "BIG.group.json""#,
      "A.TAKE.JSON": #"Rename it to "A.take.json""#,
    ]
    // The master is that of no take now.
    #expect(Set(reasons.keys) == Set(expected.keys).union(["a.master.mov"]))
    for (name, words) in expected {
      #expect(
        reasons[name]??.description.contains(words) == true, "\(name): \(String(describing: reasons[name]))")
      let path = FilePath(folder.path(name))
      #expect(library.entry(at: path)?.kind == entries.first { $0.path == path }?.kind, "\(name)")
    }
    #expect(Set(entries.map(\.name)) == ["half", "odd", "loose", "BIG", "A", "a"])
    #expect(library.entry(at: FilePath(folder.path("NONE.GROUP.JSON"))) == nil)
    // They are told of in the folders below, too.
    let around = StoredGroup.damaged(around: FilePath(folder.path("sub")))
    #expect(Set(around.map(\.path.name)) == Set(expected.keys).subtracting(["A.TAKE.JSON"]))
  }

  @Test("lists a take with a hundred thousand clips", .timeLimit(.minutes(1)))
  func manyClips() async throws {
    let count = 100_000
    var take = StagedTake("many")
    take.clip = nil
    take.content["clips"] = (0..<count).map {
      ["file": "many-\($0 / 2 * 2).mp4", "speed": "1/8", "fps": 30, "frames": 4, "held": 1]
    }
    try write(take)
    let entry = try #require(try await library.entries().first)
    let problems = entry.notingShared().problems
    #expect(problems.count { if case .clipMissing = $0 { true } else { false } } == count / 2)
    #expect(problems.count { if case .repeated = $0 { true } else { false } } == count / 2)
  }

  @Test("tells that a take file has a number that its type cannot hold, and is not only damaged JSON")
  func unfittingNumber() async throws {
    var take = StagedTake("odd")
    take.content["frames"] = [
      "sent": 1.5, "written": 3, "lost": ["driver": 0, "corrupt": 0, "ring": 0, "disk": 0],
    ]
    try write(take)
    guard case .damagedTake(let reason)? = try await library.entries().first?.kind else {
      Issue.record("it is listed as a take")
      return
    }
    #expect(reason.contains("one of its numbers is too large, or has a fraction"), "\(reason)")
  }

  @Test("lists a take file whose keys another program put in another order")
  func reordered() async throws {
    try write(StagedTake("a"))
    let file = folder.path("a.take.json")
    var take = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: file))) as? [String: Any])
    take["label"] = "milk"
    // The lists come before keys that follow them in the alphabet.
    try JSONSerialization.data(withJSONObject: take, options: [.sortedKeys, .prettyPrinted])
      .write(to: URL(filePath: file))
    let entry = try #require(try await library.entries().first)
    #expect(entry.description?.label == "milk")
    #expect(entry.problems.isEmpty)
    // All that a take must have comes before the lists, and what it may lack behind them.
    let lists = ["sequence", "timestamp_ns"]
    let optional = ["label", "master", "trigger", "failure", "measured_fps", "wanted_clip"]
    let keys = take.keys.filter { !(lists + optional).contains($0) } + lists + optional
    let text = try keys.filter { take[$0] != nil }.map { key in
      let value = try JSONSerialization.data(withJSONObject: take[key] as Any, options: .fragmentsAllowed)
      return "\"\(key)\": \(String(decoding: value, as: UTF8.self))"
    }
    try Data("{\(text.joined(separator: ", "))}".utf8).write(to: URL(filePath: file))
    #expect(try await library.entries().first?.description == entry.description)
  }

  @Test("finds a take by any of its files, its name, its label, and as the latest")
  func names() async throws {
    var take = StagedTake("drop")
    take.content["label"] = "milk"
    try write(take)
    try write(StagedTake("older", startedAt: "2020-01-01T00:00:00Z"))
    for name in [
      "drop", "drop.mp4", "drop.master.mov", "drop.take.json", "milk", "latest", folder.path("drop.mp4"),
    ] {
      #expect(try await library.entry(named: name).name == "drop", "\(name)")
    }
    await #expect(throws: OvercrankError.self) { try await library.entry(named: "none") }
    for name in ["gone.mp4", "gone.master.mov", "gone.master.mov.part", "gone.take.json"] {
      #expect(library.entry(at: FilePath(folder.path(name))) == nil, "\(name)")
    }
    take.name = "twin"
    try write(take)
    do {
      _ = try await library.entry(named: "milk")
      Issue.record("one of two takes was chosen")
    } catch {
      #expect(error.description.contains("twin") && error.description.contains("drop"), "\(error)")
    }
  }

  @Test("finds a take by its label in the working folder too, with or without a library")
  func labelHere() async throws {
    let here = try TemporaryFolder()
    let label = "milk"
    var take = StagedTake("elsewhere")
    take.content["label"] = label
    try take.write(to: here.url.path)
    let missing = TakeLibrary(FilePath(folder.path("none")), version: "0.1.0")
    // The library need not exist, so that is not what is wrong.
    let error = await #expect(throws: OvercrankError.self) { try await missing.entry(named: "nothing") }
    #expect(error?.description.contains("\"nothing\" is neither the name nor the label") == true)
    for library in [library, missing] {
      #expect(try await library.entry(named: label, from: FilePath(here.url.path)).name == take.name)
    }
    // If the library has it, that one is found.
    take.name = "drop"
    try write(take)
    #expect(try await library.entry(named: label, from: FilePath(here.url.path)).name == "drop")
  }

  @Test("finds a take by a clip that was rendered later, under any name")
  func laterClip() async throws {
    var take = StagedTake("drop")
    take.content["clips"] = [
      ["file": "drop.mp4", "speed": "1/8", "fps": 30, "frames": 4, "held": 1],
      ["file": "faster.mp4", "speed": "1/4", "fps": 30, "frames": 2, "held": 0],
      ["file": "twin.mp4", "speed": "1/2", "fps": 30, "frames": 1, "held": 0],
    ]
    try write(take)
    try write(StagedTake("other"))
    // A clip with the name of another take.
    var twin = StagedTake("twin")
    (twin.clip, twin.content["clips"]) = (nil, [Any]())
    try write(twin)
    for name in ["faster.mp4", "twin.mp4", "stranger.mp4"] {
      try Data("film".utf8).write(to: folder.url.appending(path: name))
    }
    for name in ["faster.mp4", "twin.mp4"] {
      #expect(library.entry(at: FilePath(folder.path(name)))?.name == "drop", "\(name)")
      #expect(try await library.entry(named: name).name == "drop", "\(name)")
    }
    #expect(library.entry(at: FilePath(folder.path("stranger.mp4"))) == nil)
    #expect(library.entry(at: FilePath(folder.path("twin.master.mov")))?.name == "twin")
    await #expect(throws: OvercrankError.self) { try await library.entry(named: "stranger.mp4") }
  }

  @Test("follows no link to another folder, and one in the same folder")
  func links() async throws {
    let elsewhere = try TemporaryFolder()
    for (name, folder) in [("out", elsewhere), ("in", folder)] {
      try write(StagedTake(name))
      let master = self.folder.path("\(name).master.mov")
      let target = folder.path("target-\(name).mov")
      try FileManager.default.moveItem(atPath: master, toPath: target)
      try FileManager.default.createSymbolicLink(atPath: master, withDestinationPath: target)
    }
    let entries = try await library.entries().filter { $0.description != nil }
    let named = Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0) })
    #expect(named["out"]?.master == nil && named["out"]?.problems == [.outside("out.master.mov")])
    #expect(named["in"]?.master != nil && named["in"]?.problems == [])
  }

  @Test("reads no take file behind a link to another folder")
  func linkedTake() async throws {
    let elsewhere = try TemporaryFolder()
    try StagedTake("out").write(to: elsewhere.url.path)
    let target = elsewhere.path("out.take.json")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("out.take.json"), withDestinationPath: target)
    let entry = try #require(try await library.entries().first)
    guard case .unreadableTake(let error) = entry.kind else {
      Issue.record("\(entry.kind)")
      return
    }
    #expect(error.code == .noInput && !error.description.contains(elsewhere.url.path))
  }

  @Test("lists a take, and not its master, whose recording ends while the folder is read")
  func movedOn() throws {
    try write(StagedTake("a"))
    let master = FilePath(folder.path("a.master.mov"))
    #expect(LibraryEntry(.takelessMaster, of: master).hasMovedOn)
    let lone = FilePath(folder.path("lone.master.mov"))
    try Data().write(to: URL(filePath: lone.string))
    #expect(!LibraryEntry(.takelessMaster, of: lone).hasMovedOn)
    let part = LibraryEntry(.part, of: FilePath(folder.path("a.master.mov.part")))
    #expect(part.hasMovedOn && part.partState == .growing)
    #expect(library.entry(at: master)?.hasMovedOn == false)
  }

  @Test("names the parts of clips that were cut off with the take that they belong to")
  func unfinishedClips() async throws {
    for name in ["drop", "drop-1"] { try write(StagedTake(name)) }
    let parts = ["drop-slow.mp4.part", "drop-slow-2.gif.part", "drop-1-slow.mp4.part", "other.mp4.part"]
    for name in parts + ["drop.txt.part"] { try folder.leavePart(name) }
    // Another program's, such as a browser's.
    try Data("x".utf8).write(to: folder.url.appending(path: "drop-holiday.mp4.part"))
    var problems: [String: [LibraryEntry.Problem]] = [:]
    for entry in try await library.entries() { problems[entry.name] = entry.problems }
    #expect(problems["drop-1"] == [.clipUnfinished("drop-1-slow.mp4.part")])
    #expect(Set(problems["drop"] ?? []) == Set(parts.prefix(2).map { .clipUnfinished($0) }))
    // One that is being made is not cut off.
    let held = try OutputFile(FilePath(folder.path("drop-1-slow.mp4")), canBeMadeAgain: true)
    #expect(try await library.entries().first { $0.name == "drop-1" }?.problems == [])
    _ = consume held
  }

  @Test("lists no part of a take or group file that another program made")
  func foreignUnfinishedFiles() async throws {
    let theirs = ["j.group.json.part", "j-A.take.json.part"]
    for name in theirs { try Data("theirs".utf8).write(to: folder.url.appending(path: name)) }
    #expect(try await library.entries().isEmpty)
    for name in theirs {
      let path = FilePath(folder.path(name))
      #expect(library.entry(at: path) == nil)
      let failure = await #expect(throws: OvercrankError.self) { try await library.item(named: path.string) }
      #expect(failure?.code == .noInput)
      try folder.leavePart(name)
      #expect(library.entry(at: path)?.kind == .unfinishedFile)
    }
    #expect(try await library.entries().count == 2)
  }

  @Test("distinguishes empty parts from those that can be recovered, and removes only the empty ones")
  func parts() throws {
    let format = try #require(MasterFormat(.mjpeg))
    let frames = FrameFormat(.mjpeg, width: 320, height: 240)
    for name in ["empty", "busy"] {
      let writer = try MasterWriter(
        to: FilePath(folder.path("\(name).master.mov")), as: format, of: frames, replacing: false)
      try writer.checkpoint()
      // As a kill leaves it: the writer's own end would remove it.
      for file in ["\(name).master.mov.part", "\(name).master.mov.part.journal"] {
        try FileManager.default.copyItem(atPath: folder.path(file), toPath: folder.path(file + ".kept"))
      }
    }
    for file in try folder.names where file.hasSuffix(".kept") {
      try FileManager.default.moveItem(
        atPath: folder.path(file), toPath: folder.path(String(file.dropLast(5))))
    }
    // Bytes that might be a user's, and a part whose journal is gone.
    let part = try FileHandle(forWritingTo: folder.url.appending(path: "busy.master.mov.part"))
    try part.seekToEnd()
    try part.write(contentsOf: Data(repeating: 7, count: 4096))
    try part.close()
    try Data("x".utf8).write(to: folder.url.appending(path: "lost.master.mov.part"))
    let held = try MasterWriter(
      to: FilePath(folder.path("growing.master.mov")), as: format, of: frames, replacing: false)
    func state(_ name: String) -> LibraryEntry.PartState? {
      library.entry(at: FilePath(folder.path("\(name).master.mov.part")))?.partState
    }
    let states = ["empty", "busy", "lost", "growing"].map(state)
    #expect(states == [.empty, .cutOff, .cutOff, .growing])
    library.removeEmptyParts()
    #expect(["empty", "busy", "lost", "growing"].map(state) == [nil, .cutOff, .cutOff, .growing])
    #expect(try !folder.names.contains { $0.hasPrefix("empty") })
    _ = held
  }

  @Test(
    "reads a take file up to its lists, however it is written",
    arguments: [
      (#"{"a":1,"sequence":[1]}"#, #"{"a":1}"#), (#"{ "a" : 1 , "sequence" : [1]}"#, #"{ "a" : 1}"#),
      (
        #"{"a":{"sequence":[1]},"b":"sequence","c":"\"sequence\":","timestamp_ns":[]}"#,
        #"{"a":{"sequence":[1]},"b":"sequence","c":"\"sequence\":"}"#
      ),
      (#"{"sequence":[]}"#, "{}"), (#"{"a":1}"#, nil), (#"{"a":"\"#, nil), (#"{"sequence"#, nil), ("", nil),
    ] as [(String, String?)])
  func head(_ text: String, _ expected: String?) {
    let bytes = Array(text.utf8)
    let head = TakeFileHead.end(in: bytes).map { TakeFileHead.closed(bytes[..<$0]) }
    #expect(head.map { String(decoding: $0, as: UTF8.self) } == expected)
  }

  @Test("compares versions by their numbers")
  func versions() {
    #expect(SemanticVersion("0.10.0") > SemanticVersion("0.9.9"))
    #expect(SemanticVersion("1") > SemanticVersion("0.99.99"))
    #expect(SemanticVersion("0.1.0-beta") == SemanticVersion("0.1.0"))
    #expect(SemanticVersion("") == SemanticVersion("x"))
  }
}
