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

  init() throws { folder = try TemporaryFolder() }

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
