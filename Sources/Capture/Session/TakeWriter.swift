import Media
import Takes
import Timebase

/// A take while it is written: its output, and the accounting of its frames.
struct TakeWriter {
  private let output: any TakeOutput
  private(set) var accounting = FrameAccounting()
  /// Why nothing more can be written; what comes after is lost at the disk.
  private(set) var diskFailure: MediaError?

  init(_ output: any TakeOutput) { self.output = output }

  /// Bytes of frames in the output.
  var bytesWritten: Int64 { output.bytesWritten }

  /// Whether a frame of `byteCount` bytes can be written, or counted as lost, without waiting.
  func isReady(forBytes byteCount: Int) -> Bool {
    diskFailure != nil || output.isReady(forBytes: byteCount)
  }

  /// Writes a frame.
  mutating func write(_ frame: UnsafeRawBufferPointer, _ record: RingRecord) {
    guard diskFailure == nil else {
      accounting.enterLost(sequence: record.sequence, at: .disk)
      return
    }
    do throws(MediaError) {
      try output.write(
        frame, sequence: record.sequence, timestampNanoseconds: record.timestampNanoseconds,
        isTimedAtDequeue: record.isTimedAtDequeue)
      accounting.enterWritten(
        sequence: record.sequence, at: record.timestamp,
        isTimedAtDequeue: record.isTimedAtDequeue)
    } catch {
      diskFailure = error
      accounting.enterLost(sequence: record.sequence, at: .disk)
    }
  }

  /// Enters frames that were lost before they came here.
  mutating func enterLost(_ run: RingRecord) {
    guard let stage = run.kind.lossStage else { return }
    accounting.enterLost(sequence: run.sequence, count: run.count, at: stage)
    output.noteLost(sequence: run.sequence, count: run.count, at: stage)
  }

  /// Makes what was written safe from a crash; to be called every 100 ms or so.
  mutating func checkpoint() {
    guard diskFailure == nil else { return }
    do throws(MediaError) { try output.checkpoint() } catch { diskFailure = error }
  }

  /// Closes the output and sums up.
  ///
  /// - Parameter failure: why filming ended before its time, where the disk was not at fault.
  /// - Throws: ``CaptureError`` where not one frame was written, or the output could not be made whole.
  func finish(_ facts: TakeFacts, failure: CaptureError?) throws(CaptureError) -> Recording {
    let failure = diskFailure.map(CaptureError.master) ?? failure
    // Dropped without a frame, a master takes its file with it.
    guard accounting.written > 0 else { throw failure ?? .empty }
    let bytesWritten = output.bytesWritten
    do throws(MediaError) { try output.finish() } catch { throw .master(error) }
    return Recording(accounting: accounting, bytesWritten: bytesWritten, facts: facts, failure: failure)
  }
}

extension RingRecord.Kind {
  /// Where the frames that a record tells of were lost; `nil` for a frame.
  var lossStage: LossStage? {
    switch self {
    case .frame: nil
    case .lostInRing: .ring
    case .lostInDriver: .driver
    case .lostCorrupt: .corrupt
    }
  }
}
