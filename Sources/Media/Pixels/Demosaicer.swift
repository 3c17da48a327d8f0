internal import CLibAV

/// Makes red, green and blue pixels of a Bayer mosaic, by the linear filters of Malvar, He and Cutler (ICASSP 2004):
/// what a pixel lacks is the mean of its neighbours, corrected by how far its own colour bends there.
///
/// libswscale 6 takes the mean alone, and its way from a mosaic to 4:2:0 gets saturated colours wrong by up to 63 of 255.
/// Use from one thread at a time.
public struct Demosaicer: ~Copyable {
  private var pool = PicturePool()
  private var samples: UnsafeMutablePointer<Int32>?
  private var sampleCount = 0

  /// The pixels around a picture that its filters look at.
  private static let margin = 2

  /// A demosaicer of pictures of any size.
  public init() {}

  deinit { samples?.deallocate() }

  /// The picture with all colours at each pixel, in 8 bits; the same one where it is no mosaic.
  public mutating func develop(_ picture: Picture) throws(MediaError) -> Picture {
    guard let mosaic = Mosaic(picture.layout) else { return picture }
    let (width, height) = (picture.width, picture.height)
    guard width >= 4, height >= 4 else {
      throw MediaError(.unsupported, "a Bayer mosaic of \(width)x\(height) is too small. It takes 4x4.")
    }
    let target = try pool.picture(layout: .rgb24, width: width, height: height, color: picture.color)
    guard let base = target.planeBases[0], let source = picture.planeBases[0] else { return target }
    let stride = width + 2 * Self.margin
    if sampleCount != stride * (height + 2 * Self.margin) {
      samples?.deallocate()
      sampleCount = stride * (height + 2 * Self.margin)
      samples = .allocate(capacity: sampleCount)
    }
    guard let samples else { return target }
    mosaic.read(source, Int(picture.planeStrides[0]), width, height, to: samples, stride, Self.margin)
    for y in 0..<height {
      let row = samples + (y + Self.margin) * stride + Self.margin
      mosaic.fill(base + y * Int(target.planeStrides[0]), from: row, stride, width: width, y: y)
    }
    return target
  }
}

/// Which colour lies where in a mosaic, and in how many bytes.
private struct Mosaic {
  /// Where in each square of four pixels red lies.
  let redColumn: Int
  let redRow: Int
  let isWide: Bool

  init?(_ layout: PixelLayout) {
    switch layout.format {
    case AV_PIX_FMT_BAYER_RGGB8, AV_PIX_FMT_BAYER_RGGB16LE: (redColumn, redRow) = (0, 0)
    case AV_PIX_FMT_BAYER_GRBG8, AV_PIX_FMT_BAYER_GRBG16LE: (redColumn, redRow) = (1, 0)
    case AV_PIX_FMT_BAYER_GBRG8, AV_PIX_FMT_BAYER_GBRG16LE: (redColumn, redRow) = (0, 1)
    case AV_PIX_FMT_BAYER_BGGR8, AV_PIX_FMT_BAYER_BGGR16LE: (redColumn, redRow) = (1, 1)
    default: return nil
    }
    isWide = layout.format.rawValue >= AV_PIX_FMT_BAYER_BGGR16LE.rawValue
  }

  /// Spreads the samples out with a mirrored margin, in which each colour stays in its place.
  func read(
    _ source: UnsafePointer<UInt8>, _ sourceStride: Int, _ width: Int, _ height: Int,
    to samples: UnsafeMutablePointer<Int32>, _ stride: Int, _ margin: Int
  ) {
    for y in -margin..<height + margin {
      let row = source + mirrored(y, height) * sourceStride
      let target = samples + (y + margin) * stride + margin
      var x = 0
      while x < width {
        target[x] = isWide ? Int32(row[2 * x]) | Int32(row[2 * x + 1]) << 8 : Int32(row[x]) * 257
        x += 1
      }
      for x in [-2, -1, width, width + 1] { target[x] = target[mirrored(x, width)] }
    }
  }

  private func mirrored(_ place: Int, _ count: Int) -> Int {
    place < 0 ? -place : place >= count ? 2 * (count - 1) - place : place
  }

  // Every pixel passes here, in debug builds too: a `while` loop and bare pointers.
  func fill(
    _ target: UnsafeMutablePointer<UInt8>, from row: UnsafeMutablePointer<Int32>, _ stride: Int, width: Int,
    y: Int
  ) {
    let isRedRow = y & 1 == redRow
    var x = 0
    while x < width {
      let at = row + x
      let own = at[0]
      let beside = at[-1] &+ at[1]
      let above = at[-stride] &+ at[stride]
      let farBeside = at[-2] &+ at[2]
      let farAbove = at[-2 &* stride] &+ at[2 &* stride]
      let corners = at[-stride &- 1] &+ at[-stride &+ 1] &+ at[stride &- 1] &+ at[stride &+ 1]
      let isRedColumn = x & 1 == redColumn
      let pixel = target + 3 * x
      if isRedRow == isRedColumn {
        // Red or blue: green from the cross, the opposite from the corners.
        let green = 8 &* own &+ 4 &* (beside &+ above) &- 2 &* (farBeside &+ farAbove)
        let opposite = 12 &* own &+ 4 &* corners &- 3 &* (farBeside &+ farAbove)
        pixel[isRedRow ? 0 : 2] = Self.byte(own &* 16)
        pixel[1] = Self.byte(green)
        pixel[isRedRow ? 2 : 0] = Self.byte(opposite)
      } else {
        let level = 10 &* own &- 2 &* corners
        let acrossRow = level &+ 8 &* beside &- 2 &* farBeside &+ farAbove
        let alongColumn = level &+ 8 &* above &- 2 &* farAbove &+ farBeside
        pixel[isRedRow ? 0 : 2] = Self.byte(acrossRow)
        pixel[1] = Self.byte(own &* 16)
        pixel[isRedRow ? 2 : 0] = Self.byte(alongColumn)
      }
      x += 1
    }
  }

  /// Sixteenths of 16 bits to 8 bits.
  private static func byte(_ value: Int32) -> UInt8 {
    let clamped = min(max((value &+ 8) >> 4, 0), 65_535)
    return UInt8(truncatingIfNeeded: (clamped &+ 128 &- clamped >> 8) >> 8)
  }
}
