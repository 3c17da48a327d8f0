import FoundationEssentials
import Glibc
import Platform
import SystemPackage
public import Timebase

/// Where the trigger sockets of a user lie.
public enum TriggerSocketAddress {
  /// The name of a socket that was not given one.
  public static let usualName = "record"

  /// `name`, where it can be part of a file's name.
  ///
  /// - Throws: `QuantityError` where it cannot.
  public static func checked(_ name: String) throws(QuantityError) -> String {
    guard !name.isEmpty, name.utf8.count <= 40, !name.hasPrefix("."), !name.contains("/"),
      !name.contains("\0")
    else {
      throw QuantityError(
        name, expected: "a socket's name: up to 40 bytes, without a slash, not beginning with a dot")
    }
    return name
  }

  /// `$XDG_RUNTIME_DIR/overcrank`; without that variable a folder of the user's own in /tmp.
  static var folder: FilePath {
    if let runtime = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"], !runtime.isEmpty {
      return FilePath(runtime).appending("overcrank")
    }
    return FilePath("/tmp").appending("overcrank-\(getuid())")
  }

  /// The socket called `name`.
  static func path(of name: String) -> FilePath { folder.appending("\(name).sock") }

  /// The names of all sockets there are, alive or left behind.
  static var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.string)) ?? []
    return files.filter { $0.hasSuffix(".sock") }.map { String($0.dropLast(".sock".count)) }.sorted()
  }

  /// Makes the folder, and sees that it is the user's own.
  static func makeFolder() throws(TriggerError) {
    let result = folder.withPlatformString { mkdir($0, 0o700) }
    let answer = errno
    guard result == 0 || answer == EEXIST else {
      throw TriggerError(
        .failed,
        "\(folder): the folder of trigger sockets cannot be made: \(String(cString: strerror(answer))). "
          + "Let XDG_RUNTIME_DIR name a folder of your own.")
    }
    var status = stat()
    guard folder.withPlatformString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == getuid()
    else {
      throw TriggerError(
        .failed,
        "\(folder): is not a folder of your own, so no trigger socket is put there. Let XDG_RUNTIME_DIR name one."
      )
    }
  }
}
