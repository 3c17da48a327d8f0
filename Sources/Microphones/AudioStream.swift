package import Platform
package import AudioModel

/// The outcome of waiting for audio.
package enum AudioArrival: Hashable, Sendable {
  /// This many samples were passed on, and the device's clock was read with them.
  ///
  /// The mark counts all samples that the device has delivered since `AudioStream.begin()`, and those that
  /// it has recorded but not yet delivered.
  case samples(Int, AudioMark)
  /// No samples came within the timeout.
  case nothing
  /// The device lost samples, or was suspended, and continues; it does not report how many are missing.
  case restarted
}

/// A microphone that records from ``begin()`` on.
///
/// It belongs to one thread at a time, the audio thread. A stream that is released without ``stop()`` still
/// frees all its resources.
package protocol AudioStream: AnyObject {
  /// The format of the audio.
  var format: AudioFormat { get }

  /// Starts recording; called once.
  ///
  /// - Throws: `OvercrankError` if the device refuses.
  func begin() throws(OvercrankError)

  /// Waits at most `timeout` for audio and passes it to `body`: whole samples, interleaved.
  ///
  /// - Throws: `OvercrankError` if the device failed or was unplugged; no more audio follows.
  func next(
    within timeout: Duration, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(OvercrankError) -> AudioArrival

  /// Stops recording.
  func stop()
}
