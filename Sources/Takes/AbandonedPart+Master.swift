import Media
import Platform
import SystemPackage

/// What a master that was cut off left, with errors told as those of a film.
extension AbandonedPart {
  /// The part of the master at `path`.
  static func ofMaster(at path: FilePath) throws(OvercrankError) -> AbandonedPart {
    return try AbandonedPart(of: path)
  }

  /// Refuses what stands where a file is to go that is made of the part.
  ///
  /// What came later may be that very file, left by a recovery that was cut off itself: that is seen
  /// when it has been made once more.
  borrowing func checkIsFree(_ name: FilePath, replacing: Bool) throws(OvercrankError) {
    guard let existing = try? Stat(name, followTargetSymlink: false) else { return }
    guard existing.type == .regular || existing.type == .symbolicLink else {
      throw OvercrankError(
        .cannotCreate,
        "\(name): is not a regular file, and stands where a file of a recording that was cut off belongs. Move it away."
      )
    }
    guard replacing || existing.type == .regular && isNoNewer(than: name) else {
      throw Self.inTheWay(name)
    }
  }

  /// The refusal to put something in the place of `name`, which is of another recording.
  static func inTheWay(_ name: FilePath) -> OvercrankError {
    OvercrankError(
      .cannotCreate,
      "\(name): exists already, beside a recording that was cut off. Move it away, or allow it to be "
        + "replaced.", remedy: .replace)
  }

  /// Its journal; `nil` where there is none.
  borrowing func entries() throws(OvercrankError) -> InputFile? {
    return try journal()
  }
}

extension FilePath {
  /// Finds out whether the task that makes the recording at this path whole goes on.
  ///
  /// - Throws: `OvercrankError.Code.cancelled` where it was cancelled.
  func checkRecoveryGoesOn() throws(OvercrankError) {
    guard !Task.isCancelled else {
      throw OvercrankError(.cancelled, "\(self): stopped half way; what was cut off is as it was.")
    }
  }
}
