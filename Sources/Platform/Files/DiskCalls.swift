internal import CLinux
internal import Glibc
internal import SystemPackage

/// The calls that wait for a disk. Tests replace them.
struct DiskCalls: Sendable {
  /// The call that writes all bytes at an offset that the file must already reach.
  var write: @Sendable (FileDescriptor, Int64, UnsafeRawBufferPointer) throws(Errno) -> Void = {
    (descriptor, offset, bytes) throws(Errno) in
    guard descriptor.holds(offset) else { throw .staleNFSFileHandle }
    do { _ = try descriptor.writeAll(toAbsoluteOffset: offset, bytes) } catch {
      throw error as? Errno ?? .ioError
    }
  }
  /// The call that waits until the disk has all that is needed to read the written data; see fdatasync(2).
  var synchronize: @Sendable (FileDescriptor) throws(Errno) -> Void = { (descriptor) throws(Errno) in
    while fdatasync(descriptor.rawValue) != 0 {
      guard errno == EINTR else { throw Errno(rawValue: errno) }
    }
  }
  /// The call that claims the space of this many bytes from an offset on if the disk has plenty; see
  /// fallocate(2).
  var claim: @Sendable (FileDescriptor, Int64, Int64) throws(Errno) -> Void = {
    (descriptor, offset, count) throws(Errno) in
    guard descriptor.hasPlenty(for: count) else { throw .noSpace }
    let result = clinux_reserve(descriptor.rawValue, offset, count)
    guard result == 0 else { throw Errno(rawValue: -result) }
  }
}
