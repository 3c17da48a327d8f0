import CameraModel
import Platform

/// The frames of an H.264 mode: those of planar 4:2:0, written by ``H264Writer``.
final class H264Picture {
  private let picture: RawPicture
  private let writer: H264Writer
  /// The pixels of the latest frame.
  private var frame: FrameMemory
  /// Those of the frame before it.
  private var former: FrameMemory
  private let stream: FrameMemory
  /// The frame in `frame`; `nil` at first.
  private var number: UInt32?

  /// Prerenders the frames.
  ///
  /// - Throws: `OvercrankError` with `noMode` if such frames cannot be drawn, and `cancelled` if `stop` cancels the
  ///   drawing.
  init(
    width: Int, height: Int, conditions: SceneConditions, _ stop: DrawingStop
  ) throws(OvercrankError) {
    guard width % 2 == 0, height % 2 == 0, !conditions.hasFlashes,
      let picture = try RawPicture(
        format: .yuv420, width: width, height: height, conditions: conditions, stop)
    else {
      throw OvercrankError(
        .noMode, "a simulated camera draws H264 only with even sides and without flash=")
    }
    let byteCount = picture.byteCount
    self.picture = picture
    writer = H264Writer(width: width, height: height)
    frame = FrameMemory(count: byteCount)
    former = FrameMemory(count: byteCount)
    stream = FrameMemory(count: writer.largestByteCount)
  }

  var largestByteCount: Int { writer.largestByteCount }

  /// Composes frame `number`; its bytes are valid until the next call.
  ///
  /// A frame that is not dequeued was sent all the same: the next one depends on it.
  func compose(_ number: UInt32) -> UnsafeRawBufferPointer {
    if number % H264Writer.keyframeInterval != 0, self.number != number &- 1 { draw(number &- 1) }
    swap(&frame, &former)
    draw(number)
    let target = stream.base.assumingMemoryBound(to: UInt8.self)
    let count = writer.write(
      number, frame.base.assumingMemoryBound(to: UInt8.self),
      after: former.base.assumingMemoryBound(to: UInt8.self), to: target)
    return UnsafeRawBufferPointer(start: target, count: count)
  }

  private func draw(_ number: UInt32) {
    if let bytes = picture.compose(number, white: []).baseAddress {
      frame.base.copyMemory(from: bytes, byteCount: picture.byteCount)
    }
    self.number = number
  }
}
