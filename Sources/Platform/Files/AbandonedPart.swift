internal import Glibc
package import SystemPackage

/// What an output left behind that was cut off before ``OutputFile/commit(as:)``: its part,
/// and the journal beside it.
///
/// Locked as long as it is open, so that neither a recording nor a second recovery takes it away.
package struct AbandonedPart: ~Copyable, Sendable {
  /// The name that the whole file was to have.
  package let path: FilePath
  /// The part itself.
  package let file: InputFile

  /// Whether an output to `path` was cut off, or is being written just now.
  package static func exists(for path: FilePath) -> Bool {
    (try? Stat(path.part, followTargetSymlink: false)) != nil
  }

  /// Whether there is a journal of the output to `path`.
  package static func hasJournal(of path: FilePath) -> Bool {
    (try? Stat(path.part.journal, followTargetSymlink: false)) != nil
  }

  /// Where the part of `path` lies.
  package static func place(for path: FilePath) -> FilePath { path.part }

  /// Opens and locks the part of `path`.
  ///
  /// - Throws: ``OvercrankError/Code/busy`` where another program is writing it, and as for any input that cannot be read.
  package init(of path: FilePath) throws(OvercrankError) {
    let file = try InputFile(path.part, options: .noFollow)
    // Whoever held the lock before may have given the part its name, or removed it.
    guard file.descriptor.lock() == nil, file.descriptor.isNamed(path.part) else {
      throw OvercrankError(
        .busy,
        "\(path.part): another program is writing it just now, so nothing is cut off. Wait until it has ended."
      )
    }
    self.path = path
    self.file = file
  }

  /// The journal; `nil` where there is none.
  ///
  /// - Throws: as for any input that cannot be read.
  package borrowing func journal() throws(OvercrankError) -> InputFile? { try Self.journal(of: path) }

  /// The journal of the output to `path`; `nil` where there is none.
  ///
  /// - Throws: as for any input that cannot be read.
  package static func journal(of path: FilePath) throws(OvercrankError) -> InputFile? {
    // A link that leads nowhere is no journal that is missing.
    guard hasJournal(of: path) else { return nil }
    return try InputFile(path.part.journal, options: .noFollow)
  }

  /// Whether what lies at `name` was written later than the part, or just then.
  package borrowing func isNoNewer(than name: FilePath) -> Bool {
    guard let part = try? file.descriptor.stat(), let other = try? Stat(name, followTargetSymlink: false)
    else {
      return false
    }
    let (mine, others) = (part.st_mtim, other.st_mtim)
    return (mine.tv_sec, mine.tv_nsec) <= (others.tv_sec, others.tv_nsec)
  }

  /// Throws where the part does not lie any more where it did.
  ///
  /// - Throws: ``OvercrankError/Code/inputOutput``, with the place where it lies now.
  package borrowing func checkIsInPlace() throws(OvercrankError) {
    guard !file.descriptor.isNamed(path.part) else { return }
    throw .moved(path, to: file.descriptor.place(from: path.part)?.folder)
  }

  /// Removes the part and then its journal, of which all that is worth keeping is elsewhere by now.
  ///
  /// - Throws: ``OvercrankError/Code/inputOutput`` where the part stays.
  package consuming func remove() throws(OvercrankError) {
    try checkIsInPlace()
    try path.part.removeFile()
    // A journal without a part says nothing to anybody.
    path.part.journal.unlink()
  }
}
