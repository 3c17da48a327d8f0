import CLinux
import FoundationEssentials
import Glibc
import Platform
import SystemPackage
public import Timebase

/// The location of a user's trigger sockets.
public enum TriggerSocketAddress {
  /// The default name of a socket.
  public static let usualName = "record"

  /// Returns `name` if it can be part of a file name.
  ///
  /// - Throws: `QuantityError` if it cannot.
  public static func checked(_ name: String) throws(QuantityError) -> String {
    guard !name.isEmpty, name.utf8.count <= 40, !name.hasPrefix("."), !name.contains("/"),
      name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else {
      throw QuantityError(
        name,
        expected: "a socket's name: one line of up to 40 bytes, without a slash or a leading dot")
    }
    return name
  }

  /// `$XDG_RUNTIME_DIR/overcrank`; without that variable, a folder of the user's own in /tmp.
  static var folder: FilePath {
    if let runtime = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"], !runtime.isEmpty {
      return FilePath(runtime).appending("overcrank")
    }
    return FilePath("/tmp").appending("overcrank-\(getuid())")
  }

  /// Returns the path of the socket called `name`.
  static func path(of name: String) -> FilePath { folder.appending("\(name).sock") }

  /// The names of all sockets, live or abandoned.
  static var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.string)) ?? []
    return files.filter { $0.hasSuffix(".sock") }.map { String($0.dropLast(".sock".count)) }.sorted()
  }

  /// Creates the folder, and checks that only this user can write in it.
  static func makeFolder() throws(OvercrankError) {
    let result = folder.withPlatformString { mkdir($0, 0o700) }
    let answer = errno
    guard result == 0 || answer == EEXIST else {
      throw OvercrankError(
        .failed,
        "\(folder): the folder of trigger sockets cannot be created: \(Errno(rawValue: answer).inWords). "
          + (Errno(rawValue: answer).remedy ?? "Set XDG_RUNTIME_DIR to a folder of your own."))
    }
    try checkFolder()
  }

  /// Checks that no other user can put a socket into the folder.
  ///
  /// - Throws: `OvercrankError` if it belongs to another user, or others may write in it.
  static func checkFolder() throws(OvercrankError) {
    var status = stat()
    // Without the folder, there is no socket either.
    guard folder.withPlatformString({ lstat($0, &status) }) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid() else {
      throw OvercrankError(
        .failed,
        "\(folder): is not a folder of your own, so no trigger socket in it is used. "
          + "Set XDG_RUNTIME_DIR to a folder of your own.")
    }
    guard status.st_mode & 0o022 == 0 else {
      throw OvercrankError(
        .failed,
        "\(folder): other users may write to it, so no trigger socket in it is used. "
          + "Prevent that with \"chmod go-w \(folder)\".")
    }
  }

  /// Returns whether the program at the other end of `socket` belongs to this user, or to root.
  static func isTrusted(_ socket: Int32) -> Bool {
    let user = clinux_peer_user(socket)
    return user == Int64(getuid()) || user == 0
  }
}
