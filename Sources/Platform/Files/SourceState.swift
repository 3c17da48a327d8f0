internal import SystemPackage

/// The identity of a named file, and the time of its last change.
struct SourceState: Hashable {
  private let device: DeviceID
  private let inode: Inode
  private let size: Int64
  private let times: [Int]

  private init(_ status: Stat) {
    device = status.deviceID
    inode = status.inode
    size = Int64(status.size)
    times = [status.st_mtim, status.st_ctim].flatMap { [$0.tv_sec, $0.tv_nsec] }
  }

  /// Returns the state of the file that is open as `descriptor`.
  init(_ descriptor: FileDescriptor) throws(Errno) { self.init(try Stat(descriptor)) }

  /// Returns the state of the file now at `path`; `nil` if there is none.
  init?(_ path: FilePath) {
    guard let status = try? Stat(path) else { return nil }
    self.init(status)
  }

  /// Returns whether `other` is the same file, changed or not.
  func isSameFile(as other: SourceState) -> Bool { (device, inode) == (other.device, other.inode) }
}
