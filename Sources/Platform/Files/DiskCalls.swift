internal import CLinux
internal import Glibc
internal import SystemPackage

/// The calls that wait for a disk. A test puts its own in their place.
struct DiskCalls: Sendable {
  /// Writes all of the bytes from an offset on, which the file must reach up to.
  var write: @Sendable (FileDescriptor, Int64, UnsafeRawBufferPointer) throws(Errno) -> Void = {
    (descriptor, offset, bytes) throws(Errno) in
    guard descriptor.holds(offset) else { throw .staleNFSFileHandle }
    do { _ = try descriptor.writeAll(toAbsoluteOffset: offset, bytes) } catch {
      throw error as? Errno ?? .ioError
    }
  }
  /// Waits until the disk has what is needed to read all that was written; see fdatasync(2).
  var synchronize: @Sendable (FileDescriptor) throws(Errno) -> Void = { (descriptor) throws(Errno) in
    while fdatasync(descriptor.rawValue) != 0 {
      guard errno == EINTR else { throw Errno(rawValue: errno) }
    }
  }
  /// Claims the space of so many bytes from an offset on, where the disk has plenty; see fallocate(2).
  var claim: @Sendable (FileDescriptor, Int64, Int64) throws(Errno) -> Void = {
    (descriptor, offset, count) throws(Errno) in
    guard descriptor.hasPlenty(for: count) else { throw .noSpace }
    let result = clinux_reserve(descriptor.rawValue, offset, count)
    guard result == 0 else { throw Errno(rawValue: -result) }
  }
}
