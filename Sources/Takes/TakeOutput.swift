public import Media

/// What the frames of a take become: a master, a count, a still.
///
/// A class, as it is handed from the session's writer to the thread that closes it. Used by one
/// thread at a time.
public protocol TakeOutput: AnyObject {
  /// Bytes of frames that were taken.
  var bytesWritten: Int64 { get }

  /// Whether a frame of `byteCount` bytes would be taken without waiting for a disk; with 0, whether
  /// ``checkpoint()`` would not wait.
  func isReady(forBytes byteCount: Int) -> Bool

  /// Takes a frame.
  ///
  /// - Throws: ``MediaError`` where it cannot be kept: it counts as lost at the disk.
  func write(
    _ frame: UnsafeRawBufferPointer, sequence: UInt32, timestampNanoseconds: Int64
  ) throws(MediaError)

  /// Takes note of `count` frames from `sequence` on that were lost at `stage`.
  func noteLost(sequence: UInt32, count: UInt32, at stage: LossStage)

  /// Makes what was taken safe from a crash; called every 100 ms or so.
  func checkpoint() throws(MediaError)

  /// Makes what was taken whole.
  ///
  /// - Throws: ``MediaError``; what was taken can be recovered as far as it was made safe.
  func finish() throws(MediaError)
}

extension TakeOutput {
  /// Always: nothing waits for a disk.
  public func isReady(forBytes byteCount: Int) -> Bool { true }
  /// Nothing to note.
  public func noteLost(sequence: UInt32, count: UInt32, at stage: LossStage) {}
  /// Nothing to make safe.
  public func checkpoint() throws(MediaError) {}
  /// Nothing to close.
  public func finish() throws(MediaError) {}
}
