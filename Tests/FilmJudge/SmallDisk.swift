import Foundation

/// A file system of its own in memory that is full soon; only root can have one.
public final class SmallDisk: Sendable {
  private let folder: TemporaryFolder

  /// A disk of `bytes` bytes; `nil` where this user may not mount one.
  public init?(bytes: Int) throws {
    folder = try TemporaryFolder()
    let arguments = ["-t", "tmpfs", "-o", "size=\(bytes)", "tmpfs", folder.url.path]
    guard (try? Program.run("mount", arguments)) != nil else { return nil }
  }

  deinit {
    _ = try? Program.run("umount", [folder.url.path])
  }

  /// The path of `name` on it.
  public func path(_ name: String) -> String { folder.path(name) }

  /// The names of all that is on it, in order.
  public var names: [String] {
    get throws { try folder.names }
  }

  /// Whether this user may mount one.
  public static let isPossible = (try? SmallDisk(bytes: 1 << 20)).flatMap { $0 } != nil
}
