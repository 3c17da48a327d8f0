internal import CLinux
internal import Glibc
internal import Synchronization
package import SystemPackage
internal import Timebase

/// An unnamed file for data that can be made again: it disappears with its last holder, even if the program
/// is killed.
///
/// Several threads may append to it and read it at once.
package final class ScratchFile: Sendable {
  private let folder: FilePath
  private let descriptor: FileDescriptor
  private let end = Atomic<Int64>(0)
  private let isGone = Atomic(false)

  /// Creates one on the disk of `folder`.
  ///
  /// - Throws: ``OvercrankError/Code/cannotCreate`` if the folder is not writable.
  package init(in folder: FilePath) throws(OvercrankError) {
    let fd = folder.withPlatformString { clinux_open_scratch($0, 0) }
    guard fd >= 0 else {
      throw OvercrankError.creating(folder.appending("a file without a name"), Errno(rawValue: -fd))
    }
    descriptor = FileDescriptor(rawValue: fd)
    self.folder = folder
  }

  deinit { try? descriptor.close() }

  /// A path at which this program can open the file while it is held.
  package var path: FilePath { FilePath("/proc/self/fd/\(descriptor.rawValue)") }

  /// The number of bytes in it.
  package var size: Int64 { isDropped ? 0 : end.load(ordering: .relaxed) }

  /// Whether it was dropped, and is now empty.
  package var isDropped: Bool { isGone.load(ordering: .acquiring) }

  /// Appends `bytes`.
  ///
  /// - Returns: the offset of the appended bytes.
  /// - Throws: ``OvercrankError/Code/inputOutput`` if the disk is full or failed, or the file was dropped.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(OvercrankError) -> Int64 {
    let offset = end.wrappingAdd(Int64(bytes.count), ordering: .relaxed).oldValue
    do {
      guard !isDropped else { throw Errno.noSpace }
      try descriptor.writeAll(toAbsoluteOffset: offset, bytes)
      return offset
    } catch {
      throw .writing(folder, error as? Errno ?? .ioError, bytesFree: nil)
    }
  }

  /// Reads the bytes from `offset` on, enough to fill `buffer`.
  ///
  /// - Throws: ``OvercrankError/Code/inputOutput`` if the disk failed, or the file was dropped.
  package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(OvercrankError) {
    do throws(Errno) {
      guard try descriptor.read(at: offset, into: buffer) == buffer.count else { throw .ioError }
    } catch {
      throw OvercrankError.opening(folder, error)
    }
  }

  /// Empties the file and frees its disk space.
  package func drop() {
    isGone.store(true, ordering: .releasing)
    // A concurrent append may leave a few bytes, which disappear with the file.
    _ = ftruncate(descriptor.rawValue, 0)
  }

  /// Drops it if the disk has less room than `reserve` bytes and a copy of the file need.
  package func giveWay(keeping reserve: Int64) {
    guard !isDropped, let free = descriptor.bytesFree else { return }
    if free < UInt64(clamping: reserve.adding(clamping: size)) { drop() }
  }
}
