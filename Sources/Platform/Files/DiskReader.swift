internal import CLinux
internal import Glibc
internal import SystemPackage

/// A reader of a file's content on the disk, past the page cache if the file system supports it.
struct DiskReader: ~Copyable {
  private let descriptor: FileDescriptor
  private let buffer: UnsafeMutableRawBufferPointer

  /// Bytes per read: whole blocks, as O_DIRECT requires.
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

  /// Returns whether the file has the same content as `source`, byte for byte.
  ///
  /// - Parameter isStopped: called after each piece; if it returns `true`, the comparison ends and the result
  ///   is `nil`.
  /// - Throws: `Errno` if the disk fails, ``OvercrankError`` if the source does.
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

  /// Fills the buffer from `offset` on. Returns the number of bytes read.
  private borrowing func read(at offset: Int64) throws -> Int {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = try descriptor.read(fromAbsoluteOffset: offset + Int64(done), into: rest)
      done += count
      // A block that is not full is the last one; a read from its middle would not be aligned.
      if count == 0 || done % 4096 != 0 { break }
    }
    return done
  }
}
