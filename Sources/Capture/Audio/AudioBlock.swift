import AudioModel
import Timebase

/// Some samples of a stream, as they lie in the ring of the audio.
struct AudioBlock {
  /// The number of its first sample. Numbers that are left out were lost.
  let position: Int64
  /// When the first was heard, by the mark that came with it.
  var time: Instant
  /// The samples, interleaved.
  let bytes: UnsafeRawBufferPointer
  let format: AudioFormat

  var count: Int { bytes.count / format.sampleBytes }
  /// When the first sample after it was heard.
  var end: Instant { time(of: count) }

  /// When sample `index` was heard.
  func time(of index: Int) -> Instant { time + format.duration(of: index) }

  /// The first sample that was heard at `moment` or later; from 0 to ``count``.
  func index(at moment: Instant) -> Int {
    let samples = (moment - time) / .seconds(1) * Double(format.rate)
    return min(max(Int(clamping: samples.rounded(.up)), 0), count)
  }

  /// What lies in the ring in front of the samples.
  static let headerBytes = MemoryLayout<Int64>.size

  /// The block that lies in a record of the ring.
  init(_ record: RingRecord, _ payload: UnsafeRawBufferPointer, _ format: AudioFormat) {
    position = payload.loadUnaligned(as: Int64.self)
    time = record.timestamp
    bytes = UnsafeRawBufferPointer(rebasing: payload.dropFirst(Self.headerBytes))
    self.format = format
  }
}
