import Foundation

/// A file system in a file, which can be frozen. It requires root and a kernel with loop devices.
public final class FreezableDisk: Sendable {
  /// The kind of file system.
  public enum Format: Sendable {
    case ext4
    /// FAT with long names in UTF-8, as desktops mount it. It cannot be frozen.
    case fat

    fileprivate var program: (name: String, arguments: [String]) {
      switch self {
      case .ext4: ("mkfs.ext4", ["-q"])
      case .fat: ("/usr/sbin/mkfs.vfat", ["-F", "32", "-s", "1"])
      }
    }

    fileprivate var options: String { self == .fat ? "loop,utf8" : "loop" }
  }

  private let folder: TemporaryFolder
  private var mountPoint: String { folder.path("disk") }

  /// Creates a disk of `bytes` bytes; `nil` if this user may not mount one.
  public init?(bytes: Int = 64 << 20, _ format: Format = .ext4) throws {
    // The kernel of script/vm has these as modules, and its mount does not load them.
    if format == .fat {
      _ = try? Program.run("modprobe", ["-a", "loop", "vfat", "nls_cp437", "nls_ascii", "nls_utf8"])
    }
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("disk"), withIntermediateDirectories: true)
    let image = folder.path("image")
    guard FileManager.default.createFile(atPath: image, contents: nil), truncate(image, bytes) == 0,
      (try? Program.run(format.program.name, format.program.arguments + [image])) != nil,
      (try? Program.run("mount", ["-o", format.options, image, folder.path("disk")])) != nil
    else { return nil }
  }

  deinit {
    thaw()
    _ = try? Program.run("umount", [mountPoint])
  }

  /// Returns the path of `name` on the disk.
  public func path(_ name: String) -> String { "\(mountPoint)/\(name)" }

  /// Blocks all writes until ``thaw()``.
  public func freeze() throws { try Program.run("fsfreeze", ["--freeze", mountPoint]) }

  /// Unblocks the writes.
  public func thaw() { _ = try? Program.run("fsfreeze", ["--unfreeze", mountPoint]) }

  /// The names of the files on the disk, in order.
  public var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: mountPoint).sorted() }
  }

  /// Whether this user may mount one.
  public static let isPossible = (try? FreezableDisk()).flatMap { $0 } != nil
  /// Whether this user may mount one with FAT.
  public static let isPossibleWithFAT = (try? FreezableDisk(.fat)).flatMap { $0 } != nil
}
