import Platform
import FrameJudge
import Foundation
import Synchronization
import SystemPackage
import Testing
import Timebase

@testable import Platform

/// A gate that stops a disk's calls until it is opened.
private final class Gate: Sendable {
  private let isOpen = Monitor(false)
  func wait() { isOpen.wait { $0 ? () : nil } }
  func open() { isOpen.change { $0 = true } }
}

@Suite("A disk that stalls", .tags(.program), .timeLimit(.minutes(1)))
struct StalledDiskTests {
  let folder: TemporaryFolder
  private static let mebibyte = 1 << 20

  init() throws { folder = try TemporaryFolder() }

  private func file(_ calls: DiskCalls) throws -> OutputFile {
    var file = try OutputFile(FilePath(folder.path("a.mov")))
    // Space is claimed once the journal exists, as when the muxer writes its header.
    _ = try file.startJournal([1], calls: calls)
    try file.reserve(1)
    return file
  }

  private func write(_ value: UInt8, to file: inout OutputFile) throws {
    let bytes = [UInt8](repeating: value, count: Self.mebibyte)
    try file.reserve(bytes.count)
    try bytes.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in try file.write(bytes) }
  }

  private func expect(_ count: Int) throws {
    let bytes = try Data(contentsOf: URL(filePath: folder.path("a.mov")))
    #expect(bytes.count == count * Self.mebibyte)
    for index in 0..<min(count, bytes.count / Self.mebibyte) {
      let part = bytes[index * Self.mebibyte..<(index + 1) * Self.mebibyte]
      #expect(part.allSatisfy { $0 == UInt8(index) })
    }
  }

  @Test(
    "takes what the blocks hold, and a checkpoint, and reports when it takes no more",
    .enabled(if: isPastPageCachePossible))
  func fullBlocks() throws {
    let gate = Gate()
    var calls = DiskCalls()
    let write = calls.write
    calls.write = { (descriptor, offset, bytes) throws(Errno) in
      gate.wait()
      try write(descriptor, offset, bytes)
    }
    var file = try file(calls)
    var count = 0
    while file.isReady(forBytes: Self.mebibyte) {
      try self.write(UInt8(count), to: &file)
      count += 1
    }
    // Three blocks of 4 MiB, with the last not full; the fourth is for the checkpoint.
    #expect(count == 11)
    let blocks = file.blocks
    let journal = try #require(blocks)
    let takesEntries = journal.isReadyForEntries
    try journal.enter([2])
    let (takesMoreEntries, takesFrame) = (journal.isReadyForEntries, file.isReady(forBytes: Self.mebibyte))
    #expect(takesEntries)
    #expect(!takesMoreEntries)
    #expect(!takesFrame)
    gate.open()
    while !file.isReady(forBytes: Self.mebibyte) { usleep(1000) }
    try self.write(UInt8(count), to: &file)
    try file.commit()
    try expect(count + 1)
  }

  @Test(
    "is ready for a frame larger than all blocks once it has caught up",
    .enabled(if: isPastPageCachePossible))
  func hugeFrame() throws {
    var file = try file(DiskCalls())
    let bytes = [UInt8](repeating: 7, count: 40 * Self.mebibyte)
    for _ in 0..<2 {
      while !file.isReady(forBytes: bytes.count) { usleep(1000) }
      try file.reserve(bytes.count)
      try bytes.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in try file.write(bytes) }
    }
    try file.commit()
    #expect(try Stat(FilePath(folder.path("a.mov"))).size == 80 * Self.mebibyte)
  }

  @Test(
    "is asked for space ahead of the frames, and no frame begins before the space is claimed",
    .enabled(if: isPastPageCachePossible))
  func claimAhead() throws {
    let gate = Gate()
    var calls = DiskCalls()
    let claim = calls.claim
    calls.claim = { (descriptor, offset, count) throws(Errno) in
      gate.wait()
      try claim(descriptor, offset, count)
    }
    var file = try file(calls)
    // 16 MiB were claimed at the start; the claim beyond them stalls.
    let takesFrame = file.isReady(forBytes: Self.mebibyte)
    let takesMore = file.isReady(forBytes: Self.mebibyte, reserving: 16 * Self.mebibyte)
    #expect(takesFrame)
    #expect(!takesMore)
    gate.open()
    for index in 0..<17 {
      while !file.isReady(forBytes: Self.mebibyte, reserving: 16 * Self.mebibyte) { usleep(1000) }
      try write(UInt8(index), to: &file)
    }
    try file.commit()
    try expect(17)
    #expect(try Stat(FilePath(folder.path("a.mov"))).blocksAllocated <= 18 * 2048)
  }

  @Test(
    "without space to claim ahead fails only at the frame that does not fit",
    .enabled(if: isPastPageCachePossible))
  func noSpaceAhead() throws {
    var calls = DiskCalls()
    calls.claim = { _, _, _ throws(Errno) in throw .noSpace }
    var file = try file(calls)
    for index in 0..<20 {
      while !file.isReady(forBytes: Self.mebibyte) { usleep(1000) }
      try write(UInt8(index), to: &file)
    }
    try file.commit()
    try expect(20)
  }

  /// Whether temporary files are on a disk that supports writes past the page cache.
  static let isPastPageCachePossible: Bool = {
    guard let folder = try? TemporaryFolder(),
      let journal = try? PartJournal(of: FilePath(folder.path("x")), header: [])
    else { return false }
    guard
      let plain = try? FileDescriptor.open(
        folder.path("x"), .readWrite, options: .create, permissions: .ownerReadWrite),
      let writer = try? BlockWriter(
        FilePath(folder.path("x")), of: FilePath(folder.path("x")), plain: plain, journal: journal)
    else { return false }
    defer { try? plain.close() }
    writer.stop()
    return writer.isPastPageCache
  }()
}

