import Foundation

/// A small file system in memory. It requires root.
public final class SmallDisk: Sendable {
  private let folder: TemporaryFolder

  /// Creates a disk of `bytes` bytes; `nil` if this user may not mount one.
  public init?(bytes: Int) throws {
    folder = try TemporaryFolder()
    let arguments = ["-t", "tmpfs", "-o", "size=\(bytes)", "tmpfs", folder.url.path]
    guard (try? Program.run("mount", arguments)) != nil else { return nil }
  }

  deinit {
    _ = try? Program.run("umount", [folder.url.path])
  }

  /// Returns the path of `name` on the disk.
  public func path(_ name: String) -> String { folder.path(name) }

  /// The names of the files on the disk, in order.
  public var names: [String] {
    get throws { try folder.names }
  }

  /// Whether this user may mount one.
  public static let isPossible = (try? SmallDisk(bytes: 1 << 20)).flatMap { $0 } != nil
}
