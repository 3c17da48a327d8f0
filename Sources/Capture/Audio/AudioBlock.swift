import AudioModel
import Timebase

/// A block of samples in the audio ring.
struct AudioBlock {
  /// The number of its first sample; skipped numbers are lost samples.
  let position: Int64
  /// The time of the first sample, by the mark that came with it.
  var time: Instant
  /// The samples, interleaved.
  let bytes: UnsafeRawBufferPointer
  let format: AudioFormat

  var count: Int { bytes.count / format.sampleBytes }
  /// The time of the first sample after the block.
  var end: Instant { time(of: count) }

  /// Returns the time of sample `index`.
  func time(of index: Int) -> Instant { time + format.duration(of: index) }

  /// Returns the index of the first sample at or after `moment`; from 0 to ``count``.
  func index(at moment: Instant) -> Int {
    let samples = (moment - time) / .seconds(1) * Double(format.rate)
    return min(max(Int(clamping: samples.rounded(.up)), 0), count)
  }

  /// The size of the block's header in the ring.
  static let headerBytes = MemoryLayout<Int64>.size

  /// Creates the block in a record of the ring.
  init(_ record: RingRecord, _ payload: UnsafeRawBufferPointer, _ format: AudioFormat) {
    position = payload.loadUnaligned(as: Int64.self)
    time = record.timestamp
    bytes = UnsafeRawBufferPointer(rebasing: payload.dropFirst(Self.headerBytes))
    self.format = format
  }
}
