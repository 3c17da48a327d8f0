import Capture
import Glibc
import Takes

/// Empties the ring for a measurement: every frame into the accounting, and none to a disk.
struct RateDrain: ~Copyable {
  private var ring: RingConsumer
  private(set) var accounting = FrameAccounting()
  /// Bytes of the frames that came.
  private(set) var byteCount: Int64 = 0
  /// The most bytes that waited in the ring.
  private(set) var peak = 0

  /// How long it sleeps when the ring is empty, in microseconds: as the writer of a recording does.
  private static let nap: UInt32 = 5000

  init(ring: consuming RingConsumer) { self.ring = ring }

  /// Counts until the ring is closed and empty; `progress` is told after each look at it.
  mutating func run(progress: (borrowing RateDrain) -> Void) {
    while true {
      // Asked before the last look: what was pushed before the close is seen by that look.
      let wasClosed = ring.isClosed
      peak = max(peak, ring.fillBytes)
      while popOne() {}
      if wasClosed { return }
      progress(self)
      usleep(Self.nap)
    }
  }

  private mutating func popOne() -> Bool {
    let popped: Void? = ring.pop { record, payload in
      guard let stage = record.kind.lossStage else {
        accounting.enterWritten(
          sequence: record.sequence, timestampNanoseconds: record.timestampNanoseconds,
          isTimedAtDequeue: record.isTimedAtDequeue)
        byteCount += Int64(payload.count)
        return
      }
      accounting.enterLost(sequence: record.sequence, count: record.count, at: stage)
    }
    return popped != nil
  }
}
