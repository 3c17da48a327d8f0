import Glibc
public import Platform
public import SystemPackage

/// A folder that the program chose, created if it does not exist.
public enum OwnFolder {
  /// Creates `path` and the folders above it.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - role: the purpose of the folder, as in "the library folder".
  ///   - remedy: what to do if it cannot be created, in a sentence.
  /// - Throws: `OvercrankError` with `cannotCreate`, or with `inputOutput` if the disk is full or failed.
  public static func make(_ path: FilePath, as role: String, remedy: String) throws(OvercrankError) {
    var made = FilePath(root: path.root, [] as [FilePath.Component])
    for name in path.components {
      made.append(name)
      // An existing folder gives EEXIST, EROFS on a read-only disk, or EACCES with an automounter.
      if made.withPlatformString({ mkdir($0, 0o777) }) == 0 {
        // The folder's name must reach the disk before a recording in it does.
        try? made.folder.synchronize()
      } else {
        let answer = errno
        let type = (try? Stat(made))?.type
        guard type == .directory else {
          if type != nil {
            throw OvercrankError(
              .cannotCreate, "\(path): \(role) cannot be created: \(made) is a file, not a folder. \(remedy)")
          }
          throw OvercrankError(
            Errno(rawValue: answer).remedy == nil ? .cannotCreate : .inputOutput,
            "\(path): \(role) cannot be created: \(made): \(Errno(rawValue: answer).inWords). "
              + (Errno(rawValue: answer).remedy ?? remedy))
        }
      }
    }
  }

  /// Refuses a folder that the user named and that does not exist, or is a file. It is not created because it
  /// may be the mount point of a missing disk.
  ///
  /// - Throws: `OvercrankError` with `cannotCreate`.
  package static func checkExists(_ path: FilePath) throws(OvercrankError) {
    let type = (try? Stat(path))?.type
    guard type != .directory else { return }
    guard type == nil else {
      throw OvercrankError(.cannotCreate, "\(path): is a file, not a folder. Name a folder.")
    }
    throw OvercrankError(
      .cannotCreate,
      "\(path): there is no such folder. If it is on a disk, connect and mount that disk; otherwise create "
        + "it with \"mkdir -p \(path)\".")
  }

  /// Refuses a folder that no longer exists, or is not writable.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - role: the purpose of the folder, as in "the folder of takes".
  ///   - remedy: what to do about it, in a sentence.
  /// - Throws: `OvercrankError` with `cannotCreate`.
  package static func checkTakesFiles(
    _ path: FilePath, as role: String, remedy: String
  ) throws(OvercrankError) {
    guard path.withPlatformString({ access($0, W_OK | X_OK) }) != 0 else {
      if (try? Stat(path))?.type == .directory { return }
      throw OvercrankError(.cannotCreate, "\(path): \(role) is no longer a folder. \(remedy)")
    }
    let reason = Errno(rawValue: errno)
    let what = reason == .noSuchFileOrDirectory ? "no longer exists" : "does not accept new files"
    throw OvercrankError(.cannotCreate, "\(path): \(role) \(what): \(reason.inWords). \(remedy)")
  }

  /// Refuses a file whose folder does not exist, or is not writable.
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
