package import Platform
package import AudioModel
import Timebase

/// What came of waiting for audio.
package enum AudioArrival: Hashable, Sendable {
  /// So many samples were lent, and the device's clock was read with them.
  ///
  /// The mark counts all samples that the device delivered since `AudioStream.begin()`, and those that it had
  /// heard and not delivered yet.
  case samples(Int, AudioMark)
  /// None came in the time given.
  case nothing
  /// The device lost samples, or slept, and goes on: it does not say how many are missing.
  case restarted
}

/// A microphone that hears from ``begin()`` on.
///
/// It belongs to one thread at a time, the audio thread. A stream that is dropped without ``stop()`` releases
/// everything all the same.
package protocol AudioStream: AnyObject {
  /// What the audio looks like.
  var format: AudioFormat { get }

  /// Starts to hear; called once.
  ///
  /// - Throws: `OvercrankError` where the device refuses.
  func begin() throws(OvercrankError)

  /// Waits at most `timeout` for audio and lends it to `body`: whole samples, interleaved.
  ///
  /// - Throws: `OvercrankError` where the device failed or was unplugged: nothing will follow.
  func next(
    within timeout: Duration, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(OvercrankError) -> AudioArrival

  /// Stops.
  func stop()
}
