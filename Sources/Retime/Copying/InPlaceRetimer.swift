import Media
package import Platform
package import SystemPackage
package import Timebase

/// Changes the speed of a master or a clip that Overcrank made without a new file, in milliseconds.
///
/// The file's index alone is changed, and safely: see `Media.MovieRetiming`.
package struct InPlaceRetimer: ~Copyable {
  private let retiming: MovieRetiming

  /// Checks that the film at `path` can be changed, and locks it.
  ///
  /// - Parameters:
  ///   - path: the film.
  ///   - speed: how much faster it is to play than before.
  /// - Throws: `OvercrankError`; nothing is changed.
  package init(_ path: FilePath, speed: Speed) throws(OvercrankError) {
    retiming = try MovieRetiming(path, speed: speed.factor) { FilmPace.comments(at: speed, after: $0) }
  }

  /// Does the same with a film that `lock` holds, which is released with this value.
  package init(_ path: FilePath, having lock: FileLock, speed: Speed) throws(OvercrankError) {
    retiming = try MovieRetiming(path, having: lock, speed: speed.factor) {
      FilmPace.comments(at: speed, after: $0)
    }
  }

  /// Changes the file.
  ///
  /// - Throws: `OvercrankError`; the file plays as before or at the new speed then.
  package consuming func retime() throws(OvercrankError) { try retiming.apply() }
}
