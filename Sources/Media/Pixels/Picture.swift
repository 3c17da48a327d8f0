import Platform
internal import CLibAV

/// One uncompressed picture.
///
/// Sendable because its pixels are written only before it is shared: any number of tasks may read it at once.
public final class Picture: @unchecked Sendable {
  let frame: UnsafeMutablePointer<AVFrame>

  /// Creates a picture without pixels, for libav to fill.
  init() throws(OvercrankError) {
    guard let frame = av_frame_alloc() else { throw OvercrankError.outOfMemory("a picture") }
    self.frame = frame
  }

  deinit {
    var frame: UnsafeMutablePointer<AVFrame>? = frame
    av_frame_free(&frame)
  }

  /// The layout of the pixels in memory.
  public var layout: PixelLayout { PixelLayout(code: frame.pointee.format) }
  /// The pixels per row.
  public var width: Int { Int(frame.pointee.width) }
  /// The number of rows.
  public var height: Int { Int(frame.pointee.height) }
  /// The colours of the pixels.
  public var color: ColorDescription {
    ColorDescription(
      frame.pointee.color_primaries, frame.pointee.color_trc, frame.pointee.colorspace,
      frame.pointee.color_range)
  }
  /// The time at which it is shown, in ticks of its source's time base; `nil` if unknown.
  ///
  /// libav's guess counts only where the source states no time: after one faulty time it takes those of
  /// decoding, which come in another order.
  public var timestamp: Int64? {
    [frame.pointee.pts, frame.pointee.best_effort_timestamp].first { $0 != clibav_no_timestamp() }
  }
  /// Whether the decoder had to conceal missing parts.
  public var isDamaged: Bool {
    frame.pointee.decode_error_flags != 0 || frame.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
  }

  /// Makes it a damaged picture.
  func markDamaged() { frame.pointee.decode_error_flags |= FF_DECODE_ERROR_CONCEALMENT_ACTIVE }

  /// Calls `body` with row `row` of plane `plane`, without padding; it is valid only during the call.
  ///
  /// - Precondition: the plane and the row exist.
  public func withRow<Result>(_ row: Int, plane: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    guard let planes = layout.planes(width: width, height: height), planes.indices.contains(plane),
      (0..<planes[plane].rows).contains(row), let base = planeBases[plane]
    else { preconditionFailure("this \(layout) picture has no row \(row) in plane \(plane)") }
    let start = base + row * Int(planeStrides[plane])
    return body(UnsafeBufferPointer(start: start, count: planes[plane].bytesPerRow).span)
  }
}

extension Picture {
  /// The first byte of each plane.
  var planeBases: [UnsafeMutablePointer<UInt8>?] {
    let data = frame.pointee.data
    return [data.0, data.1, data.2, data.3]
  }

  /// The bytes from one row to the next in each plane.
  var planeStrides: [Int32] {
    let sizes = frame.pointee.linesize
    return [sizes.0, sizes.1, sizes.2, sizes.3]
  }

  /// Passes `body` the fields in which libav stores the planes and their strides.
  func withPlanes(
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<Int32>) -> Void
  ) {
    withUnsafeMutablePointer(to: &frame.pointee.linesize) { strides in
      strides.withMemoryRebound(to: Int32.self, capacity: 8) { strides in
        if let planes = frame.pointee.extended_data { body(planes, strides) }
      }
    }
  }

  func set(_ color: ColorDescription) {
    frame.pointee.color_primaries = color.libavPrimaries
    frame.pointee.color_trc = color.libavTransfer
    frame.pointee.colorspace = color.libavMatrix
    frame.pointee.color_range = color.libavRange
  }
}
