import Foundation

/// A disk of its own, an ext4 in a file, that can be made to stand still; only root can have one, where the kernel has
/// loop devices.
public final class FreezableDisk: Sendable {
  private let folder: TemporaryFolder
  private var mountPoint: String { folder.path("disk") }

  /// A disk of `bytes` bytes; `nil` where this user may not have one.
  public init?(bytes: Int = 64 << 20) throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("disk"), withIntermediateDirectories: true)
    let image = folder.path("image")
    guard FileManager.default.createFile(atPath: image, contents: nil), truncate(image, bytes) == 0,
      (try? Program.run("mkfs.ext4", ["-q", image])) != nil,
      (try? Program.run("mount", ["-o", "loop", image, folder.path("disk")])) != nil
    else { return nil }
  }

  deinit {
    thaw()
    _ = try? Program.run("umount", [mountPoint])
  }

  /// The path of `name` on it.
  public func path(_ name: String) -> String { "\(mountPoint)/\(name)" }

  /// Lets whoever writes to it wait, until ``thaw()``.
  public func freeze() throws { try Program.run("fsfreeze", ["--freeze", mountPoint]) }

  /// Lets it go on.
  public func thaw() { _ = try? Program.run("fsfreeze", ["--unfreeze", mountPoint]) }

  /// Whether this user may have one.
  public static let isPossible = (try? FreezableDisk()).flatMap { $0 } != nil
}
