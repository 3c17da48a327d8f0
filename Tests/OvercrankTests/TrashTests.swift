import FrameJudge
import Foundation
import Platform
import SystemPackage
import Takes
import Testing

@testable import Overcrank

@Suite("The trash of a library")
struct TrashTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var library: TakeLibrary { TakeLibrary(FilePath(folder.url.path)) }
  private var trash: Trash { Trash(of: library) }

  /// The files of the library by their paths in it, with their contents.
  private func contents() throws -> [String: Data] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
    let files = paths.filter { path in
      (try? Stat(FilePath(folder.path(path))))?.type == .regular
    }
    return try Dictionary(
      uniqueKeysWithValues: files.map { ($0, try Data(contentsOf: folder.url.appending(path: $0))) })
  }

  private func entry(_ name: String) async throws -> LibraryEntry {
    try #require(try await library.entries().first { $0.name == name })
  }

  @Test("keeps a take with all its files, and gives it back unchanged")
  func restored() async throws {
    for name in ["a", "b"] { try StagedTake(name).write(to: folder.url.path) }
    let before = try contents()
    let path = try trash.add(await entry("a"))
    #expect(try await library.entries().map(\.name) == ["b"])
    let removed = try #require(trash.entries.first)
    #expect(trash.entries.count == 1 && removed.path == path && removed.problems.isEmpty)
    #expect(Set(try contents().values) == Set(before.values))
    let restored = try trash.restore(removed)
    #expect(restored == FilePath(folder.path("a.take.json")))
    #expect(try contents() == before)
    #expect(trash.entries.isEmpty)
  }

  @Test("is never a link to another folder")
  func link() async throws {
    try StagedTake("a").write(to: folder.url.path)
    let elsewhere = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(".trash"), withDestinationPath: elsewhere.url.path)
    let before = try contents()
    let entry = try await entry("a")
    let error = #expect(throws: OvercrankError.self) { try trash.add(entry) }
    #expect(error?.code == .cannotCreate)
    #expect(try contents() == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.url.path).isEmpty)
  }

  @Test("has a place for each of several items of one name, the one removed last first")
  func sameName() async throws {
    for label in ["first", "second"] {
      try StagedTake("a").write(to: folder.url.path)
      try await entry("a").setLabel(label)
      _ = try trash.add(await entry("a"))
    }
    #expect(trash.entries.compactMap(\.label) == ["second", "first"])
    _ = try trash.restore(#require(trash.entries.last))
    #expect(try await entry("a").label == "first")
    // The other one has no room now, and loses nothing.
    let before = try contents()
    let other = try #require(trash.entries.first)
    let error = #expect(throws: OvercrankError.self) { try trash.restore(other) }
    #expect(error?.code == .cannotCreate && error?.description.contains("already exists") == true)
    #expect(try contents() == before)
  }

  @Test("continues an interrupted removal, and an interrupted restoration")
  func interrupted() async throws {
    try StagedTake("a").write(to: folder.url.path)
    let before = try contents()
    let place = folder.path(".trash/a")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: folder.path("a.mp4"), toPath: place + "/a.mp4")
    _ = try trash.add(await entry("a"))
    #expect(trash.entries.map(\.problems) == [[]])
    try FileManager.default.moveItem(atPath: place + "/a.mp4", toPath: folder.path("a.mp4"))
    _ = try trash.restore(#require(trash.entries.first))
    #expect(try contents() == before)
  }

  /// Moves the first `count` of `names` as a program does that is killed then.
  private func killed(moving names: [String], _ count: Int, isRemoval: Bool) throws {
    let place = FilePath(folder.path(".trash/a"))
    try FileManager.default.createDirectory(atPath: place.string, withIntermediateDirectories: true)
    let move = try TrashMove(
      of: names, from: isRemoval ? library.folder : place, to: isRemoval ? place : library.folder)
    for name in names.prefix(count) { try move.move(name) }
  }

  @Test("finishes what a killed program began", arguments: 0...3)
  func settled(moved count: Int) async throws {
    try StagedTake("a").write(to: folder.url.path)
    let before = try contents()
    let names = try await entry("a").files.map(\.name)
    try killed(moving: names, count, isRemoval: true)
    // Another program that has not finished yet, or uses the files, is left alone.
    let during = try contents()
    let last = try #require(names.last)
    let held = try FileLock(
      [FilePath(folder.path(last)), FilePath(folder.path(".trash/a/\(last)"))], for: .reading)
    if count < 3 {
      #expect(!trash.settle())
      #expect(try contents() == during)
    }
    held.release()
    #expect(trash.settle())
    #expect(try await library.entries().isEmpty)
    #expect(trash.entries.map(\.name) == ["a"] && trash.entries.map(\.problems) == [[]])
    try killed(moving: names, count, isRemoval: false)
    #expect(trash.settle())
    #expect(try contents() == before)
    #expect(!trash.settle())
  }

  @Test("takes no other file that has got the name of one since")
  func stranger() async throws {
    try StagedTake("a").write(to: folder.url.path)
    try killed(moving: try await entry("a").files.map(\.name), 1, isRemoval: true)
    try FileManager.default.removeItem(atPath: folder.path("a.master.mov"))
    try Data("mine".utf8).write(to: folder.url.appending(path: "a.master.mov"))
    #expect(trash.settle())
    #expect(try contents()["a.master.mov"] == Data("mine".utf8))
    #expect(try contents()[".trash/a/a.take.json"] != nil)
  }

  @Test("gives back a clip that an earlier version stranded")
  func stray() async throws {
    try StagedTake("a").write(to: folder.url.path)
    let before = try contents()
    let place = folder.path(".trash/a")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: folder.path("a.mp4"), toPath: place + "/a.mp4")
    #expect(trash.settle())
    #expect(try contents() == before)
  }

  @Test("moves nothing if one of the files cannot be moved")
  func undone() async throws {
    try StagedTake("a").write(to: folder.url.path)
    let path = try trash.add(await entry("a"))
    let before = try contents()
    let removed = try #require(trash.entries.first)
    // A dangling link, which is not seen before.
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("a.take.json"), withDestinationPath: folder.path("nowhere"))
    #expect(throws: OvercrankError.self) { try trash.restore(removed) }
    #expect(try contents() == before && path.exists)
  }

  @Test("does not take an item in use, a damaged one, or a video that another take names")
  func refused() async throws {
    try StagedTake("a").write(to: folder.url.path)
    let lock = try FileLock([FilePath(folder.path("a.master.mov"))], for: .reading)
    var before = try contents()
    let entry = try await entry("a")
    #expect(throws: OvercrankError.self) { try trash.add(entry) }
    #expect(try contents() == before)
    lock.release()
    try Data("{".utf8).write(to: folder.url.appending(path: "b.take.json"))
    before = try contents()
    let damaged = try await self.entry("b")
    #expect(throws: OvercrankError.self) { try trash.add(damaged) }
    #expect(try contents() == before)
  }

  @Test("is emptied of what was removed long enough ago, and follows no link")
  func emptied() async throws {
    for name in ["a", "b"] { try StagedTake(name).write(to: folder.url.path) }
    for name in ["a", "b"] { _ = try trash.add(await entry(name)) }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -31 * 24 * 3600)], ofItemAtPath: folder.path(".trash/a"))
    let elsewhere = try TemporaryFolder()
    try StagedTake("mine").write(to: elsewhere.url.path)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(".trash/link"), withDestinationPath: elsewhere.url.path)
    let mine = try elsewhere.names
    try trash.empty(olderThan: Trash.keepingTime)
    #expect(trash.entries.map(\.name) == ["b"])
    try trash.empty()
    #expect(trash.entries.isEmpty)
    #expect(try elsewhere.names == mine)
  }

  @Test("is not needed for a clip, which is deleted alone")
  func clip() async throws {
    try StagedTake("a").write(to: folder.url.path)
    let name = try #require(try await entry("a").clips.first).name
    try await entry("a").removeClip(named: name)
    let rest = try await entry("a")
    #expect(rest.clips.isEmpty && rest.master != nil && rest.problems.isEmpty)
    #expect(rest.description?.clips.isEmpty == true && !FilePath(folder.path(name)).exists)
    let error = #expect(throws: OvercrankError.self) { try rest.removeClip(named: name) }
    #expect(error?.code == .noInput)
  }
}
