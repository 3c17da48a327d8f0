internal import CLinux
package import SystemPackage

extension FilePath {
  /// Whether the file was created as an ``OutputFile``, and not by another program; `false` on a file system without
  /// extended attributes.
  package var isMarkedOutput: Bool { withPlatformString { clinux_is_output($0) == 1 } }

  /// Whether another program created the file; `false` also on a file system without extended attributes.
  package var isForeignOutput: Bool { withPlatformString { clinux_is_output($0) == 0 } }

  /// Whether another program wrote the file, so that an output must not take its place. An empty file may be of an
  /// ``OutputFile`` whose program was killed before it marked it.
  var holdsForeignOutput: Bool {
    isForeignOutput && (try? Stat(self, followTargetSymlink: false))?.size != 0
  }

  /// Whether the file is the journal of `output`. Both are marked, or neither is: they were written by a former version,
  /// or copied without their marks.
  func isJournal(of output: FilePath) -> Bool { !isForeignOutput || !output.isMarkedOutput }

  /// Checks that no part is in the way of an output that may not replace anything.
  ///
  /// - Throws: ``OvercrankError/Code/cannotCreate``; ``OvercrankError/Code/busy`` if another program is writing it.
  package func checkHasNoPart() throws(OvercrankError) {
    guard AbandonedPart.exists(for: self) else { return }
    throw part.isBeingWritten
      ? OvercrankError.beingWritten(part, of: self)
      : OvercrankError.inTheWay(part, of: self)
  }

  /// Checks that another program's file is not in the way of an output that may replace what an output of its kind left.
  ///
  /// - Throws: ``OvercrankError/Code/cannotCreate``.
  package func checkHasNoForeignPart() throws(OvercrankError) {
    guard part.holdsForeignOutput, !part.isBeingWritten else { return }
    throw OvercrankError.foreign(part, of: self)
  }

  /// Whether a program has locked this file to write it.
  package var isBeingWritten: Bool {
    guard
      let descriptor = try? FileDescriptor.open(
        self, .readOnly, options: [.noFollow, .nonBlocking, .closeOnExec])
    else { return false }
    defer { descriptor.unlockAndClose() }
    return descriptor.lock(isShared: true) == .wouldBlock
  }
}
