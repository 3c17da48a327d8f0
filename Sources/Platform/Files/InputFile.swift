internal import FoundationEssentials
internal import Glibc
package import SystemPackage

/// A regular file that is read, at any offset and as often as needed.
///
/// A pipe, a device or a folder of that name is an error at once, because reading from a pipe would wait for
/// a writer for ever. A class, because a descriptor has one owner and several readers.
package final class InputFile: Sendable {
  /// The path of the file.
  package let path: FilePath
  /// The size of the file in bytes, when it was opened.
  package let size: Int64
  let descriptor: FileDescriptor

  /// Opens the file at `path`.
  ///
  /// - Throws: ``OvercrankError/Code/noInput`` if there is none, or it is not a regular file;
  ///   ``OvercrankError/Code/noPermission``, ``OvercrankError/Code/inputOutput``.
  package convenience init(_ path: FilePath) throws(OvercrankError) { try self.init(path, options: []) }

  init(_ path: FilePath, options: FileDescriptor.OpenOptions) throws(OvercrankError) {
    let descriptor: FileDescriptor
    do {
      descriptor = try FileDescriptor.open(
        path, .readOnly, options: options.union([.nonBlocking, .closeOnExec]))
    } catch {
      throw OvercrankError.opening(path, error as? Errno ?? .ioError)
    }
    do {
      let status = try descriptor.stat()
      guard status.type == .regular else {
        throw OvercrankError(.noInput, "\(path): is not a regular file. Name a file.")
      }
      size = status.size
    } catch {
      try? descriptor.close()
      throw error as? OvercrankError ?? .opening(path, error as? Errno ?? .ioError)
    }
    self.path = path
    self.descriptor = descriptor
  }

  // An abandoned part is locked while it is read.
  deinit { descriptor.unlockAndClose() }

  /// Returns the content of the file, if it has at most `limit` bytes.
  ///
  /// - Throws: as ``init(_:)`` does, and ``OvercrankError/Code/noInput`` if the file is larger.
  package static func bytes(of path: FilePath, upTo limit: Int64) throws(OvercrankError) -> [UInt8] {
    let file = try InputFile(path)
    guard file.size <= limit else {
      throw OvercrankError(
        .noInput, "\(path): has \(file.size) bytes, more than such a file can have. Choose another.")
    }
    return try file.bytes(at: 0, count: Int(file.size))
  }

  /// Returns the `count` bytes from `offset` on, or as many as there are.
  ///
  /// - Throws: ``OvercrankError/Code/inputOutput`` if the disk fails.
  package func bytes(at offset: Int64, count: Int) throws(OvercrankError) -> [UInt8] {
    guard offset >= 0, offset < size, count > 0 else { return [] }
    return try currentBytes(at: offset, count: Int(min(Int64(count), size - offset)))
  }

  /// Returns bytes of the file as it is now, which may have grown since it was opened.
  func currentBytes(at offset: Int64, count: Int) throws(OvercrankError) -> [UInt8] {
    do throws(Errno) { return try descriptor.bytes(at: offset, count: count) } catch {
      throw OvercrankError.opening(path, error)
    }
  }

  /// Reads from `offset` on, as many bytes as `buffer` holds or the file now has. Returns the number of bytes
  /// read.
  ///
  /// - Throws: ``OvercrankError/Code/inputOutput`` if the disk fails.
  package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(OvercrankError)
    -> Int
  {
    do throws(Errno) { return try descriptor.read(at: offset, into: buffer) } catch {
      throw OvercrankError.opening(path, error)
    }
  }
}

extension FileDescriptor {
  /// Returns the `count` bytes from `offset` on, or as many as there are.
  package func bytes(at offset: Int64, count: Int) throws(Errno) -> [UInt8] {
    do {
      return try [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, done in
        done = try read(
          at: offset,
          into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[..<max(0, count)])))
      }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  /// Reads from `offset` on, as many bytes as `buffer` holds or the file has. Returns the number of bytes
  /// read.
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    var done = 0
    do {
      while done < buffer.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
        let read = try read(fromAbsoluteOffset: offset + Int64(done), into: rest)
        if read == 0 { break }
        done += read
      }
    } catch {
      throw error as? Errno ?? .ioError
    }
    return done
  }

  /// Locks the file for this program alone while it is open, or for all that share it. Returns the error if
  /// another program holds the lock or the file system has no locks.
  func lock(isShared: Bool = false) -> Errno? {
    while flock(rawValue, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
      guard errno == EINTR else { return Errno(rawValue: errno) }
    }
    return nil
  }

  /// Releases the file's lock and closes it.
  ///
  /// Closing is not enough: a child process that is being started shares the open file, and the lock, until
  /// its exec.
  func unlockAndClose() {
    flock(rawValue, LOCK_UN)
    try? close()
  }

  /// Returns whether `path` names this file, and not one that has replaced it.
  func isNamed(_ path: FilePath) -> Bool {
    guard let own = try? stat(), let named = try? Stat(path, followTargetSymlink: false) else { return false }
    return (own.deviceID, own.inode) == (named.deviceID, named.inode)
  }

  /// Returns the path of the file: `path`, or its new path if it or a folder above it was moved; `nil` if it
  /// no longer has a name.
  func place(from path: FilePath) -> FilePath? {
    if isNamed(path) { return path }
    guard let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(rawValue)"),
      isNamed(FilePath(place))
    else { return nil }
    return FilePath(place)
  }

  /// Returns whether the file has a name, and at least `count` bytes.
  ///
  /// If another program truncates the file, the next write past the end extends it again, so check this
  /// before every write.
  func holds(_ count: Int64) -> Bool {
    guard let status = try? stat() else { return false }
    return status.size >= count && status.linkCount > 0
  }
}
