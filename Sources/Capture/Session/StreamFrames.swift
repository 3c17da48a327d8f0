public import Takes

/// The counts of a stream's frames since it was opened: each is waiting, written, discarded or lost.
///
/// A pure value, updated when the writer first sees a record and when the record leaves the ring. So every
/// frame is accounted for at every moment: it waits, is in a take, was discarded, or was lost at the disk.
public struct StreamFrames: Hashable, Sendable {
  private var tally = FrameTally()
  /// The number of frames written to takes.
  public private(set) var written: Int64 = 0
  /// The number of frames that belong to no take.
  public private(set) var letGo: Int64 = 0
  private var lostAtDisk: Int64 = 0

  package init() {}

  /// The number of frames that came into the ring.
  public var came: Int64 { tally.came }
  /// The number of frames lost, by stage.
  public var lost: Take.FrameCounts.Lost {
    var lost = tally.lost
    lost.disk = lostAtDisk
    return lost
  }
  /// The number of frames that the camera sent, by its sequence numbers.
  public var sent: Int64 { tally.came + tally.lost.total }
  /// The number of frames waiting in the ring.
  public var waiting: Int64 { came - written - letGo - lostAtDisk }

  /// The fate of a frame that leaves the ring.
  enum Place { case take, disk, nowhere }

  /// Adds a record found in the ring.
  mutating func enter(_ record: RingRecord) {
    guard let stage = record.kind.lossStage else { return tally.enterFrame(sequence: record.sequence) }
    tally.enterLost(sequence: record.sequence, count: record.count, at: stage)
  }

  /// Records the fate of a frame that has left the ring.
  mutating func leave(to place: Place) {
    switch place {
    case .take: written += 1
    case .disk: lostAtDisk += 1
    case .nowhere: letGo += 1
    }
  }

  /// Counts all waiting frames as discarded, because the ring is released.
  mutating func letAllGo() { letGo += waiting }
}
