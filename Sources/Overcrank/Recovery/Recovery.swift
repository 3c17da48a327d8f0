import Media
public import Platform
public import SystemPackage
public import Takes
public import Timebase

/// A way to recover an interrupted recording.
public enum Recovery: ~Copyable {
  /// The source is complete, as far as can be seen. An unfinished part of this clip may be left, which is
  /// worthless because the clip can be made again.
  case notNeeded(FilePath, unfinishedClip: FilePath?)
  /// Recovery from the journal, which has every frame's time and number.
  case byJournal(CutOffMaster)
  /// The master is complete; its take is rewritten from the journal.
  case takeByJournal(TakelessMaster)
  /// Recovery from the markers of its JPEGs, with nominal times, because the journal is lost.
  case byMarks(UnindexedMaster, FrameRate)

  /// Finds the remains of a recording, and locks them.
  ///
  /// - Parameters:
  ///   - file: the master, its part file, or the clip or take that it belongs to.
  ///   - rate: the rate at which it was captured; used only if the journal is lost.
  /// - Throws: `OvercrankError` with `busy` if it is being recorded, `badData` if there is neither a journal nor a
  ///   rate, and `noInput` if it is left of a photo, which cannot be recovered.
  public static func of(_ file: FilePath, capturedAt rate: FrameRate? = nil) throws(OvercrankError)
    -> Recovery
  {
    for part in [file, AbandonedPart.place(for: file)] {
      guard let entry = TakeLibrary(part.folder).entry(at: part), case .unfinishedPhoto = entry.kind else {
        continue
      }
      _ = try entry.checkedDescription()
    }
    guard let path = CutOffMaster.path(for: file) else { return try ofWhole(file) }
    if let rate, let part = try UnindexedMaster(path) { return .byMarks(part, rate) }
    return .byJournal(try CutOffMaster(path))
  }

  /// Returns `file` itself, or that of the item of `library` with this name or label.
  private static func file(meantBy file: FilePath, in library: TakeLibrary) async throws(OvercrankError)
    -> FilePath
  {
    guard !file.exists, CutOffMaster.path(for: file) == nil else { return file }
    do throws(OvercrankError) { return try await library.entry(named: file.string).path } catch {
      guard error.code == .outOfRange else { return file }
      throw error
    }
  }

  /// Returns the recordings that the user means: those in this folder that were cut off, by their names; those of the
  /// cameras that recorded together as this clip; or else `file` itself, or that of the item of `library` with this name
  /// or label.
  ///
  /// - Parameters:
  ///   - file: what the user wrote: a path, a name or a label.
  ///   - library: the library to look in if there is no such file, and nothing was cut off while it was recorded.
  /// - Throws: `OvercrankError` if it is a folder that cannot be read; with `outOfRange` if several items have that name.
  public static func recordings(
    meantBy file: FilePath, in library: TakeLibrary
  ) async throws(OvercrankError) -> [FilePath] {
    guard (try? Stat(file).type) == .directory else {
      let cameras = cameras(of: file)
      return cameras.isEmpty ? [try await self.file(meantBy: file, in: library)] : cameras
    }
    let cutOff = try await TakeLibrary(file).entries().filter { entry in
      switch entry.kind {
      case .part: entry.partState == .cutOff
      case .take: entry.recoveredPart != nil
      case .takelessMaster: entry.partState == nil && AbandonedPart.hasJournal(of: entry.path)
      default: false
      }
    }
    return cutOff.map(\.path).sorted { $0.string < $1.string }
  }

  /// Returns the clips' names of several cameras that recorded as `file`: of those that were cut off, or else of all;
  /// empty if there are none, or if `file` itself is there or has remains.
  static func cameras(of file: FilePath) -> [FilePath] {
    guard !file.exists, CutOffMaster.path(for: file) == nil else { return [] }
    let names = (0..<mostCameras).map { file.suffixed(GroupCamera.name($0)) }
    let cutOff = names.filter { CutOffMaster.path(for: $0) != nil }
    guard cutOff.isEmpty, !TakeFiles.take(of: file).exists else { return cutOff }
    return names.filter { TakeFiles.take(of: $0).exists }
  }

  /// Returns the takes that were recorded with the one at `take`, by their names, and that one; empty if there are
  /// none, one of them has not been recovered, or there is a group file.
  public static func ungrouped(with take: FilePath) -> [FilePath] {
    let stem = take.name.dropLast(TakeFiles.takeSuffix.count)
    guard take.name.hasSuffix(TakeFiles.takeSuffix), let dash = stem.lastIndex(of: "-") else { return [] }
    let names = (0..<mostCameras).map(GroupCamera.name)
    guard names.contains(String(stem[stem.index(after: dash)...])) else { return [] }
    let clip = take.beside("\(stem[..<dash]).mp4")
    let clips = names.map { clip.suffixed($0) }
    let takes = clips.map { TakeFiles.take(of: $0) }.filter(\.exists)
    guard takes.count > 1, !TakeGroup.path(of: clip).exists,
      clips.allSatisfy({ CutOffMaster.path(for: $0) == nil })
    else { return [] }
    return takes
  }

  /// More cameras than one machine records with.
  private static let mostCameras = 26

  /// Deletes the part file of a take, whose content is complete in its journal or the former take; another program's
  /// stays.
  private static func removePart(ofTake path: FilePath) throws(OvercrankError) {
    guard AbandonedPart.isOwn(for: path) else { return }
    try AbandonedPart(of: path).remove()
  }

  /// Returns the recovery of a source without a part file.
  private static func ofWhole(_ file: FilePath) throws(OvercrankError) -> Recovery {
    let names = CutOffMaster.masters(for: file)
    let video = CutOffMaster.wholeMaster(for: file) ?? names.first(where: \.exists) ?? file
    if !video.exists || video.extension == "journal",
      let lone = names.first(where: { AbandonedPart.hasJournal(of: $0) })
    {
      throw OvercrankError(
        .noInput,
        "\(AbandonedPart.place(for: lone)).journal: describes a recording, but neither its part file nor its "
          + "master is beside it. Put one of them back; without them, nothing can be recovered.")
    }
    if let master = try TakelessMaster(video) {
      guard master.hasItsTake else { return .takeByJournal(master) }
      MasterWriter.removeJournal(of: video)
    }
    try removePart(ofTake: TakeFiles.take(of: video))
    // The file may be a clip named by the user.
    let isVideo = file.exists && !["json", "part", "journal"].contains(file.extension)
    for video in isVideo && file != video ? [video, file] : [video] {
      do throws(OvercrankError) { try Demuxer(video).checkIsWhole() } catch {
        guard case .recover? = error.remedy else { throw error }
        throw OvercrankError(
          .badData,
          "\(video): is cut off, and there is no part file beside it to recover it from. Copy it again from a "
            + "complete file.")
      }
    }
    let clips = TakeFiles.clips(besideMaster: video)
    let clip =
      clips.first { $0 == file && AbandonedPart.isOwn(for: $0) }
      ?? clips.first { AbandonedPart.isOwn(for: $0) }
    // Throws `busy` if the clip is being made.
    if let clip { _ = try AbandonedPart(of: clip) }
    return .notNeeded(video, unfinishedClip: clip)
  }
}
