import Platform
import SystemPackage
import Testing

@testable import Platform

@Suite("What an errno means")
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
    "is the same in every place where it is about the program or the machine",
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

  @Test("names no other disk or file where none would help")
  func noOtherPlace() {
    for errno in [Errno.tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory] {
      for error in errors(errno) {
        #expect(!error.description.contains("another"), "\(error)")
      }
    }
  }

  @Test("of an output says where its disk is gone", arguments: [Errno(rawValue: 19), Errno(rawValue: 6)])
  func gone(errno: Errno) {
    for error in [
      OvercrankError.creating(path, errno), .readingBack(path, errno), .writing(path, errno, bytesFree: nil),
    ] {
      #expect(error.code == .inputOutput)
      #expect(error.description.contains("unplugged"))
    }
  }

  @Test("of a thread or of a name is no matter of the disk")
  func place() {
    #expect(Errno.resourceTemporarilyUnavailable.remedy == nil)
    #expect(OvercrankError.creating(path, .tooManySymbolicLinkLevels).description.contains("circle"))
    #expect(OvercrankError.opening(path, .tooManySymbolicLinkLevels).code == .noInput)
    #expect(
      OvercrankError.writing(path, .permissionDenied, bytesFree: nil).description.contains("may not write"))
  }
}
