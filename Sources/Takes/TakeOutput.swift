public import Platform
public import FoundationEssentials
public import Timebase

/// An output for the frames of a take: a master, a count, a still.
///
/// It is a class because the session's writer passes it to the thread that closes it. One thread at a time
/// uses it.
public protocol TakeOutput: AnyObject {
  /// Bytes of the frames written so far.
  var bytesWritten: Int64 { get }

  /// The maximum bytes of the finished output; `nil` for no limit.
  var sizeLimit: Int64? { get }

  /// Returns whether a frame of `byteCount` bytes can be written without waiting for a disk; with 0, whether
  /// ``checkpoint()`` would not wait.
  func isReady(forBytes byteCount: Int) -> Bool

  /// Returns whether a frame fits: `false` if the finished output would exceed its limit with it.
  ///
  /// - Parameters:
  ///   - frame: the frame's bytes.
  ///   - timestampNanoseconds: the capture time, on the clock of all its frames.
  ///   - sampleCount: the number of audio samples that follow it at once; `nil` if unknown, to reserve room
  ///     for two seconds of them.
  /// - Throws: `OvercrankError` if the first frame alone would exceed the limit.
  func hasRoom(
    for frame: UnsafeRawBufferPointer, timestampNanoseconds: Int64, followedBy sampleCount: Int64?
  ) throws(OvercrankError) -> Bool

  /// Writes a frame.
  ///
  /// - Parameters:
  ///   - frame: the frame's bytes.
  ///   - sequence: the camera's number of the frame.
  ///   - timestampNanoseconds: the capture time, on the camera's clock.
  ///   - isTimedAtDequeue: whether that is the time of its receipt, as the driver's cannot be right.
  /// - Throws: `OvercrankError` if it cannot be written; the frame then counts as lost at the disk.
  func write(
    _ frame: UnsafeRawBufferPointer, sequence: UInt32, timestampNanoseconds: Int64, isTimedAtDequeue: Bool
  ) throws(OvercrankError)

  /// Records `count` frames from `sequence` on that were lost at `stage`.
  func noteLost(sequence: UInt32, count: UInt32, at stage: LossStage)

  /// Bytes of audio written so far, which ``bytesWritten`` does not count.
  var audioBytesWritten: Int64 { get }

  /// Writes audio that belongs between the frames written so far and the next.
  ///
  /// - Parameters:
  ///   - samples: whole samples, interleaved.
  ///   - time: the time at which the first was heard, on the camera's clock; `nil` for silence in place of
  ///     lost samples.
  /// - Throws: `OvercrankError` if it cannot be written.
  func writeAudio(_ samples: UnsafeRawBufferPointer, at time: Instant?) throws(OvercrankError)

  /// Makes the written frames safe from a crash; called about every 100 ms.
  func checkpoint() throws(OvercrankError)

  /// Records the date that the take file will have, for a recovery. Called before the first frame or loss.
  func noteStart(_ date: Date)

  /// Records the date of the take's trigger, or else of its first frame. Called before ``finish()``.
  func noteMoment(_ date: Date)

  /// Returns `failure`, which a call before ``finish()`` threw, with the output's final name.
  func naming(_ failure: OvercrankError) -> OvercrankError

  /// Completes the output.
  ///
  /// - Throws: `OvercrankError`; what was made safe before can be recovered.
  func finish() throws(OvercrankError)
}

extension TakeOutput {
  /// `nil`: no limit.
  public var sizeLimit: Int64? { nil }
  /// Returns `true`: nothing waits for a disk.
  public func isReady(forBytes byteCount: Int) -> Bool { true }
  /// Returns `true`: there is no size limit.
  public func hasRoom(
    for frame: UnsafeRawBufferPointer, timestampNanoseconds: Int64, followedBy sampleCount: Int64?
  ) throws(OvercrankError) -> Bool { true }
  /// Does nothing.
  public func noteLost(sequence: UInt32, count: UInt32, at stage: LossStage) {}
  /// Zero.
  public var audioBytesWritten: Int64 { 0 }
  /// Does nothing: audio is left out.
  public func writeAudio(_ samples: UnsafeRawBufferPointer, at time: Instant?) throws(OvercrankError) {}
  /// Does nothing.
  public func checkpoint() throws(OvercrankError) {}
  /// Does nothing: there is nothing to recover.
  public func noteStart(_ date: Date) {}
  /// Does nothing.
  public func noteMoment(_ date: Date) {}
  /// Returns `failure` unchanged: the output keeps its name.
  public func naming(_ failure: OvercrankError) -> OvercrankError { failure }
  /// Does nothing.
  public func finish() throws(OvercrankError) {}
}
