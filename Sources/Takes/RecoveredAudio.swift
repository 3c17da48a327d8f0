import AudioModel
import Timebase

/// The audio of a recording that was cut off, as its journal tells of it.
struct RecoveredAudio {
  private(set) var accounting: AudioAccounting

  /// `nil` where no audio was recorded.
  init?(_ input: AudioInput?) {
    guard let input else { return nil }
    accounting = AudioAccounting(input)
  }

  /// How many samples are missing in front of those from number `first` on, of which the lowest 32 bits are known.
  func missing(before first: UInt32) -> Int64 {
    max(0, Int64(Int32(bitPattern: first &- UInt32(truncatingIfNeeded: accounting.sampleCount))))
  }

  /// Enters what an entry of the journal tells of.
  ///
  /// - Parameter time: when the first sample was heard; `nil` for silence.
  mutating func enter(_ first: UInt32, byteCount: UInt32, at time: Instant?) {
    accounting.enterLost(missing(before: first))
    append(byteCount: byteCount, at: time)
  }

  /// Enters audio that follows what was entered before.
  mutating func append(byteCount: UInt32, at time: Instant?) {
    let count = Int64(byteCount) / Int64(accounting.input.format.sampleBytes)
    if let time { accounting.enterWritten(count, at: time) } else { accounting.enterLost(count) }
  }

  /// Enters silence in place of what is not known any more.
  mutating func enterSilence(_ count: Int64) { accounting.enterLost(count) }

  /// What the take says of it; `nil` without a frame.
  func entry(of frames: FrameAccounting) -> Take.Audio? {
    frames.timestamps.first.map { Take.Audio(accounting, from: $0) }
  }
}
