import Platform
import SystemPackage

/// The remains of a master that was cut off, with errors worded for video files.
extension AbandonedPart {
  /// Opens the part of the master at `path`.
  static func ofMaster(at path: FilePath) throws(OvercrankError) -> AbandonedPart {
    return try AbandonedPart(of: path)
  }

  /// Checks that a file that is to be made from the part can have the name `name`.
  ///
  /// A newer file of that name may be this very file, left by a recovery that was itself cut off: that is
  /// checked once the file has been made again.
  /// - Throws: `OvercrankError` with `cannotCreate` if another file has the name.
  borrowing func checkIsFree(_ name: FilePath, replacing: Bool) throws(OvercrankError) {
    guard let existing = try? Stat(name, followTargetSymlink: false) else { return }
    guard existing.type == .regular || existing.type == .symbolicLink else {
      throw OvercrankError(
        .cannotCreate,
        "\(name): is not a regular file, but has the name of a file of a recording that was cut off. Move it "
          + "away.")
    }
    guard replacing || existing.type == .regular && isNoNewer(than: name) else {
      throw Self.inTheWay(name)
    }
  }

  /// Returns the refusal to replace `name`, which belongs to another recording.
  static func inTheWay(_ name: FilePath) -> OvercrankError {
    OvercrankError(
      .cannotCreate,
      "\(name): already exists, beside a recording that was cut off. Move it away, or allow it to be "
        + "replaced.", remedy: .replace)
  }

  /// Returns whether the recording whose part is beside the master at `path` has been recovered: the take of that
  /// name says so, and the journal is of the same recording. The part is left because it holds more, or because the
  /// recovery was killed before it removed it.
  static func isRecovered(_ path: FilePath) -> Bool {
    guard exists(for: path), (try? Stat(path))?.type == .regular,
      let metadata = (try? journal(of: path)).flatMap({ try? Journal($0) })?.metadata
    else { return false }
    return recoveredTake(of: path, metadata) != nil
  }

  /// Returns the take that a recovery of the part beside the master at `path` left; `nil` if there is none.
  static func recoveredTake(of path: FilePath, _ metadata: TakeMetadata) -> Take? {
    guard let file = TakeFiles.take(besideMaster: path), let take = try? Take.read(from: file),
      take.isRecovered,
      take.master == path.name, take.startedAt == metadata.startedAt
    else { return nil }
    return take
  }

  /// Opens its journal; `nil` if there is none.
  borrowing func entries() throws(OvercrankError) -> InputFile? {
    return try journal()
  }
}

extension FilePath {
  /// Checks that the task that recovers the recording at this path is not cancelled.
  ///
  /// - Throws: `OvercrankError` with `cancelled` if it is.
  func checkRecoveryContinues() throws(OvercrankError) {
    guard !Task.isCancelled else {
      throw OvercrankError(
        .cancelled, "\(self): stopped halfway; the recording that was cut off is unchanged.")
    }
  }
}
