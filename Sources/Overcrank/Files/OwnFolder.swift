import Glibc
public import Platform
public import SystemPackage

/// A folder that the program chose, made where it is not there yet.
public enum OwnFolder {
  /// Makes `path` and the folders above it.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - role: what it is, as in "the library folder".
  ///   - remedy: what to do where it cannot be made, in a sentence.
  /// - Throws: `OvercrankError` with `cannotCreate`, or with `inputOutput` where the disk is full or failed.
  public static func make(_ path: FilePath, as role: String, remedy: String) throws(OvercrankError) {
    var made = FilePath(root: path.root, [] as [FilePath.Component])
    for name in path.components {
      made.append(name)
      // What is there already is told in several ways: EEXIST, on a read-only disk EROFS, for an automounter EACCES.
      if made.withPlatformString({ mkdir($0, 0o777) }) == 0 {
        // Its name is on the disk before a film in it is.
        try? made.folder.synchronize()
      } else {
        let answer = errno
        let type = (try? Stat(made))?.type
        guard type == .directory else {
          if type != nil {
            throw OvercrankError(
              .cannotCreate, "\(path): \(role) cannot be made: \(made) is a file, not a folder. \(remedy)")
          }
          throw OvercrankError(
            Errno(rawValue: answer).remedy == nil ? .cannotCreate : .inputOutput,
            "\(path): \(role) cannot be made: \(made): \(Errno(rawValue: answer).inWords). "
              + (Errno(rawValue: answer).remedy ?? remedy))
        }
      }
    }
  }

  /// Refuses a folder that a person named and that is not there: none is made, as it may be the place of a disk that is
  /// not there either.
  ///
  /// - Throws: `OvercrankError` with `cannotCreate`.
  package static func checkExists(_ path: FilePath) throws(OvercrankError) {
    guard (try? Stat(path))?.type != .directory else { return }
    throw OvercrankError(
      .cannotCreate,
      "\(path): there is no such folder. If it is on a disk, plug that in and mount it; else make it with "
        + "\"mkdir -p \(path)\".")
  }

  /// Refuses a folder that is not there any more, or takes no new files.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - role: what it is, as in "the folder of takes".
  ///   - remedy: what to do about it, in a sentence.
  /// - Throws: `OvercrankError` with `cannotCreate`.
  package static func checkTakesFiles(
    _ path: FilePath, as role: String, remedy: String
  ) throws(OvercrankError) {
    guard path.withPlatformString({ access($0, W_OK | X_OK) }) != 0 else {
      if (try? Stat(path))?.type == .directory { return }
      throw OvercrankError(.cannotCreate, "\(path): \(role) is no folder any more. \(remedy)")
    }
    let reason = Errno(rawValue: errno)
    let what = reason == .noSuchFileOrDirectory ? "is not there any more" : "takes no new files"
    throw OvercrankError(.cannotCreate, "\(path): \(role) \(what): \(reason.inWords). \(remedy)")
  }

  /// Refuses a file whose folder is not there, or takes no files.
  ///
  /// - Throws: `OvercrankError` with `cannotCreate`.
  static func checkTakesFiles(beside path: FilePath) throws(OvercrankError) {
    let folder = path.folder
    guard folder.withPlatformString({ access($0, W_OK | X_OK) }) != 0 else {
      if (try? Stat(folder))?.type == .directory { return }
      throw OvercrankError.creating(path, .notDirectory)
    }
    throw OvercrankError.creating(path, Errno(rawValue: errno))
  }
}
