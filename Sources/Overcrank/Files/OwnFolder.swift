import Glibc
public import Platform
import SystemPackage

/// A folder that the program chose, made where it is not there yet.
public enum OwnFolder {
  /// Makes `path` and the folders above it.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - role: what it is, as in "the library folder".
  ///   - remedy: what to do where it cannot be made, in a sentence.
  /// - Throws: `FileError` with `cannotCreate`.
  public static func make(_ path: String, as role: String, remedy: String) throws(FileError) {
    var made = path.hasPrefix("/") ? "/" : ""
    for name in path.split(separator: "/") {
      made += name
      // What is there already is told in several ways: EEXIST, on a read-only disk EROFS, for an automounter EACCES.
      if mkdir(made, 0o777) != 0 {
        let answer = errno
        guard isFolder(made) else {
          throw FileError(
            .cannotCreate,
            "\(path): \(role) cannot be made: \(made): \(Errno(rawValue: answer)) (errno \(answer)). \(remedy)"
          )
        }
      }
      made += "/"
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
