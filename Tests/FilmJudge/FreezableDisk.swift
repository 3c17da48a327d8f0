import Foundation

/// A disk of its own, a file system in a file, that can be made to stand still; only root can have one, where the kernel
/// has loop devices.
public final class FreezableDisk: Sendable {
  /// What is on it.
  public enum Format: Sendable {
    case ext4
    /// With long names in UTF-8, as desktops mount it. It cannot stand still.
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

  /// A disk of `bytes` bytes; `nil` where this user may not have one.
  public init?(bytes: Int = 64 << 20, _ format: Format = .ext4) throws {
    // Modules in the kernel of script/vm, where mount loads none.
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

  /// The path of `name` on it.
  public func path(_ name: String) -> String { "\(mountPoint)/\(name)" }

  /// Lets whoever writes to it wait, until ``thaw()``.
  public func freeze() throws { try Program.run("fsfreeze", ["--freeze", mountPoint]) }

  /// Lets it go on.
  public func thaw() { _ = try? Program.run("fsfreeze", ["--unfreeze", mountPoint]) }

  /// The names on it, in order.
  public var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: mountPoint).sorted() }
  }

  /// Whether this user may have one.
  public static let isPossible = (try? FreezableDisk()).flatMap { $0 } != nil
  /// Whether this user may have one with FAT.
  public static let isPossibleWithFAT = (try? FreezableDisk(.fat)).flatMap { $0 } != nil
}
