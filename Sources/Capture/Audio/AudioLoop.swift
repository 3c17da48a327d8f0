import Platform
import AudioModel
import Microphones
import Timebase

/// What the audio thread does: takes samples from a microphone, finds out where some are missing, and puts
/// them into a ring with their numbers and times.
///
/// Beside the capture thread, and nothing like it: it may allocate, as nobody waits for it.
struct AudioLoop: ~Copyable {
  private var ring: RingProducer
  private var timeline: AudioTimeline
  private let format: AudioFormat
  private let taps: TapList<AudioTap>
  /// Samples that the device has delivered, also before it was opened again.
  private var delivered: Int64 = 0
  /// What the device's own count adds to.
  private var base: Int64 = 0
  private var blockCount: UInt32 = 0
  /// Samples of which it is not known yet whether some are missing in front of them.
  private var waiting: [Piece] = []

  private struct Piece {
    var bytes: [UInt8]
    /// The number of the first sample at the device.
    var first: Int64
    var mark: AudioMark
  }

  init(_ ring: consuming RingProducer, _ format: AudioFormat, taps: TapList<AudioTap> = TapList<AudioTap>()) {
    self.ring = ring
    self.format = format
    self.taps = taps
    timeline = AudioTimeline(nominalRate: format.rate)
  }

  /// Goes on with a stream that has just begun, after one that has ended.
  mutating func reopened() {
    base = delivered
    // How many are missing in front of those that still wait will not be known any more.
    if timeline.isSettling { waiting = [] }
    timeline.noteBreak()
  }

  /// Takes what `stream` has, or what comes within `timeout`. Returns whether something came.
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

  /// Puts samples into the ring. Where that is full they are lost: the next ones' number says so.
  private mutating func push(_ piece: Piece) {
    let ahead = Double(piece.mark.sampleCount.subtracting(clamping: piece.first)) / timeline.rate
    let time = piece.mark.time - .seconds(ahead)
    taps.offer(piece.bytes, at: time, format)
    let position = piece.first.adding(clamping: timeline.missing)
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

  /// Puts what still waits into the ring, and closes that.
  consuming func finish() {
    if !timeline.isSettling { for piece in waiting { push(piece) } }
    ring.close()
  }
}
