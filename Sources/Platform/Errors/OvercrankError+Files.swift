internal import Glibc
package import SystemPackage

/// Errors of file calls on inputs and outputs, by `errno`, with their remedies.
extension OvercrankError {
  /// Returns the error for a failed open(2) of an output, or rename(2) to its final name.
  ///
  /// - Parameter failure: the beginning of the message; `nil` for "cannot be created", with `path`.
  package static func creating(_ path: FilePath, _ errno: Errno, saying failure: String? = nil)
    -> OvercrankError
  {
    let folder = path.folder
    func error(_ code: Code, _ remedy: String) -> OvercrankError {
      OvercrankError(code, "\(failure ?? "\(path): cannot be created"): \(errno.inWords). \(remedy)")
    }
    switch errno {
    case .fileExists:
      return .alreadyExists(path)
    case .noSuchFileOrDirectory where (try? Stat(folder))?.type == .directory:
      return error(.cannotCreate, "No new files can be created in \(folder); choose another place.")
    case .noSuchFileOrDirectory:
      return error(.cannotCreate, "The folder \(folder) does not exist; make it with \"mkdir -p \(folder)\".")
    case .notDirectory:
      return error(.cannotCreate, "\(folder) is a file, not a folder; choose another place.")
    case .isDirectory:
      return error(.cannotCreate, "It is a folder; name a file in it.")
    case .readOnlyFileSystem:
      return error(.cannotCreate, "\(folder) is mounted read-only; choose another place.")
    case .fileNameTooLong:
      return error(.cannotCreate, "Choose a shorter name.")
    case .invalidArgument where path.hasFATNames:
      return error(
        .cannotCreate,
        "The file system there, FAT or exFAT, allows none of \\ / : * ? \" < > | in a name; rename it first."
      )
    case .notPermitted where path.exists:
      // Permissions are not the cause: the file is immutable, or another user's in a folder such as /tmp.
      return error(
        .cannotCreate,
        "The file of that name may not be replaced; see \"lsattr -d \(path) \(folder)\" and \"ls -ld \(folder)\", or "
          + "choose another name.")
    case .notPermitted:
      return error(
        .cannotCreate,
        "\(folder) accepts no new files; see \"lsattr -d \(folder)\", or choose another place.")
    case .permissionDenied:
      // A file that cannot be created is always EX_CANTCREAT, as sysexits.h defines it.
      return error(
        .cannotCreate, "You may not write to \(folder); see \"ls -ld \(folder)\", or choose another place.")
    case .operationNotSupportedByDevice, .noSuchAddressOrDevice:
      return error(.inputOutput, diskIsGone)
    case .tooManySymbolicLinkLevels:
      return error(.cannotCreate, "Its symbolic links form a loop; choose another place.")
    case .invalidArgument:
      return error(.cannotCreate, "The file system does not allow this name; choose another.")
    default:
      guard let remedy = errno.remedy else { return error(.cannotCreate, "Choose another place.") }
      return error(.inputOutput, remedy)
    }
  }

  /// Returns the error for an output that can be made again, whose folder another program moved to `place`.
  static func moved(_ path: FilePath, to place: FilePath?) -> OvercrankError {
    OvercrankError(
      .inputOutput,
      "\(path): cannot be created: another program \(place.map { "moved its folder to \($0)" } ?? "removed its part") "
        + "meanwhile. Start again\(place == nil ? "" : " there").")
  }

  /// Returns the error for an output whose final name is taken.
  package static func alreadyExists(_ path: FilePath) -> OvercrankError {
    OvercrankError(
      .cannotCreate, "\(path): already exists. Choose another name, or allow it to be replaced.",
      remedy: .replace)
  }

