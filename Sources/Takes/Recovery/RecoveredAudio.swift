import AudioModel
import Timebase

/// The audio of a recording that was cut off, as described by its journal.
struct RecoveredAudio {
  private(set) var accounting: AudioAccounting

  /// Creates an empty accounting; `nil` if no audio was recorded.
  init?(_ input: AudioInput?) {
    guard let input else { return nil }
    accounting = AudioAccounting(input)
  }

  /// Returns the number of samples missing before the one whose number has `first` as its lowest 32 bits.
  func missing(before first: UInt32) -> Int64 {
    max(0, Int64(Int32(bitPattern: first &- UInt32(truncatingIfNeeded: accounting.sampleCount))))
  }

  /// Records an entry of the journal.
  ///
  /// - Parameter time: the time at which the first sample was heard; `nil` for silence.
  mutating func enter(_ first: UInt32, byteCount: UInt32, at time: Instant?) {
    accounting.enterLost(missing(before: first))
    append(byteCount: byteCount, at: time)
  }

  /// Records audio that follows directly.
  mutating func append(byteCount: UInt32, at time: Instant?) {
    let count = Int64(byteCount) / Int64(accounting.input.format.sampleBytes)
    if let time { accounting.enterWritten(count, at: time) } else { accounting.enterLost(count) }
  }

  /// Records silence in place of audio that is lost.
  mutating func enterSilence(_ count: Int64) { accounting.enterLost(count) }

  /// Returns the audio of the take; `nil` without a frame.
  func entry(of frames: FrameAccounting) -> Take.Audio? {
    frames.timestamps.first.map { Take.Audio(accounting, from: $0) }
  }
}
