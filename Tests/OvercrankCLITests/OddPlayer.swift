import Cameras
import FilmJudge
import Foundation
import Synchronization
import Timebase
import V4L2

/// Plays numbered JPEGs of 320x180 into a v4l2loopback node, some of them damaged on request, until it is stopped.
final class OddPlayer: Sendable {
  /// What is wrong with a frame.
  enum Damage: CaseIterable {
    /// No bytes at all.
    case empty
    /// It ends half way.
    case cutOff
    /// More bytes than the node's buffers have, and no end.
    case huge
    /// As many bytes as a frame has, and no JPEG.
    case noise
  }

  /// What is wrong with frame `number`; with most, nothing.
  static func damage(of number: UInt32) -> Damage? {
    switch number % 16 {
    case 3: .empty
    case 6: .cutOff
    case 9: .huge
    case 12: .noise
    default: nil
    }
  }

  private let isStopped = Atomic(false)
  private let failure = Mutex<(any Error)?>(nil)
  private let hasBegun = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Starts to play into `node`, and returns when the first frame is in it.
  init(_ node: String, damages: Bool = false) throws {
    Thread { [self] in
      do { try play(to: node, damages) } catch { failure.withLock { $0 = error } }
      hasBegun.signal()
      hasEnded.signal()
    }.start()
    hasBegun.wait()
    if let error = failure.withLock(\.self) { throw error }
  }

  /// Ends it, and throws what it failed with.
  func stop() throws {
    isStopped.store(true, ordering: .relaxed)
    hasEnded.wait()
    if let error = failure.withLock(\.self) { throw error }
  }

  private func play(to node: String, _ damages: Bool) throws {
    var picture = try SimulatedPicture(format: .mjpeg, width: 320, height: 180)
    let output = try VideoOutput(
      path: node, format: .mjpeg, width: 320, height: 180, largestFrame: picture.largestFrame,
      interval: FrameInterval(1, 60))
    let padding = [UInt8](repeating: 0x55, count: picture.largestFrame)
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
      try frame.withUnsafeBytes { try output.write($0) }
      number += 1
      if number == 1 { hasBegun.signal() }
      usleep(16_667)
    }
  }
}
