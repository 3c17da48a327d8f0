import Glibc
package import SystemPackage

/// The folders of the user who runs the program, by the XDG Base Directory Specification.
///
/// As it requires, a variable that is empty or relative counts as unset; so does one that is not UTF-8,
/// because no file could be named with its text.
package enum UserFolders {
  /// `$HOME`, else the user's home folder in the system's user database.
  package static var home: FilePath { path(in: "HOME") ?? systemHome }
  /// `$XDG_CONFIG_HOME`, else `~/.config`.
  package static var configuration: FilePath { path(in: "XDG_CONFIG_HOME") ?? home.appending(".config") }
  /// `$XDG_CACHE_HOME`, else `~/.cache`.
  package static var cache: FilePath { path(in: "XDG_CACHE_HOME") ?? home.appending(".cache") }
  /// `$XDG_VIDEOS_DIR`, else `~/Videos`.
  package static var videos: FilePath { path(in: "XDG_VIDEOS_DIR") ?? home.appending("Videos") }

  private static func path(in variable: String) -> FilePath? {
    guard let value = getenv(variable), let text = String(validatingCString: value) else { return nil }
    let path = FilePath(text)
    return path.isAbsolute ? path : nil
  }

  private static var systemHome: FilePath {
    let home = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer -> FilePath? in
      var entry = passwd()
      var found: UnsafeMutablePointer<passwd>?
      guard let start = buffer.baseAddress,
        getpwuid_r(getuid(), &entry, start, buffer.count, &found) == 0,
        let user = found, let folder = user.pointee.pw_dir, let text = String(validatingCString: folder)
      else { return nil }
      return FilePath(text)
    }
    return home.flatMap { $0.isAbsolute ? $0 : nil } ?? "/"
  }
}
