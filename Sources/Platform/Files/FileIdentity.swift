package import SystemPackage

/// A file, whatever it is called: its device and its number there.
package struct FileIdentity: Hashable, Sendable {
  private let device: DeviceID
  private let inode: Inode

  init(_ status: Stat) {
    device = status.deviceID
    inode = status.inode
  }

  /// Identifies the file that `path` leads to, through links too; `nil` where there is none.
  package init?(_ path: FilePath) {
    guard let status = try? Stat(path) else { return nil }
    self.init(status)
  }

  /// Identifies the file that is open as `descriptor`; `nil` where it cannot be asked.
  package init?(_ descriptor: FileDescriptor) {
    guard let status = try? Stat(descriptor) else { return nil }
    self.init(status)
  }
}