@Suite("A disk's first error", .timeLimit(.minutes(1)))
struct DiskFailureTests {
  @Test("is kept, whatever follows")
  func queue() {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
    defer { memory.deallocate() }
    var queue = BlockQueue(free: [])
    let block = BlockQueue.Block(base: memory, offset: 0)
    queue.submit(.write(block))
    queue.submit(.write(block))
    queue.finishSync(.ioError, nextAt: Instant(nanoseconds: 0))
    queue.finishWrite(of: block, nil)
    #expect(queue.failure == .ioError)
    queue.finishWrite(of: block, .noSpace)
    queue.finishSync(nil, nextAt: Instant(nanoseconds: 0))
    #expect(queue.failure == .ioError)
  }

  @Test(
    "by a sync, during the write of a block, reaches the code that closes the file", .tags(.program),
    .timeLimit(.minutes(1)))
  func syncFailure() throws {
    let folder = try TemporaryFolder()
    let isWriting = DispatchSemaphore(value: 0)
    let hasFailed = DispatchSemaphore(value: 0)
    let counts = Mutex((writes: 0, syncs: 0))
    var calls = DiskCalls()
    let write = calls.write
    calls.synchronize = { _ throws(Errno) in
      let isFirst = counts.withLock { counts in
        counts.syncs += 1
        return counts.syncs == 1
      }
      guard isFirst else { return }
      isWriting.wait()
      hasFailed.signal()
      throw .ioError
    }
    calls.write = { (descriptor, offset, bytes) throws(Errno) in
      let isSecond = counts.withLock { counts in
        counts.writes += 1
        return counts.writes == 2
      }
      if isSecond {
        isWriting.signal()
        hasFailed.wait()
        // The other thread notes it afterwards; a moment is enough, and if it is not, no harm is done.
        usleep(100_000)
      }
      try write(descriptor, offset, bytes)
    }
    var file = try OutputFile(FilePath(folder.path("a.mov")))
    let journal = try file.startJournal([1], calls: calls)
    try file.reserve(1)
    let bytes = [UInt8](repeating: 1, count: 10_000)
    try bytes.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in try file.write(bytes) }
    try journal.enter([2])
    try bytes.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in try file.write(bytes) }
    // If writes cannot bypass the page cache, the disk thread writes nothing else.
    if !StalledDiskTests.isPastPageCachePossible { isWriting.signal() }
    var failure: OvercrankError?
    do throws(OvercrankError) { try file.commit() } catch { failure = error }
    #expect(failure?.code == .inputOutput)
    #expect(failure?.description.contains("errno \(Errno.ioError.rawValue)") == true)
  }
}
