internal import FoundationEssentials
internal import Glibc
package import SystemPackage

/// A regular file that is read, in any place and as often as is needed.
///
/// A pipe, a device or a folder of the name is an error at once: reading from a pipe would wait for
/// a writer for ever. A class, because a descriptor has one owner and several readers.
package final class InputFile: Sendable {
  /// The file.
  package let path: FilePath
  /// Bytes from the start to the end, when it was opened.
  package let size: Int64
  let descriptor: FileDescriptor

  /// Opens the file at `path`.
  ///
  /// - Throws: ``OvercrankError/Code/noInput`` where there is none, or no regular one;
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

  /// The bytes of the file, where they are at most `limit`.
  ///
  /// - Throws: as ``init(_:)`` does, and ``OvercrankError/Code/noInput`` where there are more.
  package static func bytes(of path: FilePath, upTo limit: Int64) throws(OvercrankError) -> [UInt8] {
    let file = try InputFile(path)
    guard file.size <= limit else {
      throw OvercrankError(
        .noInput, "\(path): has \(file.size) bytes, more than such a file can have. Name another.")
    }
    return try file.bytes(at: 0, count: Int(file.size))
  }

  /// The `count` bytes from `offset` on, or as many as there are.
  ///
  /// - Throws: ``OvercrankError/Code/inputOutput`` where the disk fails.
  package func bytes(at offset: Int64, count: Int) throws(OvercrankError) -> [UInt8] {
    guard offset >= 0, offset < size, count > 0 else { return [] }
    return try currentBytes(at: offset, count: Int(min(Int64(count), size - offset)))
  }

  /// The same of the file as it is now, which may have grown since it was opened.
  func currentBytes(at offset: Int64, count: Int) throws(OvercrankError) -> [UInt8] {
    do throws(Errno) { return try descriptor.bytes(at: offset, count: count) } catch {
      throw OvercrankError.opening(path, error)
    }
  }

  /// Reads what the file has now from `offset` on, as much as `buffer` holds or as there is; how many bytes that were.
  ///
  /// - Throws: ``OvercrankError/Code/inputOutput`` where the disk fails.
  package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(OvercrankError)
    -> Int
  {
    do throws(Errno) { return try descriptor.read(at: offset, into: buffer) } catch {
      throw OvercrankError.opening(path, error)
    }
  }
}

extension FileDescriptor {
  /// The `count` bytes from `offset` on, or as many as there are.
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

  /// Reads what lies from `offset` on, as much as `buffer` holds or as there is; how many bytes that were.
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

  /// Locks the file for this program alone as long as it is open, or for all that share it; why not, where another has
  /// it or the file system has no locks.
  func lock(isShared: Bool = false) -> Errno? {
    while flock(rawValue, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
      guard errno == EINTR else { return Errno(rawValue: errno) }
    }
    return nil
  }

  /// Closes the file and lets go of its lock.
  ///
  /// A program that is being started shares the open file until it runs, and would keep the lock for as long.
  func unlockAndClose() {
    flock(rawValue, LOCK_UN)
    try? close()
  }

  /// Whether `path` names this very file, and not one that has taken its place.
  func isNamed(_ path: FilePath) -> Bool {
    guard let own = try? stat(), let named = try? Stat(path, followTargetSymlink: false) else { return false }
    return (own.deviceID, own.inode) == (named.deviceID, named.inode)
  }

  /// Where the file lies: at `path`, or where it or a folder on the way to it was moved to; `nil` where
  /// it has no name any more.
  func place(from path: FilePath) -> FilePath? {
    if isNamed(path) { return path }
    guard let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(rawValue)"),
      isNamed(FilePath(place))
    else { return nil }
    return FilePath(place)
  }

  /// Whether the file has a name, and at least the first `count` bytes.
  ///
  /// One that another program cut short grows again with the next byte behind its former end, so
  /// this is to be asked in front of each.
  func holds(_ count: Int64) -> Bool {
    guard let status = try? stat() else { return false }
    return status.size >= count && status.linkCount > 0
  }
}
