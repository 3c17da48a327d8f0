import Platform
import FrameJudge
import Foundation
import SystemPackage
import Testing

@testable import Platform

@Suite("A verified copy")
struct VerifiedCopyTests {
  let folder: TemporaryFolder
  let source: FilePath
  let target: FilePath
  let content: Data

  init() throws {
    folder = try TemporaryFolder()
    source = FilePath(folder.path("a"))
    target = FilePath(folder.path("b"))
    var chance = SplitMix(state: 5)
    content = Data((0..<(2 << 20) + 777).map { _ in UInt8(truncatingIfNeeded: chance.next()) })
    try content.write(to: URL(filePath: source.string))
  }

  private func copy(_ progress: (VerifiedCopy.Step, Int64) -> Bool = { _, _ in true }) throws -> VerifiedCopy?
  {
    try VerifiedCopy(of: source, at: target, progress: progress)
  }

  private func bytes(_ path: FilePath) throws -> Data { try Data(contentsOf: URL(filePath: path.string)) }

  @Test("is equal, and a second one recognises it")
  func twice() throws {
    var steps: [VerifiedCopy.Step: Int64] = [:]
    let first = try #require(
      try copy { step, count in
        steps[step, default: 0] += count
        return true
      })
    #expect(!first.wasThere)
    #expect(try bytes(target) == content)
    #expect(steps[.copying] == Int64(content.count))
    let second = try #require(try copy())
    #expect(second.wasThere)
    try second.removeSource()
    #expect(try folder.names == ["b"])
  }

  @Test("of an empty file is empty")
  func empty() throws {
    try Data().write(to: URL(filePath: source.string))
    #expect(try copy()?.size == 0)
    #expect(try bytes(target).isEmpty)
  }

  @Test("leaves another file of its name unchanged", arguments: [0, 1, 2 << 20])
  func other(_ size: Int) throws {
    try Data(content.prefix(size)).write(to: URL(filePath: target.string))
    #expect(throws: OvercrankError.self) { try copy() }
    #expect(try bytes(target) == content.prefix(size))
    #expect(try folder.names == ["a", "b"])
  }

  @Test("of a file to itself is refused")
  func itself() throws {
    for link in ["link", "symlink"] {
      try? FileManager.default.removeItem(atPath: target.string)
      if link == "link" {
        try FileManager.default.linkItem(atPath: source.string, toPath: target.string)
      } else {
        try FileManager.default.createSymbolicLink(atPath: target.string, withDestinationPath: source.string)
      }
      #expect(throws: OvercrankError.self) { try copy() }
      #expect(try bytes(source) == content)
    }
  }

  @Test(
    "is refused if something else than a file has its name, and the message says what",
    arguments: ["link", "dangling link", "link to the source", "folder", "pipe"], ["b", "b.copying"])
  func target(_ kind: String, _ name: String) throws {
    let path = folder.path(name)
    let link = ["link": "c", "dangling link": "none", "link to the source": "a"]
    if let destination = link[kind] {
      try Data("other".utf8).write(to: URL(filePath: folder.path("c")))
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: destination)
    } else if kind == "folder" {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    } else {
      #expect(mkfifo(path, 0o600) == 0)
    }
    let names = try folder.names
    do {
      _ = try copy()
      Issue.record("it was made")
    } catch let error as OvercrankError {
      #expect(error.code == .cannotCreate)
      #expect(error.remedy == nil)
      #expect(error.description.contains("ove it away"), "\(error)")
      if name == "b" {
        let others = kind == "folder" ? "is a folder" : "not a regular"
        let words = link[kind] != nil ? "is a symbolic link" : others
        #expect(error.description.contains(words), "\(error)")
      }
    }
    #expect(try folder.names == names)
    #expect(try bytes(source) == content)
    if link[kind] != nil { #expect(try bytes(FilePath(folder.path("c"))) == Data("other".utf8)) }
  }

  @Test("replaces the remains of one that was killed, but not one in progress")
  func liveLeftover() throws {
    try folder.leavePart("b.copying")
    _ = try copy()
    #expect(try folder.names == ["a", "b"])
    try FileManager.default.removeItem(atPath: target.string)
    var refusal: OvercrankError?
    _ = try copy { step, _ in
      guard step == .copying, refusal == nil else { return true }
      do throws(OvercrankError) {
        _ = try VerifiedCopy(of: source, at: target, progress: { _, _ in true })
      } catch {
        refusal = error
      }
      return true
    }
    #expect(refusal?.code == .busy)
    #expect(try bytes(target) == content)
  }

  @Test("of a source that changes during it is refused", arguments: [VerifiedCopy.Step.copying, .comparing])
  func changing(_ when: VerifiedCopy.Step) throws {
    let handle = try FileHandle(forWritingTo: URL(filePath: source.string))
    var isChanged = false
    #expect(throws: OvercrankError.self) {
      try copy { step, _ in
        guard step == when, !isChanged else { return true }
        isChanged = true
        // The bytes copied and compared so far, and the size, stay the same.
        try? handle.seek(toOffset: 10)
        try? handle.write(contentsOf: Data("changed".utf8))
        return true
      }
    }
    #expect(isChanged)
    #expect(try folder.names == ["a"])
  }

  @Test("keeps a source that has changed since")
  func changedSince() throws {
    let copy = try #require(try copy())
    try Data("new".utf8).write(to: URL(filePath: source.string))
    #expect(throws: OvercrankError.self) { try copy.removeSource() }
    #expect(try bytes(source) == Data("new".utf8))
  }

  @Test("that is stopped leaves nothing", arguments: [VerifiedCopy.Step.copying, .comparing])
  func stopped(_ when: VerifiedCopy.Step) throws {
    #expect(try copy { step, _ in step != when } == nil)
    #expect(try folder.names == ["a"])
  }

  @Test("replaces one that was cut off, but not a recording's part")
  func leftover() throws {
    try folder.leavePart("b.copying")
    try Data("film".utf8).write(to: URL(filePath: "\(target).part"))
    #expect(try copy() != nil)
    #expect(try folder.names == ["a", "b", "b.part"])
  }
}
