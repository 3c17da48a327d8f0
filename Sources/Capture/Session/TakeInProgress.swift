import Cameras
import Takes
import Timebase

/// A take while it is filmed.
struct TakeInProgress {
  /// Which take it is, counted from 1.
  let number: Int
  var writer: TakeWriter
  var facts: TakeFacts
  /// How many lost frames the session's listeners know of.
  private var toldLosses: Int64 = 0

  /// - Parameter waitsForDisk: whether the take waits for a busy disk, rather than leave frames in the ring meanwhile.
  init(_ start: TakeStart, output: OutputOpening, facts: TakeFacts, waitsForDisk: Bool) {
    number = start.number
    self.facts = facts
    writer = TakeWriter(output, audio: facts.context.audio, waitsForDisk: waitsForDisk)
  }

  /// How many frames were lost since this was asked last.
  mutating func newLosses() -> Int64 {
    let total = writer.accounting.lost.total
    defer { toldLosses = total }
    return total - toldLosses
  }
}

extension TakeInProgress {
  /// How it stands.
  var status: SessionStatus.TakeStatus {
    let accounting = writer.accounting
    let times = accounting.timestamps
    var status = SessionStatus.TakeStatus(frames: Take.FrameCounts(accounting))
    status.duration = times.first.flatMap { first in times.last.map { max(.zero, $0 - first) } } ?? .zero
    status.framesPerSecond = accounting.measuredFramesPerSecond
    status.bytesWritten = writer.bytesWritten
    status.limitFill = writer.limitFill
    return status
  }
}
