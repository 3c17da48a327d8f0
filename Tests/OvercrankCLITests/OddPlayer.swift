import FrameJudge
import Foundation
import Platform
import Simulator
import Synchronization
import SystemPackage
import Timebase
import V4L2

/// Plays numbered JPEGs of 320x180 into a v4l2loopback node at about 60 fps, until it is stopped. On request some are
/// damaged, or their timestamps are odd.
final class OddPlayer: Sendable {
  /// The fault of a frame.
  enum Damage: CaseIterable {
    /// No bytes at all.
    case empty
    /// It ends half way.
    case cutOff
    /// It has no end, and more bytes than the node's buffers.
    case huge
    /// As many bytes as a frame, but not a JPEG.
    case noise
  }

  /// The fault of frame `number`; none for most.
  static func damage(of number: UInt32) -> Damage? {
    switch number % 16 {
    case 3: .empty
    case 6: .cutOff
    case 9: .huge
    case 12: .noise
    default: nil
    }
  }

  /// The offset of the timestamps from the true ones, in nanoseconds; if it is `nil`, the driver makes its
  /// own.
  private let offset: Mutex<Int64?>
  /// The first frame with the current offset.
  private let turn = Atomic<UInt32>(0)
  private let isStopped = Atomic(false)
  private let failure = Mutex<(any Error)?>(nil)
  private let hasBegun = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Starts to play into `node`, and returns when it has the first frame.
  init(_ node: String, damages: Bool = false, offset: Int64? = nil) throws {
    self.offset = Mutex(offset)
    Thread { [self] in
      do { try play(to: node, damages) } catch { failure.withLock { $0 = error } }
      hasBegun.signal()
      hasEnded.signal()
    }.start()
    hasBegun.wait()
    if let error = failure.withLock(\.self) { throw error }
  }

  /// Changes the clock from now on, and returns the first frame with it.
  func setClock(offset new: Int64) -> UInt32 {
    offset.withLock { offset in
      offset = new
      return turn.load(ordering: .relaxed)
    }
  }

  /// Waits until it has sent this number of further frames, or has failed.
  func wait(forFrames count: UInt32) {
    let last = turn.load(ordering: .relaxed) + count
    while turn.load(ordering: .relaxed) < last, failure.withLock({ $0 == nil }) { usleep(10_000) }
  }

  /// Stops it, and throws its error.
  func stop() throws {
    isStopped.store(true, ordering: .relaxed)
    hasEnded.wait()
    if let error = failure.withLock(\.self) { throw error }
  }

  private func play(to node: String, _ damages: Bool) throws {
    let largest = try SimulatedPicture(format: .mjpeg, width: 320, height: 180).largestFrame
    guard offset.withLock({ $0 == nil }) else {
      // Frames given in this way have their claimed time, but v4l2loopback does not number them.
      var writer = try LoopbackWriter(node, largestFrame: largest)
      return try play(damages) { try writer.write($0, stamped: $1) }
    }
    let output = try VideoOutput(
      path: FilePath(node), format: .mjpeg, width: 320, height: 180, largestFrame: largest,
      interval: FrameInterval(1, 60))
    try play(damages) { frame, _ in try frame.withUnsafeBytes { try output.write($0) } }
  }

  private func play(_ damages: Bool, _ write: ([UInt8], _ stamp: Int64) throws -> Void) throws {
    var picture = try SimulatedPicture(format: .mjpeg, width: 320, height: 180)
    let padding = [UInt8](repeating: 0x55, count: picture.largestFrame + 100_000)
    let clock = MonotonicClock()
    var number: UInt32 = 0
    while !isStopped.load(ordering: .relaxed) {
      var frame: [UInt8] = []
      picture.compose(frame: number) { span in frame = span.indices.map { span[$0] } }
      switch damages ? Self.damage(of: number) : nil {
      case nil: break
      case .empty: frame = []
      case .cutOff: frame.removeLast(frame.count / 2)
      case .huge: frame = frame.dropLast(2) + padding
      case .noise: frame = frame.map { $0 ^ 0x2a }
      }
      let offset = offset.withLock { offset in
        turn.store(number + 1, ordering: .relaxed)
        return offset
      }
      try write(frame, offset.map { clock.now.nanoseconds + $0 } ?? 0)
      number += 1
      if number == 1 { hasBegun.signal() }
      usleep(16_667)
    }
  }
}
