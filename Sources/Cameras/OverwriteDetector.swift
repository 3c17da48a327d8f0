import Media
import Platform
import Timebase
import V4L2

/// A check of whether a v4l2loopback device overwrote a frame while it was read.
///
/// A driver leaves a buffer alone from DQBUF to QBUF. v4l2loopback does not: its writer cycles through the
/// buffers, two by default, regardless of readers. A reader that is late by more than their number then finds
/// a later picture under an earlier number, or parts of two.
struct OverwriteDetector: Sendable {
  private let interval: Int64
  /// A quarter of the time that filling all other buffers takes.
  private let patience: Int64
  private let bufferCount: Int
  private let isJPEG: Bool
  private let clock = MonotonicClock()

  /// Creates a watch over `queue`; `nil` if the driver leaves dequeued buffers alone, or reports no interval.
  init?(over queue: borrowing CaptureQueue) {
    guard queue.capabilities.driver.hasPrefix("v4l2 loopback"),
      let interval = queue.acceptedInterval?.rate?.interval
    else { return nil }
    self.interval = interval.scaling(1_000_000_000)
    patience = Fraction(Int64(queue.bufferCount - 1), 4).scaling(self.interval)
    bufferCount = queue.bufferCount
    self.isJPEG = queue.format.pixelFormat.family == .jpeg
  }

  /// The content of a late frame while it is read.
  enum Reading {
    /// In time, or impossible to check: not a JPEG, or one that ends elsewhere than the driver says.
    case unknown
    /// A JPEG that ends where the driver says, the same before and after. A later picture would end
    /// elsewhere.
    case steady
    /// Different before and after.
    case changing
  }

  /// Calls `body` to read `buffer`, and compares the content before and after if the buffer is late.
  ///
  /// As long as the reader keeps up, this only reads the clock, without a system call.
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

  /// Returns whether the frame that was just read may have been overwritten before or meanwhile.
  ///
  /// As long as the reader keeps up, this only reads the clock.
  func wasOverwritten(
    buffer index: Int, sequence: UInt32, timestampNanoseconds: Int64, _ reading: Reading,
    in queue: borrowing CaptureQueue
  ) -> Bool {
    guard isLate(timestampNanoseconds) else { return false }
    // v4l2loopback numbers only frames that are written to it, not those that a writer puts into its memory.
    guard let own = queue.state(ofBuffer: index),
      own.sequence == sequence, own.timestampNanoseconds == timestampNanoseconds
    else { return true }
    guard reading == .unknown else { return reading == .changing }
    // The header is written after the picture: once all other buffers are filled, the next picture goes into
    // this one, but only after half an interval.
    let now = clock.now.nanoseconds
    for other in 0..<bufferCount where other != index {
      guard let state = queue.state(ofBuffer: other) else { return true }
      let isLast = Int(Int32(bitPattern: state.sequence &- sequence)) >= bufferCount - 1
      if isLast, (now &- state.timestampNanoseconds).magnitude > interval / 2 { return true }
    }
    return false
  }

  /// Returns whether a frame with this timestamp may be overwritten by now.
  ///
  /// Even a writer that catches up does not fill the other buffers in a quarter of their time. v4l2loopback
  /// stamps with this clock without saying so; a timestamp that does not fit it counts as late.
  private func isLate(_ timestampNanoseconds: Int64) -> Bool {
    !(0...patience).contains(clock.now.nanoseconds &- timestampNanoseconds)
  }

  /// Returns the FNV-1a hash (Fowler, Noll, Vo) over eight bytes at a time: a changed byte anywhere changes
  /// it.
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
