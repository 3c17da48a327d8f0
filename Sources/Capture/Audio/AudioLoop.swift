import Platform
import AudioModel
import Microphones
import Timebase

/// The audio thread's loop: it takes samples from a microphone, detects missing ones, and puts them into a
/// ring with their numbers and times.
///
/// Unlike the capture loop, it may allocate, because it has no deadline.
struct AudioLoop: ~Copyable {
  private var ring: RingProducer
  private var timeline: AudioTimeline
  private let format: AudioFormat
  private let taps: TapList<AudioTap>
  /// The number of samples that the device has delivered, including those before it was reopened.
  private var delivered: Int64 = 0
  /// The offset of the device's own count.
  private var base: Int64 = 0
  private var blockCount: UInt32 = 0
  /// Samples that may still turn out to have missing ones before them.
  private var waiting: [Piece] = []

  private struct Piece {
    var bytes: [UInt8]
    /// The device's number of the first sample.
    var first: Int64
    var mark: AudioMark
  }

  init(_ ring: consuming RingProducer, _ format: AudioFormat, taps: TapList<AudioTap> = TapList<AudioTap>()) {
    self.ring = ring
    self.format = format
    self.taps = taps
    timeline = AudioTimeline(nominalRate: format.rate)
  }

  /// Continues with a stream that has just begun, after one that has ended.
  mutating func reopened() {
    base = delivered
    // It can no longer be determined how many samples are missing before the waiting ones.
    if timeline.isSettling { waiting = [] }
    timeline.noteBreak()
  }

  /// Takes the samples that `stream` has, or that arrive within `timeout`. Returns whether any arrived.
  ///
  /// - Throws: `OvercrankError` once the stream has failed.
  mutating func step(_ stream: any AudioStream, within timeout: Duration) throws(OvercrankError) -> Bool {
    var bytes: [UInt8] = []
    let arrival = try stream.next(within: timeout) { bytes = Array($0) }
    switch arrival {
    case .nothing: return false
    case .restarted:
      timeline.noteBreak()
      return true
    case .samples(let count, var mark):
      mark.sampleCount = mark.sampleCount.adding(clamping: base)
      let piece = Piece(bytes: bytes, first: delivered, mark: mark)
      delivered += Int64(count)
      switch timeline.enter(mark) {
      case .waiting: waiting.append(piece)
      case .regular, .lost:
        for piece in waiting { push(piece) }
        waiting = []
        push(piece)
      }
      return true
    }
  }

  /// Pushes samples into the ring. If it is full, they are lost, which the number of the next ones shows.
  private mutating func push(_ piece: Piece) {
    let ahead = Double(piece.mark.sampleCount.subtracting(clamping: piece.first)) / timeline.rate
    let time = piece.mark.time - .seconds(ahead)
    let position = piece.first.adding(clamping: timeline.missing)
    taps.offer(
      AudioStretch(
        bytes: piece.bytes, format: format, position: position, time: timeline.time(of: position) ?? time,
        rate: timeline.rate))
    let record = RingRecord(kind: .frame, sequence: blockCount, timestampNanoseconds: time.nanoseconds)
    blockCount &+= 1
    _ = ring.push(record, payloadBytes: AudioBlock.headerBytes + piece.bytes.count) { memory in
      memory.storeBytes(of: position, as: Int64.self)
      piece.bytes.withUnsafeBytes { bytes in
        UnsafeMutableRawBufferPointer(start: memory + AudioBlock.headerBytes, count: bytes.count)
          .copyMemory(from: bytes)
      }
    }
  }

  /// Pushes the waiting samples into the ring and closes it.
  consuming func finish() {
    if !timeline.isSettling { for piece in waiting { push(piece) } }
    ring.close()
  }
}
