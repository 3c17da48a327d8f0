import Media
public import Platform
import Retime
public import SystemPackage
import Takes
public import Timebase

/// A change of a film's speed in its own file, and of what its take says of it, which has been checked.
///
/// A class, so that several can be checked before the first is made.
public final class InPlaceChange {
  /// A master or a clip that Overcrank made.
  public let path: FilePath
  /// How much faster it plays than before.
  public let speed: Speed
  /// How fast it plays afterwards, as far as it or its take tells: `1/8`.
  public let speedAfterwards: String?
  private let pace: FilmPace?
  private var retimer: InPlaceRetimer?

  /// Checks that the film at `path` and its take can be changed, and locks the film; changes nothing.
  ///
  /// - Parameters:
  ///   - path: the film.
  ///   - asked: how fast it is to play against life.
  /// - Throws: `OvercrankError`.
  public init(_ path: FilePath, at asked: Speed) throws(OvercrankError) {
    try Film.checkIsThere(path)
    self.path = path
    // Before anything is read of it, which another change would make untrue.
    let lock = try MovieRetiming.lock(path)
    let speed = try Self.factor(of: path, at: asked)
    self.speed = speed
    retimer = .some(try InPlaceRetimer(path, having: lock, speed: speed))
    let pace = FilmPace(path)?.retimed(speed)
    self.pace = pace
    let takeLock = try Take.lock(TakeFiles.take(of: path.resolvingLinks))
    defer { takeLock.release() }
    let take = try Self.take(of: path, with: pace)
    speedAfterwards =
      pace?.speed.map { Speed($0)?.description ?? "\($0)" }
      ?? take?.take.clips.first { $0.file == path.resolvingLinks.name }?.speed
    // Let go of again: another film may have the same take.
    if let take { _ = try take.take.prepared(for: take.path, replacing: true) }
  }

  /// How much faster than now the film at `path` is to play.
  private static func factor(of path: FilePath, at asked: Speed) throws(OvercrankError) -> Speed {
    let film = path.resolvingLinks
    // What Overcrank did not make is refused with its own reason.
    guard let pace = FilmPace(film) else { return asked }
    guard let present = pace.speed ?? Film.clipSpeed(film) else {
      throw OvercrankError(
        .unsupported,
        "\(path): plays along a curve, or does not tell how fast, so one speed for all of it cannot be reckoned. "
          + "Make a new clip of its master.")
    }
    guard let factor = Speed(asked.factor / present) else {
      throw OvercrankError(
        .unsupported,
        "\(path): plays at \(Speed(present)?.description ?? "\(present)"), and cannot be changed by that much at once. "
          + "Go there in two steps.")
    }
    return factor
  }

  /// Changes the film, and then its take.
  ///
  /// Killed in between, it leaves a take that tells the former speed. Whoever reads the film next sees
  /// that by the film itself: see ``TakeCheck``.
  ///
  /// - Throws: `OvercrankError`; the film is as it was then, unless the take alone could not be written.
  public func make() throws(OvercrankError) {
    guard let retimer = retimer.take() else { return }
    let lock = try Take.lock(TakeFiles.take(of: path.resolvingLinks))
    defer { lock.release() }
    // Written before the film changes, so that only giving it its name can fail then.
    let take = try Self.take(of: path, with: pace)
    let file: OutputFile? =
      if let take { try take.take.prepared(for: take.path, replacing: true) } else { nil }
    try retimer.retime()
    if let file { try file.commit() }
    renewThumbnails()
  }

  /// Has thumbnails that there were count for the changed file too: they show the same picture.
  private func renewThumbnails() {
    let thumbnails = Thumbnails()
    guard Thumbnails.Size.allCases.contains(where: { thumbnails.path(of: path, $0).isThere }) else { return }
    // A file manager without them makes its own.
    _ = try? TakeLibrary(path.folder).entry(at: path)?.writeThumbnails(to: thumbnails)
  }

  /// The take of the film with its new pace, and its place; `nil` where there is none that tells of
  /// the film. A link counts as the film that it leads to.
  private static func take(
    of path: FilePath, with pace: FilmPace?
  ) throws(OvercrankError) -> (take: Take, path: FilePath)? {
    let film = path.resolvingLinks
    let takePath = TakeFiles.take(of: film)
    guard let pace, var take = try Take.read(from: takePath), take.enter(pace, of: film.name) != nil else {
      return nil
    }
    return (take, takePath)
  }
}
