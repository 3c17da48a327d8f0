import Media
import Platform
import Timebase
import V4L2

/// Tells whether a v4l2loopback device wrote over a frame while it was read.
///
/// A driver leaves a buffer alone from DQBUF to QBUF. v4l2loopback does not: its writer goes round the buffers,
/// of which there are two by default, whoever reads. A reader that is late by more than their number then
/// finds a later picture under an earlier number, or parts of two.
struct OverwriteWatch: Sendable {
  private let interval: Int64
  /// A quarter of the time in which all other buffers are filled.
  private let patience: Int64
  private let bufferCount: Int
  private let isJPEG: Bool
  private let clock = MonotonicClock()

  /// A watch over `queue`; `nil` where the driver keeps its buffers to the rules.
  init?(over queue: borrowing CaptureQueue) {
    guard queue.capabilities.driver.hasPrefix("v4l2 loopback"),
      let interval = queue.acceptedInterval?.rate?.interval
    else { return nil }
    self.interval = interval.scaling(1_000_000_000)
    patience = Fraction(Int64(queue.bufferCount - 1), 4).scaling(self.interval)
    bufferCount = queue.bufferCount
    self.isJPEG = queue.format.pixelFormat.family == .jpeg
  }

  /// What a frame that comes late looks like while it is read.
  enum Reading {
    /// It is in time, or nothing that can be told: no JPEG, or one that ends elsewhere than the driver says.
    case unknown
    /// A JPEG that ends where the driver says, the same before and after. A later picture would end elsewhere.
    case steady
    /// Not the same before and after.
    case changing
  }

  /// Has `body` read `buffer`, and looks at it before and after where it is late.
  ///
  /// As long as the reader keeps up this is a look at the clock, which is no system call.
  func reading(_ buffer: borrowing DequeuedBuffer, _ body: () -> Void) -> Reading {
    guard isJPEG, isLate(buffer.timestampNanoseconds) else {
      body()
      return .unknown
    }
    let bytes = buffer.bytes(ofPlane: 0)
    let before = Self.checksum(bytes)
    body()
    guard Self.checksum(bytes) == before else { return .changing }
    let walk = JPEGWalk(bytes)
    return if case .whole(bytes.count, _, _) = walk { .steady } else { .unknown }
  }

  /// Whether the frame that was just read may have been written over before or meanwhile.
  ///
  /// As long as the reader keeps up this is a look at the clock.
  func wasOverwritten(
    buffer index: Int, sequence: UInt32, timestampNanoseconds: Int64, _ reading: Reading,
    in queue: borrowing CaptureQueue
  ) -> Bool {
    guard isLate(timestampNanoseconds) else { return false }
    // v4l2loopback numbers only what is written to it, not what a writer puts into its memory.
    guard let own = queue.state(ofBuffer: index),
      own.sequence == sequence, own.timestampNanoseconds == timestampNanoseconds
    else { return true }
    guard reading == .unknown else { return reading == .changing }
    // The header is written after the picture: once all other buffers are filled, the next picture comes into this
    // one, but not before half an interval is over.
    let now = clock.now.nanoseconds
    for other in 0..<bufferCount where other != index {
      guard let state = queue.state(ofBuffer: other) else { return true }
      let isLast = Int(Int32(bitPattern: state.sequence &- sequence)) >= bufferCount - 1
      if isLast, (now &- state.timestampNanoseconds).magnitude > interval / 2 { return true }
    }
    return false
  }

  /// Whether a frame of that time may be written over by now.
  ///
  /// Even a writer that is late and hurries does not fill the other buffers in a quarter of their time.
  /// v4l2loopback stamps with this clock, though it does not say so; a time that does not fit it is no help.
  private func isLate(_ timestampNanoseconds: Int64) -> Bool {
    !(0...patience).contains(clock.now.nanoseconds &- timestampNanoseconds)
  }

  /// FNV-1a (Fowler, Noll, Vo), eight bytes at a time: of bytes that change it changes, wherever that is.
  private static func checksum(_ bytes: Span<UInt8>) -> UInt64 {
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ word: UInt64) { sum = (sum ^ word) &* 0x100_0000_01b3 }
    let words = bytes.count / 8
    let raw = bytes.bytes
    for word in 0..<words { add(raw.unsafeLoadUnaligned(fromByteOffset: word * 8, as: UInt64.self)) }
    for place in words * 8..<bytes.count { add(UInt64(bytes[place])) }
    return sum
  }
}
