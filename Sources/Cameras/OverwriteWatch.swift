import Timebase
import V4L2

/// Tells whether a v4l2loopback device wrote over a frame while it was read.
///
/// A driver leaves a buffer alone from DQBUF to QBUF. v4l2loopback does not: its writer goes round the buffers,
/// of which there are two by default, whoever reads. A reader that is late by more than their number then
/// finds a later picture under an earlier number, or parts of two.
struct OverwriteWatch: Sendable {
  private let interval: Int64
  private let bufferCount: Int
  private let clock = MonotonicClock()

  /// A watch over `queue`; `nil` where the driver keeps its buffers to the rules.
  init?(over queue: borrowing CaptureQueue) {
    guard queue.capabilities.driver.hasPrefix("v4l2 loopback"),
      let interval = queue.acceptedInterval?.rate?.interval
    else { return nil }
    self.interval = interval.scaling(1_000_000_000)
    self.bufferCount = queue.bufferCount
  }

  /// Whether the frame that was just read may have been written over meanwhile.
  ///
  /// As long as the reader keeps up this is a look at the clock, which is no system call.
  func wasOverwritten(
    buffer index: Int, sequence: UInt32, timestampNanoseconds: Int64, in queue: borrowing CaptureQueue
  ) -> Bool {
    let now = clock.nanoseconds
    // Even a writer that is late and hurries does not fill the other buffers in a quarter of their time.
    // v4l2loopback stamps with this clock, though it does not say so; a time that does not fit it is no help.
    if (0...Int64(bufferCount - 1) * interval / 4).contains(now &- timestampNanoseconds) { return false }
    guard let own = queue.state(ofBuffer: index), own.sequence == sequence else { return true }
    // The header is written after the picture: once all other buffers are filled, the next picture comes into this
    // one, but not before half an interval is over.
    for other in 0..<bufferCount where other != index {
      guard let state = queue.state(ofBuffer: other) else { return true }
      let isLast = Int(Int32(bitPattern: state.sequence &- sequence)) >= bufferCount - 1
      if isLast, (now &- state.timestampNanoseconds).magnitude > interval / 2 { return true }
    }
    return false
  }
}
