public import Takes

/// The counts of a stream's frames since it was opened: each is waiting, written, let go or lost.
///
/// A pure value, told of each record when the writer first sees it and when it leaves the ring. So all frames
/// that came are accounted for at every moment: they wait, are in takes, were let go, or were lost at the disk.
public struct StreamFrames: Hashable, Sendable {
  private var tally = FrameTally()
  /// Frames that were written to takes.
  public private(set) var written: Int64 = 0
  /// Frames that belong to no take.
  public private(set) var letGo: Int64 = 0
  private var lostAtDisk: Int64 = 0

  package init() {}

  /// Frames that came into the ring.
  public var came: Int64 { tally.came }
  /// Frames that were lost, by stage.
  public var lost: Take.FrameCounts.Lost {
    var lost = tally.lost
    lost.disk = lostAtDisk
    return lost
  }
  /// Frames that the camera sent, by its own numbers.
  public var sent: Int64 { tally.came + tally.lost.total }
  /// Frames that wait in the ring.
  public var waiting: Int64 { came - written - letGo - lostAtDisk }

  /// The fate of a frame that leaves the ring.
  enum Place { case take, disk, nowhere }

  /// Enters a record that was found in the ring.
  mutating func enter(_ record: RingRecord) {
    guard let stage = record.kind.lossStage else { return tally.enterFrame(sequence: record.sequence) }
    tally.enterLost(sequence: record.sequence, count: record.count, at: stage)
  }

  /// Enters what became of a frame that has left the ring.
  mutating func leave(to place: Place) {
    switch place {
    case .take: written += 1
    case .disk: lostAtDisk += 1
    case .nowhere: letGo += 1
    }
  }

  /// Enters that what waits goes with the ring.
  mutating func letAllGo() { letGo += waiting }
}
