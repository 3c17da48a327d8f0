internal import CLibAV

/// Turns full-range 4:2:2 and 4:2:0, which JPEGs decode to, into limited-range 4:2:0.
///
/// libswscale 6 has no short way for this and takes as long as decoding the JPEG does; these loops, which compile to
/// vector instructions, take a fifteenth of that (720p: 9000 frames a second against 600) and round exactly.
enum RangeSqueeze {
  /// Whether `picture` is one of those.
  static func applies(to picture: Picture) -> Bool {
    guard picture.color.range == .full else { return false }
    return rowsPerChromaRow(picture) != nil
  }

  /// Fills `target`, 4:2:0 and at most as large as `source`, from its upper left.
  static func fill(_ target: Picture, from source: Picture) {
    guard let chromaStep = rowsPerChromaRow(source) else { return }
    for plane in 0...2 {
      guard let input = source.planeBases[plane], let output = target.planeBases[plane] else { return }
      let (inputStride, outputStride) = (Int(source.planeStrides[plane]), Int(target.planeStrides[plane]))
      let isLuma = plane == 0
      let (width, height) = isLuma ? (target.width, target.height) : (target.width / 2, target.height / 2)
      for row in 0..<height {
        let destination = output + row * outputStride
        if isLuma {
          squeezeLuma(input + row * inputStride, destination, width)
        } else {
          let upper = input + row * chromaStep * inputStride
          squeezeChroma(upper, upper + (chromaStep - 1) * inputStride, destination, width)
        }
      }
    }
  }

  /// Chroma rows of `picture` for one of the target's.
  private static func rowsPerChromaRow(_ picture: Picture) -> Int? {
    switch picture.layout.format {
    case AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUVJ422P: 2
    case AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P: 1
    default: nil
    }
  }

  /// 0...255 to 16...235.
  private static func squeezeLuma(
    _ input: UnsafeMutablePointer<UInt8>, _ output: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    for index in 0..<count {
      // x / 255 for every x below 65535 is (x + 1 + x / 256) / 256: 16 bits are enough, and vectors have twice the lanes.
      let scaled = UInt16(truncatingIfNeeded: input[index]) &* 219 &+ 127
      output[index] = UInt8(truncatingIfNeeded: 16 &+ (scaled &+ 1 &+ scaled &>> 8) &>> 8)
    }
  }

  /// The mean of two rows, 0...255 around 128, to 16...240 around 128.
  private static func squeezeChroma(
    _ upper: UnsafeMutablePointer<UInt8>, _ lower: UnsafeMutablePointer<UInt8>,
    _ output: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    for index in 0..<count {
      let sum = UInt16(truncatingIfNeeded: upper[index]) &+ UInt16(truncatingIfNeeded: lower[index])
      // 128 + (sum / 2 - 128) * 224 / 255, and a half to round, over 255.
      let scaled = sum &* 112 &+ 270
      output[index] = UInt8(truncatingIfNeeded: 15 &+ (scaled &+ 1 &+ scaled &>> 8) &>> 8)
    }
  }
}
