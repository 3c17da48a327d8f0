import FilmJudge
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

  @Test("which is a pipe that nobody writes into is told so, and is not empty")
  func noWriter() { #expect(outcome(pipe, patience: 50) == .failure(.timedOut)) }

  @Test("is waited for where somebody writes into the pipe later")
  func lateWriter() async throws {
    let path = pipe
    let writer = Task.detached {
      // Opens when the reader has opened it.
      let file = try FileDescriptor.open(FilePath(path), .writeOnly)
      try file.closeAfter { _ = try file.writeAll("late".utf8) }
    }
    let read = await Task.detached { [self] in outcome(pipe, patience: 60_000) }.value
    #expect(read == .success(Array("late".utf8)))
    try await writer.value
  }

  @Test("and which somebody holds open without a word is waited for, longer than for a writer")
  func silentWriter() async throws {
    let path = pipe
    let writer = Task.detached {
      let file = try FileDescriptor.open(FilePath(path), .writeOnly)
      usleep(300_000)
      try file.closeAfter { _ = try file.writeAll("slow".utf8) }
    }
    // Held by somebody who is about to write: the pipe never ends, but it can be too much.
    let held = try FileDescriptor.open(FilePath(path), .readWrite)
    let read = await Task.detached { [self] in outcome(pipe, patience: 50, limit: 3) }.value
    #expect(read == .failure(.fileTooLarge))
    try await writer.value
    try held.close()
  }

  @Test("and has no end is told so", .enabled(if: access("/proc/kmsg", R_OK) == 0))
  func noEnd() throws {
    // Not every container lets its root open it.
    guard let file = try? FileDescriptor.open("/proc/kmsg", .readOnly, options: .nonBlocking) else { return }
    try file.close()
    let read = Result { () throws(Errno) in try WholeFile.bytes(of: "/proc/kmsg", atMost: 64 << 20) }
    #expect(read == .failure(.wouldBlock))
  }
}
