internal import Glibc
public import SystemPackage

/// What an output left behind that was cut off before ``OutputFile/commit()``: its part, and the journal beside it.
///
/// Locked as long as it is open, so that neither a recording nor a second recovery takes it away.
public struct AbandonedPart: ~Copyable, Sendable {
  /// The name that the whole file was to have.
  public let path: FilePath
  /// Bytes from the start to the end of the part.
  public let size: Int64
  private let descriptor: FileDescriptor

  /// Whether an output to `path` was cut off, or is being written just now.
  public static func exists(for path: FilePath) -> Bool { isThere(path.part) || isThere(path.part.journal) }

  /// Where the part of `path` lies.
  public static func place(for path: FilePath) -> FilePath { path.part }

  private static func isThere(_ path: FilePath) -> Bool {
    (try? Stat(path, followTargetSymlink: false)) != nil
  }

  /// Opens and locks the part of `path`.
  ///
  /// - Throws: ``FileError/Code/busy`` where another program is writing it, and as for any input that cannot be read.
  public init(of path: FilePath) throws(FileError) {
    let descriptor: FileDescriptor
    let size: Int64
    do {
      descriptor = try FileDescriptor.open(path.part, .readOnly, options: [.noFollow, .closeOnExec])
      size = try descriptor.seek(offset: 0, from: .end)
    } catch {
      throw FileError.opening(path.part, error as? Errno ?? .ioError)
    }
    guard flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else {
      try? descriptor.close()
      throw FileError(
        .busy,
        "\(path.part): another program is writing it just now, so nothing is cut off. Wait until it has ended."
      )
    }
    self.path = path
    self.size = size
    self.descriptor = descriptor
  }

  deinit {
    try? descriptor.close()
  }

  /// What the journal holds; `nil` where there is none.
  ///
  /// - Throws: as for any input that cannot be read.
  public borrowing func journal() throws(FileError) -> [UInt8]? {
    do {
      let journal = try FileDescriptor.open(path.part.journal, .readOnly, options: [.noFollow, .closeOnExec])
      return try journal.closeAfter {
        try journal.bytes(at: 0, count: Int(try journal.seek(offset: 0, from: .end)))
      }
    } catch Errno.noSuchFileOrDirectory {
      return nil
    } catch {
      throw FileError.opening(path.part.journal, error as? Errno ?? .ioError)
    }
  }

  /// The `count` bytes of the part from `offset` on; `nil` where it ends before.
  ///
  /// - Throws: as for any input that cannot be read.
  public borrowing func bytes(at offset: Int64, count: Int) throws(FileError) -> [UInt8]? {
    guard offset >= 0, offset <= size, Int64(count) <= size - offset else { return nil }
    do {
      let bytes = try descriptor.bytes(at: offset, count: count)
      return bytes.count == count ? bytes : nil
    } catch {
      throw FileError.opening(path.part, error as? Errno ?? .ioError)
    }
  }

  /// Removes the part and its journal, of which all that is worth keeping is elsewhere by now.
  public consuming func remove() {
    path.part.unlink()
    path.part.journal.unlink()
  }
}

extension FileDescriptor {
  /// The `count` bytes from `offset` on, or as many as there are.
  fileprivate func bytes(at offset: Int64, count: Int) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      while done < count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[done...])
        let read = try read(fromAbsoluteOffset: offset + Int64(done), into: rest)
        if read == 0 { break }
        done += read
      }
    }
  }
}