  /// Returns the error for an output to `path` that `leftover`, an abandoned part or journal, prevents.
  package static func inTheWay(_ leftover: FilePath, of path: FilePath) -> OvercrankError {
    let isRecording = (try? Stat(path.part.journal)) != nil
    let remedy =
      isRecording
      ? "Recover it, or allow it to be replaced."
      : "Move it away, or allow it to be replaced."
    return OvercrankError(
      .cannotCreate,
      "\(path): cannot be created: \(leftover) is in the way. "
        + (isRecording || leftover.isMarkedOutput ? "It was left by a program that was cut off. " : "")
        + remedy,
      remedy: isRecording ? .recoverOrReplace(path) : .replace)
  }

  /// Returns the error for an output to `path` that the file at `part`, which no output left, prevents.
  static func foreign(_ part: FilePath, of path: FilePath) -> OvercrankError {
    let isFile = (try? Stat(part, followTargetSymlink: false))?.type == .regular
    let reason = isFile ? "was made by another program" : "is not a regular file"
    return OvercrankError(
      .cannotCreate, "\(path): cannot be created: \(part) is in the way, and \(reason). Move it away.")
  }

  /// Returns the error for an output to `path` whose `part` another program is writing.
  static func beingWritten(_ part: FilePath, of path: FilePath) -> OvercrankError {
    OvercrankError(
      .busy,
      "\(path): cannot be created: another program is writing \(part). Wait for it, or choose another name."
    )
  }

  /// Returns the error for a failed write(2), fallocate(2), ftruncate(2) or fsync(2) of the output open as
  /// `descriptor`.
  static func writing(
    _ path: FilePath, _ errno: Errno, on descriptor: FileDescriptor, part: FilePath
  ) -> OvercrankError {
    // A network file system returns this for a file that was removed elsewhere.
    if errno == .staleNFSFileHandle { return .disturbed(part, of: path, on: descriptor) }
    return .writing(
      path, errno, bytesFree: descriptor.bytesFree)
  }

  /// Returns the error for `part`, open as `descriptor`, that another program changed while it was written.
  private static func disturbed(
    _ part: FilePath, of path: FilePath, on descriptor: FileDescriptor
  ) -> OvercrankError {
    guard let place = descriptor.place(from: part) else {
      return OvercrankError(
        .inputOutput,
        "\(path): what was written is gone: another program removed \(part) meanwhile, or put something else there."
      )
    }
    let isRecording = (try? Stat(place.journal)) != nil
    let remedy: Remedy? = isRecording ? .recoverRest(place) : nil
    guard place == part else {
      let name = place.name == part.name ? place.withoutExtension : path
      return OvercrankError(
        .inputOutput,
        "\(path): cannot be created: another program moved its part meanwhile. What was written is in \(place)"
          + (isRecording ? "." : ", and is complete: rename it to \(name)."),
        remedy: remedy)
    }
    return OvercrankError(
      .inputOutput,
      "\(path): some of what was written is missing: another program truncated \(part) meanwhile.",
      remedy: remedy)
  }

  /// Returns the error for a failed write, with the number of free bytes on that disk, if known.
  package static func writing(_ path: FilePath, _ errno: Errno, bytesFree: UInt64?) -> OvercrankError {
    let free = bytesFree.map { ": only \(Int64(clamping: $0).sizeWords) are free there" } ?? ""
    let remedy =
      switch errno {
      case .noSpace: "The disk is full\(free); free some space or use another disk."
      case .readOnlyFileSystem: "The disk has become read-only, as after a failure; see \"dmesg\"."
      case .operationNotSupportedByDevice, .noSuchAddressOrDevice: diskIsGone
      case .fileTooLarge where path.largestFile != nil:
        "The file system there, FAT, cannot hold a file of 4 GiB. Format the disk as exFAT, or use another."
      case .permissionDenied, .notPermitted:
        "You may no longer write to it; see its \"ls -l\" and \"lsattr\"."
      default: errno.remedy ?? "See \"dmesg\", or use another disk."
      }
    return OvercrankError(.inputOutput, "\(path): writing failed: \(errno.inWords). \(remedy)")
  }

  private static let diskIsGone =
    "The disk is gone: it was unplugged, or failed. Plug it in, mount it, and try again."

