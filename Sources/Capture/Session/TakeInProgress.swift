import Cameras
import Media
import Takes
import Timebase

/// A take in progress.
struct TakeInProgress {
  /// The take's number, from 1.
  let number: Int
  var writer: TakeWriter
  var facts: TakeFacts
  /// The time of the trigger, on the frames' clock; `nil` if no trigger began the take, or a frame did.
  private let triggerTime: Instant?
  /// The number of lost frames that have been reported.
  private var reportedLosses: Int64 = 0

  /// Creates a take that begins with `start`.
  ///
  /// - Parameter waitsForDisk: Whether the take waits for a busy disk instead of leaving frames in the ring.
  init(_ start: TakeStart, output: OutputOpening, facts: TakeFacts, waitsForDisk: Bool) {
    number = start.number
    triggerTime = start.trigger?.frame == nil && start.trigger != nil ? start.frameTime : nil
    self.facts = facts
    writer = TakeWriter(
      output, audio: facts.context.audio, waitsForDisk: waitsForDisk,
      stream: facts.context.configuration.frameFormat.pixelFormat.stream, startedAt: facts.startedAt)
  }

  /// Notes a frame that has arrived, in order: the trigger may have fallen into it.
  mutating func see(_ frame: RingRecord) {
    if let triggerTime, frame.timestamp <= triggerTime { facts.trigger.sequence = frame.sequence }
  }

  /// Returns whether the record is left out, because no key frame has come yet, and counts it.
  mutating func skips(_ payload: UnsafeRawBufferPointer, _ record: RingRecord) -> Bool {
    guard writer.isBeforeKeyframe(payload, record) else { return false }
    if record.kind == .frame { facts.skippedFrames += 1 }
    return true
  }

  /// Returns the number of frames lost since the last call.
  mutating func newLosses() -> Int64 {
    let total = writer.accounting.lost.total
    defer { reportedLosses = total }
    return total - reportedLosses
  }
}

extension TakeInProgress {
  /// The take's status.
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
