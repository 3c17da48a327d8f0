import Platform
import FrameJudge
import SystemPackage
import Testing

@testable import Platform

@Suite(
  "A disk smaller than the space claimed ahead", .tags(.program), .timeLimit(.minutes(1)),
  .enabled(if: FreezableDisk.isPossible, "a disk of its own needs root and a loop device"))
struct SmallDiskTests {
  private static let frame = 64 << 10
  private let disk: FreezableDisk

  init() throws {
    // An ext4 of this size has 6 MiB for files.
    disk = try #require(try FreezableDisk(bytes: 8 << 20))
  }

  /// Writes frames, each with an entry of 4 kB in the journal, until the disk is full or `count` are written.
  private func write(_ count: Int) throws -> (written: Int, failure: OvercrankError?) {
    var file = try OutputFile(FilePath(disk.path("film.mov")))
    let journal = try file.startJournal([1])
    var written = 0
    var failure: OvercrankError?
    do throws(OvercrankError) {
      for _ in 0..<count {
        try file.reserve(Self.frame)
        try file.write([UInt8](repeating: 7, count: Self.frame))
        written += 1
        try journal.enter([UInt8](repeating: 1, count: 4096))
      }
    } catch {
      failure = error
    }
    try file.commit()
    return (written, failure)
  }

  @Test("takes everything that fits, including the journal")
  func fits() throws {
    let (written, failure) = try write(64)
    #expect(failure == nil)
    #expect(written == 64)
    #expect(try Stat(FilePath(disk.path("film.mov"))).size == 64 * Self.frame)
  }

  @Test("is full when its space is used, and what was written until then is complete")
  func full() throws {
    let (written, failure) = try write(200)
    #expect(failure?.code == .inputOutput)
    // Frames and journal share 6 MB.
    #expect(written > 75 && written < 95, "\(written) frames")
    #expect(try Stat(FilePath(disk.path("film.mov"))).size == written * Self.frame)
  }
}
