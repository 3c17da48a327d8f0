package import SystemPackage

/// The identity of a named file, and the time of its last change.
package struct SourceState: Hashable, Sendable {
  private let device: DeviceID
  private let inode: Inode
  /// The size of the file in bytes.
  package let size: Int64
  private let times: [Int]

  /// The time of the last change of its content, in whole seconds since 1970.
  package var changed: Int { times[0] }

  private init(_ status: Stat) {
    device = status.deviceID
    inode = status.inode
    size = Int64(status.size)
    times = [status.st_mtim, status.st_ctim].flatMap { [$0.tv_sec, $0.tv_nsec] }
  }

  /// Returns the state of the file that is open as `descriptor`.
  init(_ descriptor: FileDescriptor) throws(Errno) { self.init(try Stat(descriptor)) }

  /// Returns the state of the file now at `path`; `nil` if there is none.
  package init?(_ path: FilePath) {
    guard let status = try? Stat(path) else { return nil }
    self.init(status)
  }

  /// Returns whether `other` is the same file, changed or not.
  func isSameFile(as other: SourceState) -> Bool { (device, inode) == (other.device, other.inode) }
}
