internal import CLinux
internal import Glibc
internal import Synchronization
package import SystemPackage
internal import Timebase

/// A file without a name, for what can be made again: it goes with the last who holds it, however that ends.
///
/// Several threads may append to it and read it at once.
package final class ScratchFile: Sendable {
  private let folder: FilePath
  private let descriptor: FileDescriptor
  private let end = Atomic<Int64>(0)
  private let isGone = Atomic(false)

  /// Opens one on the disk of `folder`.
  ///
  /// - Throws: ``OvercrankError/Code/cannotCreate`` where the folder cannot be written in.
  package init(in folder: FilePath) throws(OvercrankError) {
    let fd = folder.withPlatformString { clinux_open_scratch($0, 0) }
    guard fd >= 0 else {
      throw OvercrankError.creating(folder.appending("a file without a name"), Errno(rawValue: -fd))
    }
    descriptor = FileDescriptor(rawValue: fd)
    self.folder = folder
  }

  deinit { try? descriptor.close() }

  /// Where this program can open it as long as it is held.
  package var path: FilePath { FilePath("/proc/self/fd/\(descriptor.rawValue)") }

  /// How many bytes it holds.
  package var size: Int64 { isDropped ? 0 : end.load(ordering: .relaxed) }

  /// Whether it was dropped, and holds nothing any more.
  package var isDropped: Bool { isGone.load(ordering: .acquiring) }

  /// Appends `bytes`.
  ///
  /// - Returns: where they begin.
  /// - Throws: ``OvercrankError/Code/inputOutput`` where the disk is full or failed, or it was dropped.
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

  /// Reads the bytes from `offset` on, as many as `buffer` holds.
  ///
  /// - Throws: ``OvercrankError/Code/inputOutput`` where the disk failed, or it was dropped.
  package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(OvercrankError) {
    do throws(Errno) {
      guard try descriptor.read(at: offset, into: buffer) == buffer.count else { throw .ioError }
    } catch {
      throw OvercrankError.opening(folder, error)
    }
  }

  /// Gives the disk back all that it holds.
  package func drop() {
    isGone.store(true, ordering: .releasing)
    // Whoever appends just now leaves a few bytes, which go with the file.
    _ = ftruncate(descriptor.rawValue, 0)
  }

  /// Drops it where the disk has less room than for `reserve` bytes beside a copy of it.
  package func giveWay(keeping reserve: Int64) {
    guard !isDropped, let free = descriptor.bytesFree else { return }
    if free < UInt64(clamping: reserve.adding(clamping: size)) { drop() }
  }
}
