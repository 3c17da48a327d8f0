internal import Glibc
package import SystemPackage

/// The remains of an output that was cut off before ``OutputFile/commit(as:)``: its part, and the journal
/// beside it.
///
/// It is locked while it is open, so that neither a recording nor a second recovery removes it.
package struct AbandonedPart: ~Copyable, Sendable {
  /// The name intended for the complete file.
  package let path: FilePath
  /// The part itself.
  package let file: InputFile

  /// Returns whether an output to `path` was cut off, or is being written now.
  package static func exists(for path: FilePath) -> Bool {
    (try? Stat(path.part, followTargetSymlink: false)) != nil
  }

  /// Returns whether the output to `path` has a journal.
  package static func hasJournal(of path: FilePath) -> Bool {
    (try? Stat(path.part.journal, followTargetSymlink: false)) != nil
  }

  /// Returns whether the complete file at `path` has a journal that is not another program's.
  package static func hasOwnJournal(of path: FilePath) -> Bool {
    hasJournal(of: path) && path.part.journal.isJournal(of: path)
  }

  /// Returns whether the part of `path` may be removed unasked: there is one, and no other program made it.
  package static func isOwn(for path: FilePath) -> Bool { exists(for: path) && !path.part.isForeignOutput }

  /// Returns the path of the part of `path`.
  package static func place(for path: FilePath) -> FilePath { path.part }

  /// Opens and locks the part of `path`.
  ///
  /// - Throws: ``OvercrankError/Code/busy`` if another program is writing it, and as for any input that
  ///   cannot be read.
  package init(of path: FilePath) throws(OvercrankError) {
    let file = try InputFile(path.part, options: .noFollow)
    // The previous holder of the lock may have renamed the part to its final name, or removed it.
    guard file.descriptor.lock() == nil, file.descriptor.isNamed(path.part) else {
      throw OvercrankError(
        .busy,
        "\(path.part): another program is still writing it, so it is not cut off. Wait until that program has ended."
      )
    }
    self.path = path
    self.file = file
  }

  /// Returns the journal; `nil` if there is none.
  ///
  /// - Throws: as for any input that cannot be read.
  package borrowing func journal() throws(OvercrankError) -> InputFile? { try Self.journal(of: path) }

  /// Returns the journal of the output to `path`; `nil` if there is none.
  ///
  /// - Throws: as for any input that cannot be read.
  package static func journal(of path: FilePath) throws(OvercrankError) -> InputFile? {
    // A dangling link is an error rather than a missing journal.
    guard hasJournal(of: path) else { return nil }
    return try InputFile(path.part.journal, options: .noFollow)
  }

  /// Returns whether the file at `name` was modified no earlier than the part.
  package borrowing func isNoNewer(than name: FilePath) -> Bool {
    guard let part = try? file.descriptor.stat(), let other = try? Stat(name, followTargetSymlink: false)
    else {
      return false
    }
    let (mine, others) = (part.st_mtim, other.st_mtim)
    return (mine.tv_sec, mine.tv_nsec) <= (others.tv_sec, others.tv_nsec)
  }

  /// Checks that the part is still at its path.
  ///
  /// - Throws: ``OvercrankError/Code/inputOutput``, with its present location.
  package borrowing func checkIsInPlace() throws(OvercrankError) {
    guard !file.descriptor.isNamed(path.part) else { return }
    throw .moved(path, to: file.descriptor.place(from: path.part)?.folder)
  }

  /// Removes the part and then its journal, once everything worth keeping is elsewhere.
  ///
  /// - Parameter hasReadJournal: whether the journal is known to describe the part. If not, a file with its name that
  ///   another program made stays.
  /// - Throws: ``OvercrankError/Code/inputOutput`` if the part could not be removed.
  package consuming func remove(havingReadJournal hasReadJournal: Bool = false) throws(OvercrankError) {
    try checkIsInPlace()
    let hasItsJournal = hasReadJournal || path.part.journal.isJournal(of: path.part)
    try path.part.removeFile()
    // A journal is useless without its part.
    if hasItsJournal { path.part.journal.unlink() }
  }
}
