import CameraModel
import Cameras
import FrameJudge
import Foundation
import Simulator
import SystemPackage
import Testing
import Timebase
import V4L2

/// v4l2loopback has two buffers, and its writer alternates between them without waiting for the reader. Here
/// the reader starts long after both are full, so the next picture may already be arriving in the first.
@Suite("Late reads from a loopback device", .serialized, .tags(.kernel), .needs(KernelCameras.loopback))
struct LateFrameTests {
  private let node = KernelCameras.loopback ?? ""
  private static let interval = FrameInterval(1, 60)

  /// The simulated camera's picture with that number.
  private func picture(_ number: UInt32, _ format: PixelFormat = .mjpeg) throws -> [UInt8] {
    var picture = try SimulatedPicture(format: format, width: 320, height: 180)
    var bytes: [UInt8] = []
    picture.compose(frame: number) { span in bytes = span.indices.map { span[$0] } }
    return bytes
  }

  /// Opens the node, which has a frame, and takes its earlier frames.
  private func reader(_ format: PixelFormat = .mjpeg) throws -> V4L2Stream {
    let mode = Mode(fourcc: "\(format)", width: 320, height: 180, interval: Self.interval)
    var stream = try V4L2Camera(path: FilePath(node)).start(mode)
    try stream.begin()
    while case .frame = try stream.next(within: .milliseconds(100), { _ in }) {}
    return stream
  }

  /// The outcome of taking the next frame, and its bytes.
  private func take(
    from stream: inout V4L2Stream, meanwhile: () throws -> Void = {}
  ) throws -> (arrival: Arrival, bytes: [UInt8]) {
    var bytes: [UInt8] = []
    var failure: (any Error)?
    let arrival = try stream.next(within: .seconds(1)) { frame in
      bytes = frame.contiguousBytes.map(Array.init) ?? []
      do { try meanwhile() } catch { failure = error }
    }
    if let failure { throw failure }
    return (arrival, bytes)
  }

  private func write(_ frame: [UInt8], to output: borrowing VideoOutput) throws {
    try frame.withUnsafeBytes { try output.write($0) }
  }

  /// Opens the node to write to it, and writes a first frame.
  private func output(_ format: PixelFormat = .mjpeg) throws -> VideoOutput {
    let output = try VideoOutput(
      path: FilePath(node), format: format, width: 320, height: 180, largestFrame: 320 * 180 * 2,
      interval: Self.interval)
    try write(picture(0, format), to: output)
    return output
  }

  /// Fills both buffers, and waits until the next frame is due.
  private func fill(_ output: borrowing VideoOutput, _ frames: [[UInt8]]) throws {
    for frame in frames { try write(frame, to: output) }
    usleep(50_000)
  }

  @Test("accept a complete JPEG that does not change")
  func steady() throws {
    let frames = try [picture(1), picture(2)]
    let output = try output()
    var stream = try reader()
    try fill(output, frames)
    for frame in frames {
      let (arrival, bytes) = try take(from: &stream)
      #expect(arrival == .frame)
      #expect(bytes == frame)
    }
    try stream.stop()
  }

  @Test("drop a frame that a later picture may have replaced, but never the last one")
  func unknown() throws {
    let padded = try (1...2).map { try picture($0) + [0, 0] }
    let raw = try (1...2).map { try picture($0, .yuyv) }
    for (frames, format) in [(padded, PixelFormat.mjpeg), (raw, .yuyv)] {
      let output = try output(format)
      var stream = try reader(format)
      try fill(output, frames)
      #expect(try take(from: &stream).arrival == .overwritten)
      let (arrival, bytes) = try take(from: &stream)
      #expect(arrival == .frame)
      #expect(bytes == frames[1])
      try stream.stop()
    }
  }

  @Test("drop a JPEG if the next but one is written during the read")
  func refilled() throws {
    let third = try picture(3)
    let output = try output()
    var stream = try reader()
    try fill(output, [picture(1), picture(2)])
    #expect(try take(from: &stream) { try write(third, to: output) }.arrival == .overwritten)
    try stream.stop()
  }

  @Test("drop a JPEG if its writer begins to change it during the read")
  func changing() throws {
    let third = try picture(3)
    var writer = try LoopbackWriter(node, largestFrame: third.count + 4096)
    try writer.write(try picture(0), stamped: 0)
    var stream = try reader()
    try writer.write(try picture(1), stamped: 0)
    try writer.write(try picture(2), stamped: 0)
    usleep(50_000)
    #expect(
      try take(from: &stream) { writer.put(Array(third.prefix(third.count / 2))) }.arrival == .overwritten)
    try stream.stop()
  }
}
