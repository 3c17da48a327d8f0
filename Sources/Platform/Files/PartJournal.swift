internal import CLinux
internal import Glibc
package import SystemPackage

/// A file beside a part, `NAME.part.journal`, that describes the part's content, so that a cut-off recording
/// can be recovered. Its format is up to its writer.
struct PartJournal: ~Copyable, Sendable {
  let descriptor: FileDescriptor
  private(set) var size: Int64
  private let path: FilePath
  /// Space is claimed ahead of the entries, because the file written beside them claims more than it needs. If
  /// there is none, the entry that finds the disk full reports it.
  private var headroom = DiskHeadroom(step: 64 << 10)

  /// Creates the journal of `part` with `header` in it, and waits until the disk has the names of both.
  init(of part: FilePath, header: [UInt8]) throws(Errno) {
    let path = part.journal
    let descriptor: FileDescriptor
    do {
      descriptor = try FileDescriptor.open(
        path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
    } catch {
      throw error as? Errno ?? .ioError
    }
    clinux_mark_output(descriptor.rawValue)
    do throws(Errno) {
      try descriptor.write(header, at: 0)
      try descriptor.synchronize()
      try part.folder.synchronize()
    } catch {
      path.unlink()
      try? descriptor.close()
      throw error
    }
    self.path = path
    self.descriptor = descriptor
    size = Int64(header.count)
    headroom.claimAhead(of: size, in: descriptor)
  }

  deinit {
    try? descriptor.close()
  }

  /// Appends `entries` to the journal.
  mutating func append(_ entries: [UInt8]) throws(Errno) {
    try descriptor.write(entries, at: size)
    size += Int64(entries.count)
    headroom.claimAhead(of: size, in: descriptor)
  }

  /// Removes the file.
  func remove() {
    path.unlink()
  }
}

extension FilePath {
  /// The path at which a file of this name is written until it is complete.
  var part: FilePath { beside(name + ".part") }

  /// The path of this part's journal.
  var journal: FilePath { beside(name + ".journal") }

  /// Waits until the names in this folder are on the disk.
  package func synchronize() throws(Errno) {
    let descriptor: FileDescriptor
    do {
      descriptor = try FileDescriptor.open(self, .readOnly, options: [.directory, .closeOnExec])
    } catch {
      throw error as? Errno ?? .ioError
    }
    defer { try? descriptor.close() }
    do throws(Errno) {
      try descriptor.synchronize()
    } catch .invalidArgument {
      // Some file systems do not support this for folders.
    }
  }
}

extension FileDescriptor {
  /// Writes all of `bytes` from `offset` on.
  func write(_ bytes: [UInt8], at offset: Int64) throws(Errno) {
    do {
      try bytes.withUnsafeBytes { _ = try writeAll(toAbsoluteOffset: offset, $0) }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  /// Waits until all written data is on the disk. The corresponding call is fsync(2).
  func synchronize() throws(Errno) {
    while fsync(rawValue) != 0 {
      guard errno == EINTR else { throw Errno(rawValue: errno) }
    }
  }
}
