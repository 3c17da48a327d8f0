import Media
public import Platform
public import SystemPackage
import Timebase

/// A whole master, with the journal of its frames, whose take could not be written: the program was killed
/// just then, or the disk was full.
public struct TakelessMaster: Sendable {
  /// The master.
  public let path: FilePath
  /// Whether the take beside it matches the journal, so that only the journal remains to be removed.
  public let hasItsTake: Bool
  private let takePath: FilePath
  /// Keeps the recording from being taken for one that was cut off while its take is written.
  private let lock: FileLock
  private let journal: Journal
  private let metadata: TakeMetadata
  private let accounting: FrameAccounting
  private let audio: RecoveredAudio?
  /// Whether there is a take of another recording, whose master this one replaced.
  public let hasOtherTake: Bool

  /// Opens the master at `path`; `nil` if it has no journal from which a take could be made.
  ///
  /// - Throws: `OvercrankError` if the journal or a take beside the master cannot be read, `busy` if the recording
  ///   is just writing the take, and `cannotCreate` if something other than a file has the take's name.
  public init?(_ path: FilePath) throws(OvercrankError) {
    guard let takePath = TakeFiles.take(besideMaster: path), (try? Stat(path))?.type == .regular else {
      return nil
    }
    guard AbandonedPart.hasJournal(of: path) else { return nil }
    lock = try FileLock([path], for: .reading)
    guard let file = try AbandonedPart.journal(of: path), let journal = try Journal(file),
      let metadata = journal.metadata
    else { return nil }
    self.path = path
    self.takePath = takePath
    self.journal = journal
    self.metadata = metadata
    (accounting, audio) = try Self.accounting(of: journal)
    if let type = try? Stat(takePath, followTargetSymlink: false).type, type != .regular,
      type != .symbolicLink
    {
      throw OvercrankError(
        .cannotCreate,
        "\(takePath): is not a regular file, but has the name of the take of \(path), which can be made from "
          + "its journal. Move it away.")
    }
    let take = try Take.read(from: takePath)
    if let take, take.sequences == accounting.sequences, take.timestamps == accounting.timestamps {
      hasItsTake = true
    } else {
      // A recovery also finds frames that are not in the journal, and may be cut off before it removes the
      // journal.
      hasItsTake =
        take?.isRecovered == true && take?.master == path.name && take?.startedAt == metadata.startedAt
        && take?.frames.written == (try? Self.frameCount(of: path))
    }
    hasOtherTake = take != nil && !hasItsTake
  }

  private static func accounting(
    of journal: Journal
  ) throws(OvercrankError) -> (frames: FrameAccounting, audio: RecoveredAudio?) {
    var accounting = FrameAccounting()
    var audio = RecoveredAudio(journal.header.audio)
    try journal.forEach { (line) throws(OvercrankError) in
      guard case .entry(let entry) = line else { return }
      switch entry.content {
      case .lost(let count, let stage):
        accounting.enterLost(sequence: entry.sequence, count: count, at: stage)
      case .frame(_, _, _, let time, let isTimedAtDequeue):
        accounting.enterWritten(
          sequence: entry.sequence, at: Instant(nanoseconds: time), isTimedAtDequeue: isTimedAtDequeue)
      case .audio(_, let byteCount, _, let time):
        audio?.enter(entry.sequence, byteCount: byteCount, at: time)
      case .start: break
      }
    }
    return (accounting, audio)
  }

  /// Returns the number of frames in the master at `path`.
  private static func frameCount(of path: FilePath) throws(OvercrankError) -> Int64 {
    var video = try Demuxer(path)
    var count: Int64 = 0
    while try video.nextPacket() != nil {
      try path.checkRecoveryContinues()
      count += 1
    }
    return count
  }

  /// Writes the take, and removes the journal once it is on the disk.
  ///
  /// A take of another recording is replaced, as its master was. Cancelling the task stops it without any
  /// change.
  ///
  /// - Throws: `OvercrankError` with `badData` if the journal does not have every frame of the master; both
  ///   are unchanged.
  public func recover() throws(OvercrankError) -> (take: Take, path: FilePath) {
    let count = try Self.frameCount(of: path)
    guard count == accounting.written else {
      throw OvercrankError(
        .badData,
        "\(path): holds \(count) frames, but its journal, \(AbandonedPart.place(for: path)).journal, lists "
          + "\(accounting.written), so no take is made from it. The master is complete; move the journal "
          + "away.")
    }
    var take = Take(
      accounting, metadata: metadata, acceptedInterval: journal.header.acceptedInterval,
      clock: journal.header.clock, master: path.name)
    take.audio = audio?.entry(of: accounting)
    take.isRecovered = true
    try take.write(to: takePath, replacing: hasOtherTake, canBeMadeAgain: true)
    MasterWriter.removeJournal(of: path)
    return (take, takePath)
  }
}
