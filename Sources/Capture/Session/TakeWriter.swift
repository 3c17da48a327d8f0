import FoundationEssentials
import Media
import Platform
import Takes
import Timebase

/// The writer of a take: its output, and the accounting of its frames and its audio.
struct TakeWriter {
  private let opening: OutputOpening
  /// Whether to wait for a busy disk.
  private let waitsForDisk: Bool
  /// The format of frames that depend on others; `nil` if each stands alone.
  private let stream: StreamFormat?
  /// The output; `nil` until it is open.
  private(set) var output: (any TakeOutput)?
  /// Runs of lost frames to report to the output once it is open.
  private var unreported: [RingRecord] = []
  private(set) var accounting = FrameAccounting()
  /// The error of opening the output; all later frames are lost at the disk.
  private(set) var openFailure: CaptureError?
  /// The error of writing to the output; all later frames are lost at the disk.
  var diskFailure: OvercrankError?
  /// The date of the take; `nil` if its output need not know.
  private let startedAt: Date?
  /// The take's audio; `nil` if no microphone is recorded.
  var audio: TakeAudio?
  /// The last audio, to be written in one piece; `nil` while audio is written as it comes.
  var heldAudio: HeldAudio?

  init(
    _ opening: OutputOpening, audio: AudioInput? = nil, waitsForDisk: Bool = false,
    stream: StreamFormat? = nil, startedAt: Date? = nil
  ) {
    self.opening = opening
    self.startedAt = startedAt
    self.stream = stream
    self.waitsForDisk = waitsForDisk
    self.audio = audio.map(TakeAudio.init)
  }

  /// The total size of the frames in the output.
  var bytesWritten: Int64 { output?.bytesWritten ?? 0 }

  /// The total size of the audio in the output.
  var audioBytesWritten: Int64 { output?.audioBytesWritten ?? 0 }

  /// The output's size limit in bytes; `nil` if unlimited. Waits for the output to open.
  var sizeLimit: Int64? {
    mutating get {
      takeOutput()
      return output?.sizeLimit
    }
  }

  /// The share of the output's size limit that is used, without its index; `nil` if unlimited.
  var limitFill: Double? {
    guard let output, let limit = output.sizeLimit else { return nil }
    return min(1, Double(bytesWritten + audioBytesWritten) / Double(max(1, limit)))
  }

  var hasFailed: Bool { diskFailure != nil || openFailure != nil }

  /// Returns whether a frame of `byteCount` bytes can be written or counted as lost now. With `waitsForDisk`,
  /// returns `true` even if that blocks.
  mutating func isReady(forBytes byteCount: Int) -> Bool {
    guard !hasFailed, !waitsForDisk else { return true }
    guard output != nil || opening.isSettled else { return false }
    takeOutput()
    return output?.isReady(forBytes: byteCount) ?? true
  }

  /// Takes the output; waits for it to open.
  private mutating func takeOutput() {
    guard output == nil, openFailure == nil else { return }
    do throws(CaptureError) { output = try opening.output() } catch { openFailure = error }
    if let startedAt { output?.noteStart(startedAt) }
    for run in unreported { reportLost(run) }
    unreported = []
  }

  /// Returns whether the record cannot be part of the take because no key frame has come yet.
  func isBeforeKeyframe(_ payload: UnsafeRawBufferPointer, _ record: RingRecord) -> Bool {
    guard let stream, accounting.written == 0, !hasFailed else { return false }
    return record.kind != .frame || stream.role(of: payload) != .entry
  }

  /// Returns whether the frame fits within the size limit of the take's file.
  ///
  /// - Parameter interval: The time between frames.
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
        // Near the limit, the file's size must be known with all of its audio, some of which is still to
        // come.
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

  /// Writes a frame. Returns `false` if it was lost at the disk.
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
        isTimedAtDequeue: record.isTimedAtDequeue,
        isDependent: stream.map { $0.role(of: frame) == .dependent } ?? false)
      return true
    } catch {
      diskFailure = error
      accounting.enterLost(sequence: record.sequence, at: .disk)
      return false
    }
  }

  /// Records frames that were lost before they reached the writer.
  mutating func enterLost(_ run: RingRecord) {
    guard let stage = run.kind.lossStage else { return }
    accounting.enterLost(sequence: run.sequence, count: run.count, at: stage)
    if output == nil { unreported.append(run) } else { reportLost(run) }
  }

  private func reportLost(_ run: RingRecord) {
    guard let stage = run.kind.lossStage else { return }
    output?.noteLost(sequence: run.sequence, count: run.count, at: stage)
  }

  /// Makes the written data crash-safe; call about every 100 ms.
  mutating func checkpoint() {
    guard !hasFailed else { return }
    do throws(OvercrankError) { try output?.checkpoint() } catch { diskFailure = error }
  }

  /// Closes the output and returns the recording.
  ///
  /// - Parameter failure: The reason why the take ended early, if the disk was not at fault.
  /// - Throws: ``CaptureError`` if no frame was written, or the output could not be completed.
  mutating func finish(_ facts: TakeFacts, failure: CaptureError?) throws(CaptureError) -> Recording {
    takeOutput()
    writeHeldAudio()
    var failure = openFailure ?? diskFailure.map(CaptureError.master) ?? failure
    // A master that is released without a frame deletes its file.
    guard accounting.written > 0, let output else {
      output = nil
      throw failure ?? (facts.skippedFrames > 0 ? .noKeyframe(frames: facts.skippedFrames) : .empty)
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
  /// The stage at which the record's frames were lost; `nil` for a frame.
  var lossStage: LossStage? {
    switch self {
    case .frame: nil
    case .lostInRing: .ring
    case .lostInDriver: .driver
    case .lostCorrupt: .corrupt
    }
  }
}
