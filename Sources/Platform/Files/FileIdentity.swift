package import SystemPackage

/// The identity of a file, whatever its name: its device and its inode number.
package struct FileIdentity: Hashable, Sendable {
  private let device: DeviceID
  private let inode: Inode

  init(_ status: Stat) {
    device = status.deviceID
    inode = status.inode
  }

  /// Identifies the file at `path`, following links; `nil` if there is none.
  package init?(_ path: FilePath) {
    guard let status = try? Stat(path) else { return nil }
    self.init(status)
  }

  /// Identifies the file that is open as `descriptor`; `nil` if fstat(2) fails.
  package init?(_ descriptor: FileDescriptor) {
    guard let status = try? Stat(descriptor) else { return nil }
    self.init(status)
  }
}
