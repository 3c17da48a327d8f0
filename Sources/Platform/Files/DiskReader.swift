internal import CLinux
internal import Glibc
internal import SystemPackage

/// Reads what the disk has of a file, past the page cache where the file system can.
struct DiskReader: ~Copyable {
  private let descriptor: FileDescriptor
  private let buffer: UnsafeMutableRawBufferPointer

  /// Bytes of a piece: whole blocks, as O_DIRECT wants them.
  private static let pieceSize = 1 << 20

  init(_ path: FilePath) throws(Errno) {
    let result = path.withPlatformString { clinux_open_past_cache($0) }
    guard result >= 0 else { throw Errno(rawValue: -result) }
    descriptor = FileDescriptor(rawValue: result)
    buffer = .allocate(byteCount: Self.pieceSize, alignment: 4096)
  }

  deinit {
    buffer.deallocate()
    try? descriptor.close()
  }

  /// Whether the file holds what `source` does, byte for byte.
  ///
  /// - Parameter isStopped: is asked after each piece; `true` ends it, and the answer is `nil`.
  /// - Throws: `Errno` where the disk fails, ``OvercrankError`` where the source does.
  borrowing func holds(
    _ source: InputFile, isStopped: (Int64) -> Bool
  ) throws -> Bool? {
    var offset: Int64 = 0
    while true {
      let count = try read(at: offset)
      let expected = try source.currentBytes(at: offset, count: Self.pieceSize)
      guard count == expected.count else { return false }
      let isEqual = expected.withUnsafeBytes { bytes in
        guard let one = bytes.baseAddress, let other = buffer.baseAddress else { return count == 0 }
        return memcmp(one, other, count) == 0
      }
      guard isEqual else { return false }
      guard count == Self.pieceSize else { return true }
      offset += Int64(count)
      if isStopped(Int64(count)) { return nil }
    }
  }

  /// Fills the buffer from `offset` on; how many bytes there are.
  private borrowing func read(at offset: Int64) throws -> Int {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = try descriptor.read(fromAbsoluteOffset: offset + Int64(done), into: rest)
      done += count
      // A block that is not full is the last: reading on from its middle is no aligned read.
      if count == 0 || done % 4096 != 0 { break }
    }
    return done
  }
}