  /// Returns the error for a failed open(2) or read(2) while a written copy is read back from the disk.
  static func readingBack(_ path: FilePath, _ errno: Errno) -> OvercrankError {
    switch errno {
    case .operationNotSupportedByDevice, .noSuchAddressOrDevice:
      OvercrankError(.inputOutput, "\(path): cannot be read back: \(errno.inWords). \(diskIsGone)")
    default: opening(path, errno)
    }
  }

  /// Returns the error for a failed open(2) or read(2) of an input.
  package static func opening(_ path: FilePath, _ errno: Errno) -> OvercrankError {
    func error(_ code: Code, _ remedy: String) -> OvercrankError {
      OvercrankError(code, "\(path): cannot be read: \(errno.inWords). \(remedy)")
    }
    switch errno {
    case .noSuchFileOrDirectory, .notDirectory, .fileNameTooLong:
      return error(.noInput, "Check the name.")
    case .tooManySymbolicLinkLevels:
      // open(2) with O_NOFOLLOW gives the same error for a single link.
      return error(
        .noInput,
        "It is a symbolic link, which is not followed here, or a loop of links; name the file itself.")
    case .isDirectory:
      return error(.noInput, "It is a folder; name a file in it.")
    case .permissionDenied, .notPermitted:
      return error(.noPermission, "You may not read it; see \"ls -l \(path)\".")
    default:
      guard let remedy = errno.remedy else { return error(.noInput, "Choose another file.") }
      return error(.inputOutput, remedy)
    }
  }

  /// Returns the error for a failed opendir(3) or readdir(3) of a folder.
  package static func listing(_ folder: FilePath, _ errno: Errno) -> OvercrankError {
    guard errno == .permissionDenied || errno == .notPermitted else { return opening(folder, errno) }
    return OvercrankError(
      .noPermission,
      "\(folder): cannot be listed: \(errno.inWords). You may not read it; see \"ls -ld \(folder)\".")
  }

  /// Returns the error for a failed unlink(2) of a file that is no longer needed.
  package static func removing(_ path: FilePath, _ errno: Errno) -> OvercrankError {
    let (code, remedy): (Code, String) =
      switch errno {
      case .notPermitted:
        (.noPermission, "It may not be removed; see \"lsattr -d \(path) \(path.folder)\".")
      case .permissionDenied:
        (.noPermission, "You may not write to \(path.folder); see \"ls -ld \(path.folder)\".")
      case .readOnlyFileSystem: (.inputOutput, "\(path.folder) is mounted read-only, so it stays there.")
      default: (.inputOutput, errno.remedy ?? "Remove it yourself.")
      }
    return OvercrankError(code, "\(path): cannot be removed: \(errno.inWords). \(remedy)")
  }

  /// Returns the error for a failed open(2) of a file that is to be changed in place.
  package static func changing(_ path: FilePath, _ errno: Errno) -> OvercrankError {
    func error(_ code: Code, _ remedy: String) -> OvercrankError {
      OvercrankError(code, "\(path): cannot be changed: \(errno.inWords). \(remedy)")
    }
    switch errno {
    case _ where errno.remedy != nil:
      return error(.inputOutput, errno.remedy ?? "")
    case .readOnlyFileSystem:
      return error(
        .cannotCreate, "\(path.folder) is mounted read-only; change a copy of it in another place.")
    case .permissionDenied, .notPermitted:
      return error(
        .noPermission,
        "You may not write to it; see \"ls -l \(path)\" and \"lsattr \(path)\", or change a copy of it.")
    default:
      return opening(path, errno)
    }
  }
}

extension FilePath {
  /// Removes the file of this name. The corresponding call is unlink(2).
  ///
  /// - Throws: ``OvercrankError/Code/inputOutput`` or ``OvercrankError/Code/noPermission``; the file then still
  ///   exists.
  package func removeFile() throws(OvercrankError) {
    guard unlink() == 0 else { throw OvercrankError.removing(self, Errno(rawValue: errno)) }
  }
}
