internal import CLibAV

/// A conversion from full-range 4:2:2 and 4:2:0, to which JPEGs decode, to limited-range 4:2:0, in the
/// picture's own memory.
///
/// libswscale 6 has no fast path for this and takes as long as decoding the JPEG; these loops, which compile
/// to vector instructions, take a fifteenth of that (720p: 9000 frames a second against 600) and round
/// exactly.
enum RangeSqueeze {
  /// Returns whether `picture` has such a layout and its pixels are not shared.
  static func applies(to picture: Picture) -> Bool {
    guard picture.color.range == .full, av_frame_is_writable(picture.frame) > 0 else { return false }
    return rowsPerChromaRow(picture) != nil
  }

  /// Converts `picture` to `width` x `height`, even and at most its own size, in `color`.
  static func squeeze(_ picture: Picture, width: Int, height: Int, color: ColorDescription) {
    guard let chromaStep = rowsPerChromaRow(picture) else { return }
    for plane in 0...2 {
      guard let base = picture.planeBases[plane] else { return }
      let stride = Int(picture.planeStrides[plane])
      let (columns, rows) = plane == 0 ? (width, height) : (width / 2, height / 2)
      for row in 0..<rows {
        let output = base + row * stride
        // No row is written before it has been read: the rows still to be read lie further on, or are the
        // same.
        switch (plane, chromaStep) {
        case (0, _): squeezeLuma(output, columns)
        case (_, 1): squeezeChroma(output, columns)
        default: squeezeChroma(base + 2 * row * stride, base + (2 * row + 1) * stride, output, columns)
        }
      }
    }
    picture.frame.pointee.format = PixelLayout.yuv420p.code
    picture.frame.pointee.width = Int32(width)
    picture.frame.pointee.height = Int32(height)
    picture.set(color)
  }

  /// Returns the chroma rows of `picture` per row of the target's.
  private static func rowsPerChromaRow(_ picture: Picture) -> Int? {
    switch picture.layout.format {
    case AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUVJ422P: 2
    case AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P: 1
    default: nil
    }
  }

  /// Maps 0...255 to 16...235.
  private static func squeezeLuma(_ samples: UnsafeMutablePointer<UInt8>, _ count: Int) {
    for index in 0..<count {
      // x / 255 for every x below 65535 is (x + 1 + x / 256) / 256: 16 bits suffice, and vectors have twice
      // the lanes.
      let scaled = UInt16(truncatingIfNeeded: samples[index]) &* 219 &+ 127
      samples[index] = UInt8(truncatingIfNeeded: 16 &+ (scaled &+ 1 &+ scaled &>> 8) &>> 8)
    }
  }

  /// Maps 0...255 around 128 to 16...240 around 128.
  private static func squeezeChroma(_ samples: UnsafeMutablePointer<UInt8>, _ count: Int) {
    for index in 0..<count {
      samples[index] = squeezedChroma(2 &* UInt16(truncatingIfNeeded: samples[index]))
    }
  }

  /// Maps the mean of two rows in the same way.
  private static func squeezeChroma(
    _ upper: UnsafeMutablePointer<UInt8>, _ lower: UnsafeMutablePointer<UInt8>,
    _ output: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    for index in 0..<count {
      output[index] = squeezedChroma(
        UInt16(truncatingIfNeeded: upper[index]) &+ UInt16(truncatingIfNeeded: lower[index]))
    }
  }

  /// Returns the mapped mean of two samples, given their sum.
  @inline(__always)
  private static func squeezedChroma(_ sum: UInt16) -> UInt8 {
    // 128 + (sum / 2 - 128) * 224 / 255, and a half to round, over 255.
    let scaled = sum &* 112 &+ 270
    return UInt8(truncatingIfNeeded: 15 &+ (scaled &+ 1 &+ scaled &>> 8) &>> 8)
  }
}
