public import Media
import Platform
public import SystemPackage
public import Takes
public import Timebase

/// How a recording that was cut off is made whole again.
public enum Recovery: ~Copyable {
  /// The film is whole, as far as can be seen; this is its path.
  case notNeeded(FilePath)
  /// By its journal, which knows every frame's time and number.
  case byJournal(CutOffMaster)
  /// The film is whole, and its take is written anew by the journal.
  case takeByJournal(TakelessMaster)
  /// By the marks of its JPEGs, with nominal times: its journal is lost.
  case byMarks(UnindexedMaster, FrameRate)

  /// Looks for what was left of a recording, and locks it.
  ///
  /// - Parameters:
  ///   - file: the master, its part, or the clip or take that it belongs to.
  ///   - rate: the rate it was captured at; looked at only where the journal is lost.
  /// - Throws: `MediaError` with `busy` where it is being recorded just now, and `badData` where there
  ///   is no journal and no rate.
  public static func of(_ file: FilePath, capturedAt rate: FrameRate? = nil) throws(MediaError) -> Recovery {
    guard let path = CutOffMaster.path(for: file) else {
      let film = CutOffMaster.masters(for: file).first(where: \.isThere) ?? file
      if let master = try TakelessMaster(film) { return .takeByJournal(master) }
      do throws(MediaError) { _ = try Demuxer(film) } catch {
        guard case .recover? = error.action else { throw error }
        throw MediaError(
          .badData,
          "\(film): is cut off, and beside it is no part of a recording that it could be put together from. "
            + "Copy it anew from where it is whole.")
      }
      return .notNeeded(film)
    }
    if let rate, let part = try UnindexedMaster(path) { return .byMarks(part, rate) }
    return .byJournal(try CutOffMaster(path))
  }
}
