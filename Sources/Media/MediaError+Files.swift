import SystemPackage

/// What the kernel's answers to file calls mean for an input or an output, and what to do about them.
extension MediaError {
  /// open(2) of an output, or rename(2) to its final name, failed.
  static func creating(_ path: FilePath, _ errno: Errno) -> MediaError {
    let folder = path.folder
    func error(_ code: Code, _ remedy: String) -> MediaError {
      MediaError(code, "\(path): cannot be created: \(errno.inWords). \(remedy)")
    }
    switch errno {
    case .fileExists:
      return .alreadyExists(path)
    case .noSuchFileOrDirectory where (try? Stat(folder))?.type == .directory:
      return error(.cannotCreate, "\(folder) takes no new files; name another place.")
    case .noSuchFileOrDirectory:
      return error(.cannotCreate, "The folder \(folder) does not exist; make it with \"mkdir -p \(folder)\".")
    case .notDirectory:
      return error(.cannotCreate, "\(folder) is a file, not a folder; name another place.")
    case .isDirectory:
      return error(.cannotCreate, "It is a folder; name a file in it.")
    case .readOnlyFileSystem:
      return error(.cannotCreate, "\(folder) is mounted read-only; name another place.")
    case .fileNameTooLong:
      return error(.cannotCreate, "Choose a shorter name.")
    case .permissionDenied, .notPermitted:
      // sysexits.h has it so: a file that cannot be made, for whatever reason, is EX_CANTCREAT.
      return error(
        .cannotCreate, "You may not write in \(folder); see \"ls -ld \(folder)\", or name another place.")
    case .noSpace, .diskQuotaExceeded:
      return error(
        .inputOutput, "The disk or your quota of it is full; free some space or name another disk.")
    default:
      return error(.cannotCreate, "Name another place.")
    }
  }

  /// The final name of an output is taken.
  static func alreadyExists(_ path: FilePath) -> MediaError {
    MediaError(.cannotCreate, "\(path): exists already. Choose another name, or replace it with --force.")
  }

  /// `leftover`, a part or the journal of one, stands where the output to `path` is to be written.
  static func inTheWay(_ leftover: FilePath, of path: FilePath) -> MediaError {
    let isRecording = (try? Stat(path.part.journal)) != nil
    let remedy =
      isRecording
      ? "then make it whole with \"overcrank recover \(path)\", or replace it with --force."
      : "then move it away, or replace it with --force."
    return MediaError(
      .cannotCreate,
      "\(path): cannot be created: \(leftover) is in the way. Either another program is writing it just now, or it "
        + "was left by one that was cut off: \(remedy)")
  }

  /// write(2), fallocate(2), ftruncate(2) or fsync(2) of an output failed.
  static func writing(_ path: FilePath, _ errno: Errno, bytesFree: UInt64?) -> MediaError {
    let free = bytesFree.map { ", \($0) bytes are free there" } ?? ""
    let remedy =
      switch errno {
      case .noSpace: "The disk is full\(free); free some space or name another disk."
      case .diskQuotaExceeded: "Your disk quota is used up\(free); free some space or name another disk."
      case .fileTooLarge: "The file system or \"ulimit -f\" allows no larger file; name another disk."
      case .ioError: "The disk failed; see \"dmesg\"."
      default: "Name another disk."
      }
    return MediaError(.inputOutput, "\(path): writing failed: \(errno.inWords). \(remedy)")
  }

  /// Finds out whether `path` is a file that can be read in any place and as often as is needed, before it is opened:
  /// that of a pipe would wait for a writer, for ever.
  ///
  /// - Throws: ``MediaError/Code/noInput``, ``MediaError/Code/noPermission``.
  static func checkIsRegular(_ path: FilePath) throws(MediaError) {
    let type: FileType
    do { type = try Stat(path).type } catch { throw opening(path, error, isFilm: true) }
    switch type {
    case .regular: return
    case .directory: throw opening(path, .isDirectory)
    case .fifo: throw notAFile(path, "a pipe", "Write to a file what comes out of it, and name that.")
    default: throw notAFile(path, "a device or a socket", "Name a file.")
    }
  }

  private static func notAFile(_ path: FilePath, _ kind: String, _ remedy: String) -> MediaError {
    MediaError(.noInput, "\(path): is \(kind), and a film is read in more places than one. \(remedy)")
  }

  /// open(2) or read(2) of an input failed.
  static func opening(_ path: FilePath, _ errno: Errno, isFilm: Bool = false) -> MediaError {
    func error(_ code: Code, _ remedy: String) -> MediaError {
      MediaError(code, "\(path): cannot be read: \(errno.inWords). \(remedy)")
    }
    switch errno {
    case .noSuchFileOrDirectory where isFilm && path == "-":
      return error(
        .noInput,
        "A film is read in more places than one, which standard input cannot be. Write to a file what comes, and name that."
      )
    case .noSuchFileOrDirectory where isFilm && path.string.contains("%"):
      return error(
        .noInput,
        "Check the name. Numbered pictures must be made one film first, such as one of FFV1 in Matroska.")
    case .noSuchFileOrDirectory, .notDirectory, .fileNameTooLong:
      return error(.noInput, "Check the name.")
    case .isDirectory:
      return error(.noInput, "It is a folder; name a file in it.")
    case .permissionDenied, .notPermitted:
      return error(.noPermission, "You may not read it; see \"ls -l \(path)\".")
    case .ioError:
      return error(.inputOutput, "The disk failed; see \"dmesg\".")
    default:
      return error(.noInput, "Name another file.")
    }
  }

  /// open(2) of a file that is to be changed where it lies failed.
  static func changing(_ path: FilePath, _ errno: Errno) -> MediaError {
    func error(_ code: Code, _ remedy: String) -> MediaError {
      MediaError(code, "\(path): cannot be changed: \(errno.inWords). \(remedy)")
    }
    switch errno {
    case .readOnlyFileSystem:
      return error(
        .cannotCreate, "\(path.folder) is mounted read-only; change a copy of it in another place.")
    case .permissionDenied, .notPermitted:
      return error(.noPermission, "You may not write to it; see \"ls -l \(path)\", or change a copy of it.")
    default:
      return opening(path, errno)
    }
  }
}

extension Errno {
  /// `No space left on device (errno 28)`.
  var inWords: String { "\(self) (errno \(rawValue))" }
}

extension FilePath {
  /// The folder that holds this file; `.` for a bare name.
  var folder: FilePath {
    let parent = removingLastComponent()
    return parent.isEmpty ? "." : parent
  }
}
