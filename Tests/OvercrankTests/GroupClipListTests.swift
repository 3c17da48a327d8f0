import FrameJudge
import Foundation
import Platform
import SystemPackage
import Takes
import Testing

@testable import Overcrank

@Suite("The clips that a group's file lists")
struct GroupClipListTests {
  private let folder: TemporaryFolder
  private let target: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    target = try TemporaryFolder()
  }

  private static func clip(_ name: String, frames: Int = 24) -> Take.Clip {
    Take.Clip(file: name, speed: "1/8", framesPerSecond: 30, frames: frames, held: 0)
  }

  /// Writes the takes of a group, its file and the files of these clips, which the file lists.
  private func write(_ name: String = "jump", clips: [String] = ["both.mp4", "jump-slow.mp4"]) throws
    -> StoredGroup
  {
    for camera in ["A", "B"] { try StagedTake("\(name)-\(camera)").write(to: folder.url.path) }
    for clip in clips { try Data("clip".utf8).write(to: folder.url.appending(path: clip)) }
    let path = FilePath(folder.path("\(name).group.json"))
    try TakeGroup(
      overcrank: "0.2.0", cameras: ["A", "B"].map { .init(name: $0, take: "\(name)-\($0).take.json") },
      clips: clips.map { Self.clip($0) }
    ).write(to: path, replacing: false)
    return try StoredGroup(path)
  }

  private func listed(_ group: StoredGroup) throws -> [String] {
    try StoredGroup(group.path).group.clips.map(\.file)
  }

  private func names(_ group: StoredGroup) -> [String] { group.clips.map(\.name).sorted() }

  @Test("are its own whatever their names, beside unlisted ones, and one that is made anew is listed once")
  func own() throws {
    let group = try write()
    for name in ["jump-slow-2.mp4", "other.mp4"] {
      try Data("clip".utf8).write(to: folder.url.appending(path: name))
    }
    #expect(names(group) == ["both.mp4", "jump-slow-2.mp4", "jump-slow.mp4"])
    #expect(group.listing(of: FilePath(folder.path("both.mp4")))?.speed == "1/8")
    #expect(group.listing(of: FilePath(folder.path("jump-slow-2.mp4"))) == nil)
    try group.enter(Self.clip("both.mp4", frames: 48))
    let now = try StoredGroup(group.path).group
    #expect(now.clips.map(\.file) == ["jump-slow.mp4", "both.mp4"] && now.clips[1].frames == 48)
    #expect(now.cameras == group.group.cameras)
  }

  @Test("lead to no other folder, and to no video of a take")
  func strange() throws {
    var group = try write(clips: []).group
    group.clips = ["../far.mp4", "sub/near.mp4", "notes.txt", "jump-A.mp4", "jump-A.master.mov", "gone.mp4"]
      .map { Self.clip($0) }
    let path = FilePath(folder.path("jump.group.json"))
    try group.write(to: path, replacing: true)
    let stored = try StoredGroup(path)
    #expect(stored.clips.isEmpty)
    #expect(
      stored.problems == [
        .outside("../far.mp4"), .outside("sub/near.mp4"), .outside("notes.txt"), .clipMissing("gone.mp4"),
      ])
    #expect(try TakeVerification(stored).findings.map(\.file) == Array(repeating: path, count: 4))
  }

  @Test("are deleted with it and one by one, and its file then lists no longer what is gone")
  func removed() throws {
    let group = try write()
    try group.removeClip(FilePath(folder.path("both.mp4")))
    #expect(try listed(group) == ["jump-slow.mp4"] && names(group) == ["jump-slow.mp4"])
    // Another program uses the last one: nothing of it is deleted, and it stays listed.
    let held = try FileLock([FilePath(folder.path("jump-slow.mp4"))], for: .reading)
    #expect(throws: OvercrankError.self) { try group.removeClip(FilePath(folder.path("jump-slow.mp4"))) }
    held.release()
    #expect(try listed(group) == ["jump-slow.mp4"])
    try StoredGroup(group.path).remove(keeping: .master)
    #expect(try listed(group).isEmpty && StoredGroup(group.path).problems.isEmpty)
    try group.enter(Self.clip("both.mp4"))
    try Data("clip".utf8).write(to: folder.url.appending(path: "both.mp4"))
    try StoredGroup(group.path).remove()
    #expect(try folder.names.isEmpty)
  }

  @Test("stay if another group lists them too")
  func shared() throws {
    let group = try write()
    let copy = FilePath(folder.path("copy.group.json"))
    try FileManager.default.copyItem(atPath: group.path.string, toPath: copy.string)
    try group.removeClip(FilePath(folder.path("both.mp4")))
    #expect(try listed(group) == ["jump-slow.mp4"] && folder.names.contains("both.mp4"))
    #expect(group.sharedFiles(removedKeeping: .nothing).map(\.name).contains("jump-slow.mp4"))
    try StoredGroup(group.path).remove()
    #expect(try folder.names == ["both.mp4", "jump-slow.mp4"])
  }

  @Test("go with it to the trash, and come back")
  func trashed() throws {
    let group = try write()
    let before = try folder.names
    let trash = Trash(of: TakeLibrary(FilePath(folder.url.path)))
    let path = try trash.add(group)
    #expect(try folder.names == [".trash"])
    _ = try trash.restore(#require(trash.entries.first { $0.path == path }))
    #expect(try folder.names == before && listed(group) == ["both.mp4", "jump-slow.mp4"])
  }

  @Test("that an export moved are not missing, and are found when the group follows")
  func moved() throws {
    let group = try write()
    let clips = TakeExport(to: FilePath(target.url.path), .clips, moving: true)
    #expect(clips.run(group.takes).allSatisfy { $0.isComplete })
    let left = try StoredGroup(group.path)
    #expect(left.group.clips.map(\.isMoved) == [true, true] && left.clips.isEmpty && left.problems.isEmpty)
    // A copy of the file from before is the same group.
    var former = left.group
    former.clips = former.clips.map { clip in
      var clip = clip
      clip.isMoved = nil
      return clip
    }
    let there = FilePath(target.path("jump.group.json"))
    try former.write(to: there, replacing: false)
    let all = TakeExport(to: FilePath(target.url.path), moving: true)
    #expect(all.run(left.takes).allSatisfy { $0.isComplete })
    #expect(try folder.names.isEmpty)
    #expect(try names(StoredGroup(there)) == ["both.mp4", "jump-slow.mp4"])
  }

  @Test("keep the group's file from a destination that is the file itself")
  func sameFile() throws {
    let group = try write()
    try FileManager.default.linkItem(
      atPath: group.path.string, toPath: target.path("jump.group.json"))
    let outcomes = TakeExport(to: FilePath(target.url.path), moving: true).run(group.takes)
    #expect(outcomes.contains { $0.failure?.code == .cannotCreate })
    #expect(try folder.names.contains("jump.group.json"))
    // Its clips were moved before, and are not missing.
    #expect(try StoredGroup(group.path).problems.isEmpty)
  }
}
