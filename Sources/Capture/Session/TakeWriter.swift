import Media
package import Takes

/// A take while it is written: its master and its frame accounting.
struct TakeWriter: ~Copyable {
  private var master: MasterWriter
  private(set) var accounting = FrameAccounting()
  /// Why nothing more can be written; what comes after is lost at the disk.
  private(set) var diskFailure: MediaError?

  init(_ master: consuming MasterWriter) { self.master = master }

  /// Bytes of frames in the master.
  var bytesWritten: Int64 { master.bytesWritten }

  /// Writes a frame, or enters frames that were lost.
  mutating func enter(_ record: RingRecord, _ payload: UnsafeRawBufferPointer) {
    guard let stage = record.kind.lossStage else {
      write(payload, record)
      return
    }
    accounting.enterLost(sequence: record.sequence, count: record.count, at: stage)
    master.noteLost(sequence: record.sequence, count: record.count, at: stage)
  }

  /// Makes what was written safe from a crash; to be called every 100 ms or so.
  mutating func checkpoint() {
    guard diskFailure == nil else { return }
    do throws(MediaError) { try master.checkpoint() } catch { diskFailure = error }
  }

  private mutating func write(_ frame: UnsafeRawBufferPointer, _ record: RingRecord) {
    guard diskFailure == nil else {
      accounting.enterLost(sequence: record.sequence, at: .disk)
      return
    }
    do throws(MediaError) {
      try master.write(
        frame, sequence: record.sequence, timestampNanoseconds: record.timestampNanoseconds)
      accounting.enterWritten(
        sequence: record.sequence, timestampNanoseconds: record.timestampNanoseconds,
        isTimedAtDequeue: record.isTimedAtDequeue)
    } catch {
      diskFailure = error
      accounting.enterLost(sequence: record.sequence, at: .disk)
    }
  }

  /// Closes the master and sums up.
  ///
  /// - Parameter failure: why filming ended before its time, where the disk was not at fault.
  /// - Throws: ``CaptureError`` where not one frame was written, or the master could not be made whole.
  consuming func finish(
    _ facts: TakeFacts, failure: CaptureError?
  ) throws(CaptureError) -> Recording {
    let failure = diskFailure.map(CaptureError.master) ?? failure
    // Dropped without a frame, the master takes its file with it.
    guard accounting.written > 0 else { throw failure ?? .empty }
    let (accounting, bytesWritten) = (accounting, master.bytesWritten)
    do throws(MediaError) { try master.finish() } catch { throw .master(error) }
    return Recording(accounting: accounting, bytesWritten: bytesWritten, facts: facts, failure: failure)
  }
}

extension RingRecord.Kind {
  /// Where the frames that a record tells of were lost; `nil` for a frame.
  package var lossStage: LossStage? {
    switch self {
    case .frame: nil
    case .lostInRing: .ring
    case .lostInDriver: .driver
    case .lostCorrupt: .corrupt
    }
  }
}
