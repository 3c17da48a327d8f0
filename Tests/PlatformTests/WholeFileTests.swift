import FrameJudge
import Foundation
import SystemPackage
import Testing

@testable import Platform

@Suite("A file that is read as a whole", .timeLimit(.minutes(1)))
struct WholeFileTests {
  let folder: TemporaryFolder
  private var pipe: String { folder.path("pipe") }

  init() throws {
    folder = try TemporaryFolder()
    try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
  }

  private func outcome(_ path: String, patience: Int32, limit: Int = 1000) -> Result<[UInt8], Errno> {
    Result { () throws(Errno) in
      try WholeFile.bytes(of: FilePath(path), atMost: limit, patience: patience)
    }
  }

  @Test("times out if it is a pipe without a writer, and is not treated as empty")
  func noWriter() { #expect(outcome(pipe, patience: 50) == .failure(.timedOut)) }

  @Test("is waited for if a writer opens the pipe later")
  func lateWriter() {
    let path = pipe
    // A thread of its own: if all threads of a pool waited for each other, none would read.
    Thread.detachNewThread {
      // Opens when the reader has opened it.
      let file = open(path, O_WRONLY | O_CLOEXEC)
      _ = write(file, "late", 4)
      close(file)
    }
    #expect(outcome(pipe, patience: 60_000) == .success(Array("late".utf8)))
  }

  @Test(
    "is waited for longer while a silent writer holds the pipe open", .tags(.program),
    .timeLimit(.minutes(1)))
  func silentWriter() throws {
    // Held open by a writer that is about to write: the pipe never ends, but it can exceed the limit.
    let held = open(pipe, O_RDWR | O_CLOEXEC)
    try #require(held >= 0)
    Thread.detachNewThread {
      usleep(300_000)
      _ = write(held, "slow", 4)
    }
    #expect(outcome(pipe, patience: 50, limit: 3) == .failure(.fileTooLarge))
    close(held)
  }

  @Test("that has no end is refused", .enabled(if: access("/proc/kmsg", R_OK) == 0))
  func noEnd() throws {
    // Some containers do not allow root to open it.
    guard let file = try? FileDescriptor.open("/proc/kmsg", .readOnly, options: .nonBlocking) else { return }
    try file.close()
    let read = Result { () throws(Errno) in try WholeFile.bytes(of: "/proc/kmsg", atMost: 64 << 20) }
    #expect(read == .failure(.wouldBlock))
  }
}
