import Media
package import Platform
package import SystemPackage
package import Timebase

/// Changes the speed of a master or clip made by Overcrank in place, in milliseconds.
///
/// Only the file's index changes, and safely: see `Media.MovieRetiming`.
package struct InPlaceRetimer: ~Copyable {
  private let retiming: MovieRetiming

  /// Checks that the file at `path` can be changed, and locks it.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - speed: the factor by which its speed changes.
  /// - Throws: `OvercrankError`; nothing is changed.
  package init(_ path: FilePath, speed: Speed) throws(OvercrankError) {
    retiming = try MovieRetiming(path, speed: speed.factor) { SourcePace.comments(at: speed, after: $0) }
  }

  /// Does the same with a file that `lock` holds. The lock is released with this value.
  package init(_ path: FilePath, having lock: FileLock, speed: Speed) throws(OvercrankError) {
    retiming = try MovieRetiming(path, having: lock, speed: speed.factor) {
      SourcePace.comments(at: speed, after: $0)
    }
  }

  /// Changes the file.
  ///
  /// - Throws: `OvercrankError`; the file then plays at either the old or the new speed.
  package consuming func retime() throws(OvercrankError) { try retiming.apply() }
}
