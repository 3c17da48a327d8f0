import FrameJudge
import Foundation
import Platform
import SystemPackage
import Testing

@testable import Platform

@Suite("The meaning of an errno")
struct ErrnoRemedyTests {
  private let path: FilePath = "/films/a.mov"

  /// The error of each place where a call on a file fails.
  private func errors(_ errno: Errno) -> [OvercrankError] {
    [
      .creating(path, errno), .opening(path, errno), .changing(path, errno), .removing(path, errno),
      .writing(path, errno, bytesFree: nil),
    ]
  }

  @Test(
    "about the program or the machine is the same in every message",
    arguments: [
      (Errno.tooManyOpenFiles, "ulimit -n"), (.tooManyOpenFilesInSystem, "fs.file-max"),
      (.noMemory, "emory ran out"), (.fileTooLarge, "larger file"), (.ioError, "dmesg"),
      (.noSpace, "free some space"),
      (.diskQuotaExceeded, "quota"),
    ])
  func everywhere(errno: Errno, remedy: String) {
    for error in errors(errno) {
      #expect(error.code == .inputOutput)
      #expect(error.description.contains(remedy))
      #expect(error.description.contains("errno \(errno.rawValue)"))
    }
  }

  @Test("does not suggest another disk or file if that would not help")
  func noOtherPlace() {
    for errno in [Errno.tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory] {
      for error in errors(errno) {
        #expect(!error.description.contains("another"), "\(error)")
      }
    }
  }

  @Test("for an output reports a disk that is gone", arguments: [Errno(rawValue: 19), Errno(rawValue: 6)])
  func gone(errno: Errno) {
    for error in [
      OvercrankError.creating(path, errno), .readingBack(path, errno), .writing(path, errno, bytesFree: nil),
    ] {
      #expect(error.code == .inputOutput)
      #expect(error.description.contains("unplugged"))
    }
  }

  @Test(
    "for a file that no permission lets anyone change names its attributes, and not the folder's permissions")
  func immutable() throws {
    let folder = try TemporaryFolder()
    let existing = FilePath(folder.path("a.mov"))
    try Data().write(to: URL(filePath: existing.string))
    for error in [OvercrankError.creating(existing, .notPermitted), .removing(existing, .notPermitted)] {
      #expect(error.description.contains("lsattr -d \(existing)"), "\(error)")
      #expect(!error.description.contains("You may not write"), "\(error)")
    }
    #expect(OvercrankError.creating(existing, .notPermitted).code == .cannotCreate)
    #expect(OvercrankError.removing(existing, .notPermitted).code == .noPermission)
    #expect(
      OvercrankError.creating(path, .permissionDenied).description.contains("You may not write to /films"))
    #expect(
      OvercrankError.removing(path, .readOnlyFileSystem).description.contains("/films is mounted read-only"))
  }

  @Test("for a thread or a name does not blame the disk")
  func place() {
    #expect(Errno.resourceTemporarilyUnavailable.remedy == nil)
    #expect(OvercrankError.creating(path, .tooManySymbolicLinkLevels).description.contains("loop"))
    #expect(OvercrankError.opening(path, .tooManySymbolicLinkLevels).code == .noInput)
    #expect(
      OvercrankError.writing(path, .permissionDenied, bytesFree: nil).description.contains(
        "may no longer write"))
  }
}
