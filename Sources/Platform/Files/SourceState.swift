internal import SystemPackage

/// Which file a name led to, and when that changed last.
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

  /// The state of the file that is open as `descriptor`.
  init(_ descriptor: FileDescriptor) throws(Errno) { self.init(try Stat(descriptor)) }

  /// The state of the file that `path` leads to now; `nil` where there is none.
  init?(_ path: FilePath) {
    guard let status = try? Stat(path) else { return nil }
    self.init(status)
  }

  /// Whether `other` is the same file, changed or not.
  func isSameFile(as other: SourceState) -> Bool { (device, inode) == (other.device, other.inode) }
}
