import FrameJudge
import Foundation
import Platform
import SystemPackage
import Takes
import Testing

@testable import Overcrank

@Suite("A group as an item of the library")
struct StoredGroupItemTests {
  private let folder: TemporaryFolder
  private let elsewhere: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    elsewhere = try TemporaryFolder()
  }

  private var library: TakeLibrary { TakeLibrary(FilePath(folder.url.path)) }
  private var trash: Trash { Trash(of: library) }

  /// Writes the group of these takes, with a clip of all cameras, and returns it.
  @discardableResult
  private func write(_ name: String = "jump", cameras: [String] = ["A", "B"]) throws -> StoredGroup {
    for camera in cameras { try StagedTake("\(name)-\(camera)").write(to: folder.url.path) }
    try Data("clip".utf8).write(to: folder.url.appending(path: "\(name)-slow.mp4"))
    let path = FilePath(folder.path("\(name).group.json"))
    try TakeGroup(
      overcrank: "0.2.0",
      // Another spelling of the same place.
      cameras: cameras.map { .init(name: $0, take: ($0 == "B" ? "./" : "") + "\(name)-\($0).take.json") }
    ).write(to: path, replacing: false)
    return try StoredGroup(path)
  }

  private func contents() throws -> [String: Data] {
    try Dictionary(
      uniqueKeysWithValues: folder.names.filter { $0 != ".trash" }
        .map { ($0, try Data(contentsOf: folder.url.appending(path: $0))) })
  }

  private func code(_ body: () throws -> Void) -> OvercrankError.Code? {
    do { try body() } catch { return (error as? OvercrankError)?.code }
    return nil
  }

  @Test("is found by its file, its name, and the label that exactly its takes have")
  func named() async throws {
    let group = try write()
    try StagedTake("other").write(to: folder.url.path)
    #expect(group.takes.map(\.name) == ["jump-A", "jump-B"])
    #expect(group.clips.map(\.name) == ["jump-slow.mp4"] && group.label == nil)
    for name in ["jump", "jump.group.json", group.path.string] {
      #expect(try await library.item(named: name) == .group(group), "\(name)")
    }
    try group.setLabel("over the wall")
    #expect(group.label == "over the wall")
    #expect(try await library.item(named: "over the wall") == .group(group))
    // Another item with the label makes it ambiguous, and where a single take is meant, a group is none.
    try #require(library.entry(at: FilePath(folder.path("other.take.json")))).setLabel("over the wall")
    for name in ["over the wall", "jump"] {
      let error = await #expect(throws: OvercrankError.self) { try await library.entry(named: name) }
      #expect(error?.code == .outOfRange, "\(name)")
    }
    // A take of the group's name comes first.
    try StagedTake("jump").write(to: folder.url.path)
    #expect(try await library.entry(named: "jump").path == FilePath(folder.path("jump.take.json")))
  }

  @Test("is not labelled if one of its takes is missing")
  func halfThere() throws {
    let group = try write()
    try FileManager.default.removeItem(atPath: folder.path("jump-B.take.json"))
    #expect(code { try group.setLabel("milk") } == .noInput)
    #expect(group.takes.map(\.label) == [nil])
  }

  @Test("is removed with its takes, clips and file, or not at all; other groups of a take forget it")
  func removed() throws {
    let group = try write()
    try StagedTake("other").write(to: folder.url.path)
    let second = FilePath(folder.path("second.group.json"))
    try TakeGroup(
      overcrank: "0.2.0",
      cameras: ["other", "jump-B"].map { .init(name: $0, take: "\($0).take.json") }
    ).write(to: second, replacing: false)
    let before = try contents()
    for name in ["jump-B.master.mov", "jump-slow.mp4"] {
      let held = try FileLock([FilePath(folder.path(name))], for: .reading)
      #expect(code { try group.remove() } == .busy)
      #expect(code { _ = try trash.add(group) } == .busy)
      held.release()
    }
    #expect(try contents() == before)
    var removed: [String] = []
    let changed = try group.remove { removed.append($0.name) }
    #expect(changed == [second])
    #expect(removed.first == "jump-slow.mp4" && removed.last == "jump.group.json" && removed.count == 8)
    #expect(try StoredGroup(second).group.cameras.map(\.name) == ["other"])
    #expect(
      try contents().keys.sorted() == [
        "other.master.mov", "other.mp4", "other.take.json", "second.group.json",
      ])
  }

  /// Replaces the file of `group` by something that cannot be read, and returns that as an item.
  private func damage(_ group: StoredGroup, _ kind: String) throws -> LibraryEntry {
    let path = group.path.string
    let text = try Data(contentsOf: URL(filePath: path))
    try FileManager.default.removeItem(atPath: path)
    switch kind {
    case "cut off": try text.dropLast(20).write(to: URL(filePath: path))
    case "empty": try Data().write(to: URL(filePath: path))
    default:
      let far = elsewhere.path("far.json")
      try text.write(to: URL(filePath: far))
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: far)
    }
    return try #require(library.entry(at: group.path))
  }

  @Test(
    "whose file cannot be read loses no take, until that file is removed alone",
    arguments: ["cut off", "empty", "link"], [false, true])
  func unreadable(kind: String, goesToTrash: Bool) throws {
    let group = try write(cameras: ["A", "B"])
    try StagedTake("other").write(to: folder.url.path)
    let file = try damage(group, kind)
    #expect(file.isDamagedGroup)
    let before = try contents()
    for take in group.takes {
      #expect(code { try take.remove() } == .badData)
      #expect(code { try take.removeRemains() } == .badData)
      #expect(code { _ = try trash.add(take) } == .badData)
    }
    #expect(try contents() == before)
    // What no group file can mean is removed, and so are clips.
    try #require(library.entry(at: FilePath(folder.path("other.take.json")))).remove()
    try group.takes[0].remove(keeping: .master)
    #expect(code { try file.remove(keeping: .master) } == .noInput)
    let rest = try folder.names.filter { $0 != ".trash" && $0 != "jump.group.json" }
    if goesToTrash {
      _ = try trash.add(file)
      #expect(trash.entries.map(\.path.name) == ["jump.group.json"])
      _ = try trash.restore(#require(trash.entries.first))
      #expect(library.entry(at: group.path) == file)
      _ = try trash.add(file)
    } else {
      var removed: [FilePath] = []
      try file.remove { removed.append($0) }
      #expect(removed == [group.path])
    }
    #expect(try folder.names.filter { $0 != ".trash" } == rest)
    for take in group.takes { try take.remove() }
    #expect(try folder.names.filter { $0 != ".trash" } == ["jump-slow.mp4"])
  }

  @Test("called otherwise is refused by the takes that its unreadable file names")
  func unreadableNames() throws {
    let group = try write(cameras: ["A", "B"])
    let path = folder.path("leap.group.json")
    try FileManager.default.moveItem(atPath: group.path.string, toPath: path)
    _ = try damage(StoredGroup(FilePath(path)), "cut off")
    try StagedTake("p-A").write(to: folder.url.path)
    try #require(library.entry(at: FilePath(folder.path("p-A.take.json")))).remove()
    for take in group.takes { #expect(code { try take.remove() } == .badData, "\(take.path)") }
  }

  @Test("goes with the second name that a hard link gives its file")
  func hardLink() throws {
    let group = try write()
    try FileManager.default.linkItem(
      atPath: group.path.string, toPath: folder.path("twin.group.json"))
    // One of its takes is missing, so not all of those that the second name lists are removed.
    for name in ["jump-B.take.json", "jump-B.mp4", "jump-B.master.mov"] {
      try FileManager.default.removeItem(atPath: folder.path(name))
    }
    var removed: [String] = []
    #expect(try group.remove { removed.append($0.name) } == [])
    #expect(removed.contains("twin.group.json") && removed.last == "jump.group.json")
    #expect(try folder.names.isEmpty)
  }

  @Test("keeps what it is asked to keep, and an interrupted removal can be repeated")
  func kept() throws {
    let group = try write()
    try group.remove(keeping: .master)
    #expect(group.takes.allSatisfy { $0.clips.isEmpty && $0.master != nil } && group.clips.isEmpty)
    #expect(code { try group.remove(keeping: .clips) } == .noInput)
    try FileManager.default.removeItem(atPath: folder.path("jump-A.take.json"))
    try FileManager.default.removeItem(atPath: folder.path("jump-A.master.mov"))
    try group.remove()
    #expect(try folder.names.isEmpty)
  }

  @Test("goes to the trash as a whole, and comes back by any of its takes")
  func trashed() throws {
    let group = try write()
    let before = try contents()
    let path = try trash.add(group)
    #expect(path.name == "jump-A.take.json" && trash.entries.map(\.name).sorted() == ["jump-A", "jump-B"])
    #expect(try contents().isEmpty && library.groups.isEmpty)
    _ = try trash.restore(#require(trash.entries.first { $0.name == "jump-B" }))
    #expect(try contents() == before && trash.entries.isEmpty)
    // Without a take here, nothing could be put back.
    for take in group.takes { try take.removeRemains() }
    #expect(library.groups.isEmpty)
    #expect(code { _ = try trash.add(group) } == .noInput)
  }

  @Test("goes with its last take, and forgets a take that was deleted from the trash")
  func last() throws {
    let group = try write()
    let before = try contents()
    _ = try trash.add(group.takes[0])
    #expect(try group.path.exists && StoredGroup(group.path).takes.map(\.name) == ["jump-B"])
    _ = try trash.add(StoredGroup(group.path).takes[0])
    #expect(try contents().isEmpty)
    for name in ["jump-B", "jump-A"] {
      _ = try trash.restore(#require(trash.entries.first { $0.name == name }))
    }
    #expect(try contents() == before)
    _ = try trash.add(group.takes[0])
    try trash.empty()
    #expect(try StoredGroup(group.path).group.cameras.map(\.name) == ["B"])
  }

  @Test("in another folder is not followed by a link, and the link is listed as what cannot be read")
  func linked() async throws {
    try write()
    let other = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: other.path("far.group.json"), withDestinationPath: folder.path("jump.group.json"))
    let entries = try await TakeLibrary(FilePath(other.url.path)).entries()
    #expect(entries.map(\.name) == ["far"] && TakeLibrary(FilePath(other.url.path)).groups.isEmpty)
    let entry = try #require(entries.first)
    guard case .damagedGroup(let error) = entry.kind else {
      Issue.record("\(entry.kind)")
      return
    }
    #expect(error.code == .noInput && error.description.contains("link to another folder"))
  }

  @Test("of which a take is missing or a clip is damaged is not intact")
  func verified() throws {
    let group = try write()
    var findings = try TakeVerification(group).findings
    #expect(findings.map(\.file.name) == ["jump-slow.mp4"])
    try FileManager.default.removeItem(atPath: folder.path("jump-slow.mp4"))
    #expect(try TakeVerification(group).isSound)
    try FileManager.default.removeItem(atPath: folder.path("jump-B.take.json"))
    findings = try TakeVerification(group).findings
    #expect(findings.map(\.file.name) == ["jump.group.json"] && findings[0].words.contains("camera B"))
  }
}
