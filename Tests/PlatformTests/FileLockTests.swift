import Platform
import FrameJudge
import Foundation
import SystemPackage
import Testing
import Timebase

@testable import Platform

@Suite("A lock on files", .timeLimit(.minutes(1)))
struct FileLockTests {
  let folder: TemporaryFolder
  let files: [FilePath]

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a", "b"] { try Data(name.utf8).write(to: folder.url.appending(path: name)) }
    files = [FilePath(folder.path("a")), FilePath(folder.path("b"))]
  }

  private func refusal(_ paths: [FilePath], _ purpose: FileLock.Purpose) -> OvercrankError? {
    do {
      let lock = try FileLock(paths, for: purpose)
      lock.release()
      return nil
    } catch {
      return error
    }
  }

  @Test("is shared by readers and exclusive for a writer, and its holder is reported")
  func purposes() throws {
    let reader = try FileLock([files[0]], for: .reading)
    #expect(refusal([files[0]], .reading) == nil)
    let refused = try #require(refusal([files[0]], .changing))
    #expect(refused.code == .busy)
    let process = ProcessInfo.processInfo.processIdentifier
    #expect(refused.description.hasPrefix("\(files[0]): "), "\(refused)")
    #expect(refused.description.contains("(process \(process))"), "\(refused)")
    // If one lock fails, none is taken.
    #expect(refusal([files[1], files[0]], .changing) != nil)
    #expect(refusal([files[1]], .changing) == nil)
    reader.release()
    let writer = try FileLock([files[0]], for: .changing)
    #expect(refusal([files[0]], .reading)?.code == .busy)
    writer.release()
    #expect(refusal(files, .changing) == nil)
  }

  @Test("is waited for, and then applies to the file that has the name by that time")
  func patience() async throws {
    let file = files[0]
    let first = try FileLock([file], for: .changing)
    let second = Task.detached {
      let lock = try FileLock([file], for: .changing, patience: .seconds(600))
      defer { lock.release() }
      return try String(contentsOfFile: file.string, encoding: .utf8)
    }
    try Data("new".utf8).write(to: folder.url.appending(path: "c"))
    #expect(rename(folder.path("c"), file.string) == 0)
    // The lock on the former file is dropped; a waiting task must get that on the new one.
    first.release()
    #expect(try await second.value == "new")
    #expect(refusal([file], .changing) == nil)
  }

  @Test("keeps an input of this command from its own outputs, by any name of the file")
  func inputs() throws {
    let (file, link) = (files[0], FilePath(folder.path("link")))
    try FileManager.default.createSymbolicLink(atPath: link.string, withDestinationPath: file.string)
    try FileLock.keepInput(link)
    #expect(refusal([file], .reading) == nil)
    for path in [file, link] {
      let refused = try #require(refusal([path], .changing))
      #expect(refused.code == .cannotCreate)
      #expect(refused.description.contains("is read by this very command"), "\(refused)")
      #expect(throws: refused) { _ = try OutputFile(path, replacing: true) }
    }
    #expect(try String(contentsOfFile: file.string, encoding: .utf8) == "a")
    #expect(try folder.names == ["a", "b", "link"])
    #expect(refusal([files[1]], .changing) == nil)
  }

  @Test("tells an output that is one of a command's inputs, by any name of the file")
  func linkedInputs() throws {
    let (file, link) = (files[0], FilePath(folder.path("link")))
    try FileManager.default.createSymbolicLink(atPath: link.string, withDestinationPath: file.string)
    for (output, input) in [(file, link), (link, file), (file, file)] {
      #expect {
        try FileLock.check(output, isNoneOf: [files[1], FilePath(folder.path("none")), input])
      } throws: {
        ($0 as? OvercrankError)?.code == .cannotCreate
      }
    }
    try FileLock.check(FilePath(folder.path("none")), isNoneOf: [FilePath(folder.path("none")), file])
    try FileLock.check(files[1], isNoneOf: [file, link])
  }

  @Test("is not taken on a missing file, and ends with its owner")
  func nothing() throws {
    #expect(refusal([FilePath(folder.path("none"))], .changing) == nil)
    do { _ = try FileLock([files[0]], for: .changing) }
    #expect(refusal([files[0]], .changing) == nil)
  }
}
