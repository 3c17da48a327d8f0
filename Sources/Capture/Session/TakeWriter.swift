import Platform
import Media
import Takes
import Timebase

/// A take while it is written: its output, and the accounting of its frames and its audio.
struct TakeWriter {
  private let opening: OutputOpening
  /// Whether a busy disk is waited for, rather than left alone meanwhile.
  private let waitsForDisk: Bool
  /// The output, once it is open.
  private(set) var output: (any TakeOutput)?
  /// Runs of lost frames that the output has not been told, as it is not open yet.
  private var untold: [RingRecord] = []
  private(set) var accounting = FrameAccounting()
  /// Why the output could not be opened; what comes after is lost at the disk.
  private(set) var openFailure: CaptureError?
  /// Why nothing more can be written; what comes after is lost at the disk.
  var diskFailure: OvercrankError?
  /// Its audio; `nil` where no microphone is recorded.
  var audio: TakeAudio?
  /// The end of its audio, which is written in one piece; `nil` where it is written as it comes.
  var heldAudio: HeldAudio?

  init(_ opening: OutputOpening, audio: AudioInput? = nil, waitsForDisk: Bool = false) {
    self.opening = opening
    self.waitsForDisk = waitsForDisk
    self.audio = audio.map(TakeAudio.init)
  }

  /// Bytes of frames in the output.
  var bytesWritten: Int64 { output?.bytesWritten ?? 0 }

  /// Bytes of audio in the output.
  var audioBytesWritten: Int64 { output?.audioBytesWritten ?? 0 }

  /// The bytes that the output may have at most; `nil` for any number. Waits where it is not open yet.
  var sizeLimit: Int64? {
    mutating get {
      takeOutput()
      return output?.sizeLimit
    }
  }

  /// Which part of its size limit the output has, its index aside; `nil` where it has none.
  var limitFill: Double? {
    guard let output, let limit = output.sizeLimit else { return nil }
    return min(1, Double(bytesWritten + audioBytesWritten) / Double(max(1, limit)))
  }

  var hasFailed: Bool { diskFailure != nil || openFailure != nil }

  /// Whether a frame of `byteCount` bytes can be written, or counted as lost, without waiting, or is to be waited for.
  mutating func isReady(forBytes byteCount: Int) -> Bool {
    guard !hasFailed, !waitsForDisk else { return true }
    guard output != nil || opening.isSettled else { return false }
    takeOutput()
    return output?.isReady(forBytes: byteCount) ?? true
  }

  /// Takes the output; waits where it is not open yet.
  private mutating func takeOutput() {
    guard output == nil, openFailure == nil else { return }
    do throws(CaptureError) { output = try opening.output() } catch { openFailure = error }
    for run in untold { tellLost(run) }
    untold = []
  }

  /// Whether a frame belongs into the take: `false` where its file would be larger with it than it may be.
  ///
  /// - Parameter interval: the time between frames.
  mutating func hasRoom(
    for frame: UnsafeRawBufferPointer, _ record: RingRecord, lasting interval: Duration
  ) -> Bool {
    takeOutput()
    guard !hasFailed, let output, output.sizeLimit != nil else { return true }
    do throws(OvercrankError) {
      if heldAudio == nil {
        let hasRoom = try output.hasRoom(
          for: frame, timestampNanoseconds: record.timestampNanoseconds, followedBy: nil)
        guard !hasRoom, let audio else { return hasRoom }
        // Near its limit the file's size must be known with all of its audio, of which some is still to come.
        holdAudio()
        if let first = accounting.timestamps.first, let last = accounting.timestamps.last {
          self.audio?.limit = audio.sampleCount(at: last + interval, start: first)
        }
      }
      guard let audio else { return true }
      let start = accounting.timestamps.first ?? record.timestamp
      let count = audio.sampleCount(at: record.timestamp + interval, start: start)
      let hasRoom = try output.hasRoom(
        for: frame, timestampNanoseconds: record.timestampNanoseconds,
        followedBy: count - audio.accounting.sampleCount)
      if hasRoom { self.audio?.limit = count }
      return hasRoom
    } catch {
      diskFailure = error
      return true
    }
  }

  /// Writes a frame. Returns whether it was not lost at the disk.
  @discardableResult mutating func write(_ frame: UnsafeRawBufferPointer, _ record: RingRecord) -> Bool {
    takeOutput()
    guard !hasFailed else {
      accounting.enterLost(sequence: record.sequence, at: .disk)
      return false
    }
    do throws(OvercrankError) {
      try output?.write(
        frame, sequence: record.sequence, timestampNanoseconds: record.timestampNanoseconds,
        isTimedAtDequeue: record.isTimedAtDequeue)
      accounting.enterWritten(
        sequence: record.sequence, at: record.timestamp,
        isTimedAtDequeue: record.isTimedAtDequeue)
      return true
    } catch {
      diskFailure = error
      accounting.enterLost(sequence: record.sequence, at: .disk)
      return false
    }
  }

  /// Enters frames that were lost before they came here.
  mutating func enterLost(_ run: RingRecord) {
    guard let stage = run.kind.lossStage else { return }
    accounting.enterLost(sequence: run.sequence, count: run.count, at: stage)
    if output == nil { untold.append(run) } else { tellLost(run) }
  }

  private func tellLost(_ run: RingRecord) {
    guard let stage = run.kind.lossStage else { return }
    output?.noteLost(sequence: run.sequence, count: run.count, at: stage)
  }

  /// Makes what was written safe from a crash; to be called every 100 ms or so.
  mutating func checkpoint() {
    guard !hasFailed else { return }
    do throws(OvercrankError) { try output?.checkpoint() } catch { diskFailure = error }
  }

  /// Closes the output and sums up.
  ///
  /// - Parameter failure: why filming ended before its time, where the disk was not at fault.
  /// - Throws: ``CaptureError`` where not one frame was written, or the output could not be made whole.
  mutating func finish(_ facts: TakeFacts, failure: CaptureError?) throws(CaptureError) -> Recording {
    takeOutput()
    writeHeldAudio()
    var failure = openFailure ?? diskFailure.map(CaptureError.master) ?? failure
    // Dropped without a frame, a master takes its file with it.
    guard accounting.written > 0, let output else {
      output = nil
      throw failure ?? .empty
    }
    let bytesWritten = output.bytesWritten
    output.noteMoment(facts.moment ?? facts.startedAt)
    do throws(OvercrankError) { try output.finish() } catch { throw .master(error) }
    if case .master(let error) = failure { failure = .master(output.naming(error)) }
    return Recording(
      accounting: accounting, audio: audio?.accounting, bytesWritten: bytesWritten, facts: facts,
      failure: failure)
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
