import Media
import Platform
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
  /// - Throws: ``FilmError``.
  public init(_ path: FilePath, speed: Speed) throws(FilmError) {
    try Film.checkIsThere(path)
    self.path = path
    self.speed = speed
    do throws(MediaError) {
      retimer = .some(try InPlaceRetimer(path, speed: speed))
      let pace = FilmPace(path)?.retimed(speed)
      self.pace = pace
      let take = try Self.take(of: path, with: pace)
      speedAfterwards =
        pace?.speed.map { Speed($0)?.description ?? "\($0)" }
        ?? take?.take.clips.first { $0.file == path.resolvingLinks.name }?.speed
      // Let go of again: another film may have the same take.
      if let take { _ = try take.take.prepared(for: take.path, replacing: true) }
    } catch {
      throw .media(error)
    }
  }

  /// Changes the film, and then its take.
  ///
  /// Killed in between, it leaves a take that tells the former speed. Whoever reads the film next sees
  /// that by the film itself: see ``TakeCheck``.
  ///
  /// - Throws: ``FilmError``; the film is as it was then, unless the take alone could not be written.
  public func make() throws(FilmError) {
    guard let retimer = retimer.take() else { return }
    do throws(MediaError) {
      // Written before the film changes, so that only giving it its name can fail then.
      let take = try Self.take(of: path, with: pace)
      let file: OutputFile? =
        if let take { try take.take.prepared(for: take.path, replacing: true) } else { nil }
      try retimer.retime()
      if let file { do throws(FileError) { try file.commit() } catch { throw MediaError(error) } }
    } catch {
      throw .media(error)
    }
  }

  /// The take of the film with its new pace, and its place; `nil` where there is none that tells of
  /// the film. A link counts as the film that it leads to.
  private static func take(
    of path: FilePath, with pace: FilmPace?
  ) throws(MediaError) -> (take: Take, path: FilePath)? {
    let film = path.resolvingLinks
    let takePath = TakeFiles.take(of: film)
    guard let pace, var take = try Take.read(from: takePath), take.enter(pace, of: film.name) != nil else {
      return nil
    }
    return (take, takePath)
  }
}
