import Media
public import Platform
public import SystemPackage
public import Takes
public import Timebase

/// How a recording that was cut off is made whole again.
public enum Recovery: ~Copyable {
  /// The film is whole, as far as can be seen, and of this clip of it a part is left alone, which is
  /// worth nothing: the clip can be made again.
  case notNeeded(FilePath, unfinishedClip: FilePath?)
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
  /// - Throws: `OvercrankError` with `busy` where it is being recorded just now, and `badData` where there
  ///   is no journal and no rate.
  public static func of(_ file: FilePath, capturedAt rate: FrameRate? = nil) throws(OvercrankError)
    -> Recovery
  {
    guard let path = CutOffMaster.path(for: file) else { return try ofWhole(file) }
    if let rate, let part = try UnindexedMaster(path) { return .byMarks(part, rate) }
    return .byJournal(try CutOffMaster(path))
  }

  /// Removes what was done of a take, which its journal or the former take tells in full.
  private static func removePart(ofTake path: FilePath) throws(OvercrankError) {
    guard AbandonedPart.exists(for: path) else { return }
    try AbandonedPart(of: path).remove()
  }

  /// Looks at a film of which there is no part.
  private static func ofWhole(_ file: FilePath) throws(OvercrankError) -> Recovery {
    let names = CutOffMaster.masters(for: file)
    let film = CutOffMaster.wholeMaster(for: file) ?? names.first(where: \.isThere) ?? file
    if !film.isThere || film.extension == "journal",
      let lone = names.first(where: { AbandonedPart.hasJournal(of: $0) })
    {
      throw OvercrankError(
        .noInput,
        "\(AbandonedPart.place(for: lone)).journal: tells of a recording, but neither its part nor its master is beside it. "
          + "Put one of them back; without them, nothing can be recovered.")
    }
    if let master = try TakelessMaster(film) {
      guard master.hasItsTake else { return .takeByJournal(master) }
      MasterWriter.removeJournal(of: film)
    }
    try removePart(ofTake: TakeFiles.take(of: film))
    // A clip was asked for by its own name.
    let isFilm = file.isThere && !["json", "part", "journal"].contains(file.extension)
    for film in isFilm && file != film ? [film, file] : [film] {
      do throws(OvercrankError) { try Demuxer(film).checkIsWhole() } catch {
        guard case .recover? = error.remedy else { throw error }
        throw OvercrankError(
          .badData,
          "\(film): is cut off, and beside it is no part of a recording that it could be put together from. "
            + "Copy it anew from where it is whole.")
      }
    }
    let clips = TakeFiles.clips(besideMaster: film)
    let clip =
      clips.first { $0 == file && AbandonedPart.exists(for: $0) }
      ?? clips.first {
        AbandonedPart.exists(for: $0)
      }
    // Where it is being made just now, this says so.
    if let clip { _ = try AbandonedPart(of: clip) }
    return .notNeeded(film, unfinishedClip: clip)
  }
}
