public import Platform
public import FoundationEssentials
import Media
public import Timebase

/// What the frames of a take become: a master, a count, a still.
///
/// It is a class because the session's writer hands it to the thread that closes it. It is used by
/// one thread at a time.
public protocol TakeOutput: AnyObject {
  /// Bytes of the frames written so far.
  var bytesWritten: Int64 { get }

  /// The bytes that the finished output may have at most; `nil` for any number.
  var sizeLimit: Int64? { get }

  /// Whether a frame of `byteCount` bytes would be taken without waiting for a disk; with 0, whether
  /// ``checkpoint()`` would not wait.
  func isReady(forBytes byteCount: Int) -> Bool

  /// Whether a frame belongs into it: `false` where the finished output would be larger with it than it
  /// may be. The first parameters are those of ``write(_:sequence:timestampNanoseconds:isTimedAtDequeue:)``.
  ///
  /// - Parameters:
  ///   - frame: its bytes.
  ///   - timestampNanoseconds: when it was captured, on the clock of all its frames.
  ///   - sampleCount: how many samples of audio follow it at once; `nil` where that is not known, and those of two
  ///     seconds are to find room.
  /// - Throws: `OvercrankError` where it would be too large with its first frame.
  func hasRoom(
    for frame: UnsafeRawBufferPointer, timestampNanoseconds: Int64, followedBy sampleCount: Int64?
  ) throws(OvercrankError) -> Bool

  /// Writes a frame.
  ///
  /// - Parameters:
  ///   - frame: its bytes.
  ///   - sequence: the camera's number of it.
  ///   - timestampNanoseconds: when it was captured, on the camera's clock.
  ///   - isTimedAtDequeue: whether that is the time of its receipt, as the driver's cannot be true.
  /// - Throws: `OvercrankError` if it cannot be written; the frame then counts as lost at the disk.
  func write(
    _ frame: UnsafeRawBufferPointer, sequence: UInt32, timestampNanoseconds: Int64, isTimedAtDequeue: Bool
  ) throws(OvercrankError)

  /// Takes note of `count` frames from `sequence` on that were lost at `stage`.
  func noteLost(sequence: UInt32, count: UInt32, at stage: LossStage)

  /// Bytes of audio written so far, which ``bytesWritten`` does not count.
  var audioBytesWritten: Int64 { get }

  /// Writes audio that belongs between the frames written so far and the next.
  ///
  /// - Parameters:
  ///   - samples: whole samples, interleaved.
  ///   - time: when the first was heard, on the camera's clock; `nil` for silence in place of what was lost.
  /// - Throws: `OvercrankError` if it cannot be written.
  func writeAudio(_ samples: UnsafeRawBufferPointer, at time: Instant?) throws(OvercrankError)

  /// Makes the written frames safe from a crash; called about every 100 ms.
  func checkpoint() throws(OvercrankError)

  /// Takes note of when it was filmed, by the calendar: of its trigger, else of its first frame. Called before
  /// ``finish()``.
  func noteMoment(_ date: Date)

  /// Returns `failure`, which a call before ``finish()`` threw, with the name that the output has since.
  func naming(_ failure: OvercrankError) -> OvercrankError

  /// Completes the output.
  ///
  /// - Throws: `OvercrankError`; what was made safe before can be recovered.
  func finish() throws(OvercrankError)
}

extension TakeOutput {
  /// Any number.
  package var sizeLimit: Int64? { nil }
  /// Always: nothing waits for a disk.
  package func isReady(forBytes byteCount: Int) -> Bool { true }
  /// Always: its size is not limited.
  package func hasRoom(
    for frame: UnsafeRawBufferPointer, timestampNanoseconds: Int64, followedBy sampleCount: Int64?
  ) throws(OvercrankError) -> Bool { true }
  /// Nothing to note.
  package func noteLost(sequence: UInt32, count: UInt32, at stage: LossStage) {}
  /// None.
  package var audioBytesWritten: Int64 { 0 }
  /// Leaves it out.
  package func writeAudio(_ samples: UnsafeRawBufferPointer, at time: Instant?) throws(OvercrankError) {}
  /// Nothing to make safe.
  package func checkpoint() throws(OvercrankError) {}
  /// Nothing to note.
  package func noteMoment(_ date: Date) {}
  /// As it was: the name is the one that it always had.
  package func naming(_ failure: OvercrankError) -> OvercrankError { failure }
  /// Nothing to close.
  package func finish() throws(OvercrankError) {}
}
