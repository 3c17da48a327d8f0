package import Platform
package import SystemPackage

extension OvercrankError {
  /// Returns the error for a video at `path` that ends before its first frame.
  package static func noFrames(_ path: FilePath) -> OvercrankError {
    OvercrankError(
      .badData, "\(path): contains no complete frame, so it is cut off or damaged. Try another copy of it.")
  }

  /// Returns the error for a source at `path` of which no frame can be decoded.
  ///
  /// - Parameter reason: the first failure and its remedy; `nil` if it is not known.
  package static func noDecodableFrame(_ path: FilePath, _ reason: OvercrankError? = nil) -> OvercrankError {
    OvercrankError(
      .badData,
      "\(path): no frame of it can be decoded. \(reason?.description ?? "Try another copy of it.")")
  }

  /// Checks that `path` is a regular file, which can be read at any offset and as often as needed, before it
  /// is opened: opening a pipe would wait for a writer for ever.
  ///
  /// - Throws: `noInput`, `noPermission`.
  static func checkIsRegular(_ path: FilePath) throws(OvercrankError) {
    let type: FileType
    do { type = try Stat(path).type } catch { throw openingVideo(path, error) }
    switch type {
    case .regular: return
    case .directory:
      guard let pattern = ImageSequence.pattern(in: path) else {
        throw OvercrankError.opening(path, .isDirectory)
      }
      throw OvercrankError(
        .noInput,
        "\(path): is a folder. To read its images as one source, name them by their pattern: \(pattern)")
    case .fifo: throw notAFile(path, "a pipe", "Write its output to a file, and name that file.")
    default: throw notAFile(path, "a device or a socket", "Name a file.")
    }
  }

  private static func notAFile(_ path: FilePath, _ kind: String, _ remedy: String) -> OvercrankError {
    OvercrankError(
      .noInput,
      "\(path): is \(kind), but a source is read at several positions, so it must be a file. \(remedy)")
  }

  /// Returns the error for a source at `path` that cannot be opened.
  private static func openingVideo(_ path: FilePath, _ errno: Errno) -> OvercrankError {
    func error(_ remedy: String) -> OvercrankError {
      OvercrankError(.noInput, "\(path): cannot be read: \(errno.inWords). \(remedy)")
    }
    switch errno {
    case .noSuchFileOrDirectory where path == "-":
      return error(
        "A source is read at several positions, and standard input cannot be. Write the input to a file, and "
          + "name that file.")
    case .noSuchFileOrDirectory where path.name.contains("*"):
      let pattern = ImageSequence.pattern(in: path.folder)
      return error(
        "To read numbered images as one source, name them by their pattern: "
          + "\(pattern ?? path.folder.appending("%06d.png"))")
    case .noSuchFileOrDirectory where path.string.contains("%"):
      return error(
        "Check the name. For numbered images, write the number as %d or %06d.")
    default:
      return OvercrankError.opening(path, errno)
    }
  }
}
