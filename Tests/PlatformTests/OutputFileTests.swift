import Platform
import FrameJudge
import Foundation
import Synchronization
import SystemPackage
import Testing

@testable import Platform

@Suite struct OutputFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The error of opening an output at `path`.
  func failure(_ path: String, replacing: Bool = false) -> OvercrankError? {
    do {
      _ = try OutputFile(FilePath(path), replacing: replacing)
      return nil
    } catch {
      return error
    }
  }

  func write(_ text: String, to file: inout OutputFile) throws(OvercrankError) {
    let bytes = Array(text.utf8)
    try bytes.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in try file.write(bytes) }
  }

  @Test func outputHasItsNameOnlyWhenItIsWhole() throws {
    var file = try OutputFile(FilePath(folder.path("a.mov")))
    try write("hello world", to: &file)
    file.seek(to: 6)
    try write("there", to: &file)
    #expect(file.size == 11)
    #expect(try folder.names == ["a.mov.part"])
    try file.commit()
    #expect(try folder.names == ["a.mov"])
    #expect(try String(contentsOfFile: folder.path("a.mov"), encoding: .utf8) == "hello there")
  }

  @Test func outputThatIsDroppedLeavesNothing() throws {
    do {
      var file = try OutputFile(FilePath(folder.path("a.mov")))
      try write("hello", to: &file)
    }
    #expect(try folder.names.isEmpty)
  }

  @Test func spaceThatWasClaimedAndNotUsedIsGivenBack() throws {
    var file = try OutputFile(FilePath(folder.path("a.mov")))
    try write("hello", to: &file)
    try file.reserve(10 << 20)
    try file.commit()
    let status = try Stat(FilePath(folder.path("a.mov")))
    #expect(status.size == 5)
    #expect(status.blocksAllocated <= 64)
  }

  @Test func existingFileIsKeptUnlessItIsToBeReplaced() throws {
    let path = folder.path("a.mov")
    try "old".write(toFile: path, atomically: false, encoding: .utf8)
    let error = try #require(failure(path))
    #expect(error.code == .cannotCreate)
    #expect(
      error.description == "\(path): already exists. Choose another name, or allow it to be replaced.")
    #expect(error.remedy == .replace)

    var file = try OutputFile(FilePath(path), replacing: true)
    try write("new", to: &file)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    try file.commit()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
    #expect(try folder.names == ["a.mov"])
  }

  @Test func nameThatWasTakenMeanwhileIsNotOverwrittenAndNothingIsLost() throws {
    let path = folder.path("a.mov")
    var file = try OutputFile(FilePath(path))
    try write("mine", to: &file)
    try "theirs".write(toFile: path, atomically: false, encoding: .utf8)
    var failure: OvercrankError?
    do {
      try file.commit()
    } catch {
      failure = error
    }
    #expect(failure?.code == .cannotCreate)
    #expect(failure?.description.hasSuffix("What was written is complete, in \(path).part.") == true)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "theirs")
    #expect(try String(contentsOfFile: path + ".part", encoding: .utf8) == "mine")
  }

  @Test func nameIsSettledWhenTheFileIsWholeAndAgainWhereItIsTakenJustThen() throws {
    let path = FilePath(folder.path("a.mov"))
    var file = try OutputFile(path)
    let journal = try file.startJournal([1])
    journal.keepsJournal = true
    try write("mine", to: &file)
    try journal.enter([2])
    var asked = 1
    let folder = folder
    try file.commit {
      asked += 1
      let name = folder.path("a-\(asked).mov")
      if asked == 2 { try? "theirs".write(toFile: name, atomically: false, encoding: .utf8) }
      return FilePath(name)
    }
    // The journal has the name that the file got.
    #expect(try folder.names == ["a-2.mov", "a-3.mov", "a-3.mov.part.journal"])
    #expect(try String(contentsOfFile: folder.path("a-2.mov"), encoding: .utf8) == "theirs")
    #expect(try String(contentsOfFile: folder.path("a-3.mov"), encoding: .utf8) == "mine")
  }

  @Test func journalGoesWithTheFileWhoseNameIsSettled() throws {
    var file = try OutputFile(FilePath(folder.path("a.mov")))
    let journal = try file.startJournal([1])
    try journal.enter([2])
    let name = FilePath(folder.path("b.mov"))
    try file.commit(as: { name })
    #expect(try folder.names == ["b.mov"])
  }

  @Test func partThatWasLeftBehindIsKeptUnlessItIsToBeReplaced() throws {
    let path = folder.path("a.mov")
    try "half a film".write(toFile: path + ".part", atomically: false, encoding: .utf8)
    let error = try #require(failure(path))
    #expect(error.code == .cannotCreate)
    #expect(error.description.contains("a.mov.part is in the way"))
    #expect(error.remedy == .replace)
    #expect(try folder.names == ["a.mov.part"])
    #expect(failure(path, replacing: true) == nil)
    #expect(try folder.names.isEmpty)
  }

  @Test func partThatIsBeingWrittenIsNotReplaced() throws {
    let path = folder.path("a.mov")
    var file = try OutputFile(FilePath(path))
    for isReplacing in [true, false] {
      let error = try #require(failure(path, replacing: isReplacing))
      #expect(error.code == .busy)
      #expect(error.description.contains("another program is writing"))
      #expect(error.remedy == nil)
    }
    try write("whole", to: &file)
    try file.commit()
    #expect(try folder.names == ["a.mov"])
  }

  @Test func fileThatAnotherProgramReadsIsNotReplaced() throws {
    let path = FilePath(folder.path("a.mov"))
    let file = URL(filePath: path.string)
    try Data("former".utf8).write(to: file)
    do {
      let readers = try (0..<2).map { _ in try FileLock([path], for: .reading) }
      let error = try #require(failure(path.string, replacing: true))
      #expect(error.code == .busy)
      #expect(try folder.names == ["a.mov"])
      for reader in readers { reader.release() }
    }
    var output = try OutputFile(path, replacing: true)
    #expect(throws: OvercrankError.self) { try FileLock([path], for: .reading) }
    try write("new", to: &output)
    try output.commit()
    #expect(try Data(contentsOf: file) == Data("new".utf8))
    _ = try FileLock([path], for: .changing)
  }

  @Test func fileThatGotTheNameMeanwhileIsNotReplacedWhileAnotherProgramReadsIt() throws {
    let path = FilePath(folder.path("a.mov"))
    for former in [nil, "former"] {
      if let former { try Data(former.utf8).write(to: URL(filePath: path.string)) }
      var output = try OutputFile(path, replacing: true)
      try write("new", to: &output)
      try Data("other".utf8).write(to: URL(filePath: path.string), options: .atomic)
      let reader = try FileLock([path], for: .reading)
      do {
        try output.commit()
        Issue.record("it was replaced")
      } catch {
        #expect(error.code == .busy)
        #expect(error.description.contains("a.mov.part"))
      }
      #expect(try Data(contentsOf: URL(filePath: path.string)) == Data("other".utf8))
      #expect(try Data(contentsOf: URL(filePath: path.string + ".part")) == Data("new".utf8))
      reader.release()
      try FileManager.default.removeItem(atPath: path.string)
      try FileManager.default.removeItem(atPath: path.string + ".part")
    }
  }

  @Test("a file is free once it is whole, even while a child process that is starting shares it")
  func lockEndsWithTheOutput() throws {
    let path = FilePath(folder.path("a.mov"))
    var output = try OutputFile(path)
    // Between fork(2) and exec(3), a child has every open file of its parent.
    let shared = dup(output.descriptor.rawValue)
    defer { close(shared) }
    try write("whole", to: &output)
    try output.commit()
    _ = try FileLock([path], for: .changing)
  }

  @Test func nameThatWasFoundFreeReplacesNothing() throws {
    let (first, second) = (FilePath(folder.path("a.mov")), FilePath(folder.path("b.mov")))
    var output = try OutputFile(first, replacing: true)
    try write("new", to: &output)
    try Data("other".utf8).write(to: URL(filePath: first.string))
    var names = [second, first]
    try output.commit { names.popLast() ?? second }
    #expect(try Data(contentsOf: URL(filePath: first.string)) == Data("other".utf8))
    #expect(try Data(contentsOf: URL(filePath: second.string)) == Data("new".utf8))
  }

  @Test func missingFolderIsNamedWithItsRemedy() throws {
    let error = try #require(failure(folder.path("none/a.mov")))
    #expect(error.code == .cannotCreate)
    #expect(error.description.contains("mkdir -p \(folder.path("none"))"))
  }

  /// Each writes its own text in two pieces, so that a mix would show.
  @Test func severalThatMayReplaceTheSameFilePublishTheirOwnAlone() throws {
    let path = FilePath(folder.path("a.mov"))
    let published = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { writer in
      for round in 0..<60 {
        let half = String(repeating: "\(writer)-\(round) ", count: 20)
        do throws(OvercrankError) {
          var file = try OutputFile(path, replacing: true)
          try file.write(Array(half.utf8))
          sched_yield()
          try file.write(Array(half.utf8))
          try file.commit()
          published.withLock { $0.append(half + half) }
        } catch {
          // Another one is in progress.
          if error.code != .busy { Issue.record("\(error)") }
        }
        let found = try? String(contentsOfFile: path.string, encoding: .utf8)
        if let found, found.prefix(found.count / 2) != found.suffix(found.count / 2) || found.count < 80 {
          Issue.record("\(found) is no text that somebody wrote")
        }
      }
    }
    #expect(try folder.names == ["a.mov"])
    let last = try String(contentsOfFile: path.string, encoding: .utf8)
    #expect(published.withLock { $0.contains(last) })
  }

  @Test func partThatWasRemovedIsReportedAndNothingElseIsPublished() throws {
    let path = folder.path("a.mov")
    var file = try OutputFile(FilePath(path))
    try write("mine", to: &file)
    try FileManager.default.removeItem(atPath: path + ".part")
    try "theirs".write(toFile: path + ".part", atomically: false, encoding: .utf8)
    var failure: OvercrankError?
    do { try file.commit() } catch { failure = error }
    #expect(failure?.code == .inputOutput)
    #expect(try folder.names == ["a.mov.part"])
    #expect(try String(contentsOfFile: path + ".part", encoding: .utf8) == "theirs")
  }

  private func commitFailure(_ file: consuming OutputFile) -> OvercrankError? {
    do {
      try file.commit()
      return nil
    } catch {
      return error
    }
  }

  @Test func partThatAnotherProgramTruncatedIsNotACompleteFile() throws {
    let path = folder.path("a.mov")
    var file = try OutputFile(FilePath(path))
    try write("hello there", to: &file)
    #expect(truncate(path + ".part", 5) == 0)
    // The next byte would fill the gap with zeros.
    #expect(throws: OvercrankError.self) { try write("!", to: &file) }
    #expect(commitFailure(file)?.description.contains("some of what was written is missing") == true)
    #expect(try folder.names.isEmpty)
  }

  @Test func partThatWasMovedIsNamedWhereItIs() throws {
    let (old, new) = (folder.path("w"), folder.path("v"))
    try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: false)
    var file = try OutputFile(FilePath(old + "/a.mov"))
    try write("hello", to: &file)
    var dropped = try OutputFile(FilePath(old + "/b.mov"))
    try write("half", to: &dropped)
    try FileManager.default.moveItem(atPath: old, toPath: new)
    let failure = commitFailure(file)
    #expect(failure?.code == .inputOutput)
    #expect(
      failure?.description.hasSuffix(
        "What was written is in \(new)/a.mov.part, and is complete: rename it to \(new)/a.mov.") == true)
    _ = consume dropped
    #expect(try FileManager.default.contentsOfDirectory(atPath: new) == ["a.mov.part"])
  }

  @Test func onlyAFileWithTheSameBytesCanBeMadeAgain() throws {
    let path = folder.path("a.json")
    for (text, isSame) in [("same", true), ("other", false), ("sale", false)] {
      try text.write(toFile: path, atomically: false, encoding: .utf8)
      try folder.leavePart("a.json.part")
      var file = try OutputFile(FilePath(path), canBeMadeAgain: true)
      try write("same", to: &file)
      let failure = commitFailure(file)
      #expect((failure == nil) == isSame)
      if !isSame { #expect(failure?.remedy == .replace) }
      #expect(try folder.names == ["a.json"])
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }
  }

  @Test func anotherProgramsPartStaysUnlessTheUserAllowsToReplaceIt() throws {
    let path = folder.path("a.json")
    for part in ["\(path).part", "\(path).copying", "\(path).recovering"] {
      try "theirs".write(toFile: part, atomically: false, encoding: .utf8)
      let failure = #expect(throws: OvercrankError.self) {
        switch part.dropFirst(path.count) {
        case ".part": _ = try OutputFile(FilePath(path), replacing: true, canBeMadeAgain: true)
        case ".copying": _ = try OutputFile(FilePath(path), copying: true)
        default: _ = try OutputFile(FilePath(path), replacing: true, fromItsPart: true)
        }
      }
      #expect(failure?.code == .cannotCreate)
      #expect(
        failure?.description
          == "\(path): cannot be created: \(part) is in the way, and was made by another program. Move it away."
      )
      // Permission to replace was given already.
      #expect(failure?.remedy == nil)
      #expect(try String(contentsOfFile: part, encoding: .utf8) == "theirs")
    }
    #expect(throws: OvercrankError.self) { try FilePath(path).checkHasNoForeignPart() }
    #expect(self.failure(path, replacing: true) == nil)
    try FilePath(path).checkHasNoForeignPart()
  }

  @Test func partOfAProgramThatWasKilledBeforeItMarkedItIsReplaced() throws {
    let path = folder.path("a.json")
    for part in ["\(path).part", "\(path).copying"] {
      try "".write(toFile: part, atomically: false, encoding: .utf8)
      try FilePath(path).checkHasNoForeignPart()
      var file =
        try part.hasSuffix("copying")
        ? OutputFile(FilePath(path), copying: true)
        : OutputFile(FilePath(path), replacing: true, canBeMadeAgain: true)
      try write("ours", to: &file)
      #expect(commitFailure(file) == nil)
      #expect(try folder.names == ["a.json"])
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "ours")
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test func fileInPlaceOfAFolderIsNamed() throws {
    try "".write(toFile: folder.path("file"), atomically: false, encoding: .utf8)
    let error = try #require(failure(folder.path("file/a.mov")))
    #expect(error.code == .cannotCreate)
    #expect(error.description.contains("is a file, not a folder"))
  }

  @Test(arguments: ["/", ".", "/tmp", "/dev/null"]) func otherThanAFileIsNeverReplaced(path: String) throws {
    #expect(failure(path, replacing: true)?.code == .cannotCreate)
  }

  @Test(arguments: [
    (Errno.permissionDenied, OvercrankError.Code.cannotCreate), (.notPermitted, .cannotCreate),
    (.readOnlyFileSystem, .cannotCreate), (.noSpace, .inputOutput), (.diskQuotaExceeded, .inputOutput),
    (.noSuchFileOrDirectory, .cannotCreate), (.fileNameTooLong, .cannotCreate), (.isDirectory, .cannotCreate),
  ])
  func eachErrnoOfCreatingHasItsCode(errno: Errno, code: OvercrankError.Code) {
    let error = OvercrankError.creating("/films/a.mov", errno)
    #expect(error.code == code)
    #expect(error.description.hasPrefix("/films/a.mov: "))
    #expect(error.description.contains("errno \(errno.rawValue)"))
  }
}
