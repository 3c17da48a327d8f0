public import Media
import Platform
public import SystemPackage
import Timebase

/// A master that is whole, with the journal of its frames, as its take could not be written: the program was killed
/// just then, or the disk was full.
public struct TakelessMaster: Sendable {
  /// The master.
  public let path: FilePath
  private let takePath: FilePath
  private let journal: Journal
  private let metadata: TakeMetadata

  /// The master at `path`; `nil` where it has a take, or no journal that could make one.
  ///
  /// - Throws: `MediaError` where the journal cannot be read.
  public init?(_ path: FilePath) throws(MediaError) {
    guard let takePath = TakeFiles.take(besideMaster: path), !takePath.isThere, path.isThere else {
      return nil
    }
    do throws(FileError) {
      guard let file = try AbandonedPart.journal(of: path), let journal = try Journal(file),
        let metadata = journal.header.metadata
      else { return nil }
      self.path = path
      self.takePath = takePath
      self.journal = journal
      self.metadata = metadata
    } catch {
      throw MediaError(error)
    }
  }

  /// Writes the take, and removes the journal once it is on the disk.
  ///
  /// - Throws: `MediaError` with `badData` where the journal does not tell of every frame of the master; both stay as
  ///   they were.
  public func recover() throws(MediaError) -> (take: Take, path: FilePath) {
    var accounting = FrameAccounting()
    try journal.forEach(
      { (line) throws(MediaError) in
        guard case .entry(let entry) = line else { return }
        switch entry.content {
        case .lost(let count, let stage):
          accounting.enterLost(sequence: entry.sequence, count: count, at: stage)
        case .frame(_, _, _, let time, let isTimedAtDequeue):
          accounting.enterWritten(
            sequence: entry.sequence, at: Instant(nanoseconds: time), isTimedAtDequeue: isTimedAtDequeue)
        }
      }, failed: { MediaError($0) })
    var film = try Demuxer(path)
    var count: Int64 = 0
    while try film.nextPacket() != nil { count += 1 }
    guard count == accounting.written else {
      throw MediaError(
        .badData,
        "\(path): holds \(count) frames, but its journal, \(AbandonedPart.place(for: path)).journal, tells of "
          + "\(accounting.written), so no take is made of it. The master is whole; move the journal away.")
    }
    var take = Take(
      accounting, metadata: metadata, acceptedInterval: journal.header.acceptedInterval,
      clock: journal.header.clock, master: path.name)
    take.isRecovered = true
    try take.write(to: takePath, replacing: false)
    MasterWriter.removeJournal(of: path)
    return (take, takePath)
  }
}
