package import Platform
internal import CLibAV
internal import CPixels

/// A demosaicer from a Bayer mosaic to red, green and blue, with the linear filters of Malvar, He and Cutler
/// (ICASSP 2004): a missing colour is the mean of its neighbours, corrected by the Laplacian of the pixel's
/// own colour.
///
/// libswscale 6 uses only the mean, and its conversion from a mosaic to 4:2:0 gets saturated colours wrong by
/// up to 63 of 255.
/// Use from one thread at a time.
package struct Demosaicer: ~Copyable {
  private let development: RawDevelopment?
  private let isDeep: Bool
  private var pool = PicturePool()
  private var samples: UnsafeMutablePointer<Int32>?
  private var sampleCount = 0

  /// The pixels around a picture that its filters read.
  private static let margin = 2

  /// Creates a demosaicer for pictures of any size.
  ///
  /// - Parameters:
  ///   - development: the conversion from the sensor's values to a picture's; `nil` keeps them, and leaves
  ///     grey pictures unchanged.
  ///   - isDeep: whether developed samples have 16 bits rather than 8.
  package init(_ development: RawDevelopment? = nil, isDeep: Bool = false) {
    self.development = development
    self.isDeep = isDeep
  }

  deinit { samples?.deallocate() }

  /// Returns the picture with all colours at each pixel; the same picture if it is neither a mosaic nor grey
  /// to be developed.
  package mutating func develop(_ picture: Picture) throws(OvercrankError) -> Picture {
    let layout = picture.layout
    guard layout.redPlace != nil || development != nil && layout.isRaw,
      let source = picture.planeBases[0]
    else { return picture }
    var plane = cpixels_plane(
      base: source, stride: Int(picture.planeStrides[0]), width: Int32(clamping: picture.width),
      height: Int32(clamping: picture.height), bits: layout.sensorBits)
    guard let place = layout.redPlace else { return try developGrey(picture, &plane) }
    return try demosaic(picture, &plane, place)
  }

  private mutating func demosaic(
    _ picture: Picture, _ plane: inout cpixels_plane, _ place: (column: Int, row: Int)
  ) throws(OvercrankError) -> Picture {
    let (width, height) = (picture.width, picture.height)
    guard width >= 4, height >= 4 else {
      throw OvercrankError(
        .unsupported, "a Bayer mosaic of \(width)x\(height) is too small: the minimum is 4x4.")
    }
    let target = try pool.picture(
      layout: isDeep ? PixelLayout(AV_PIX_FMT_RGB48LE) : .rgb24, width: width, height: height,
      color: picture.color)
    let count = (width + 2 * Self.margin) * (height + 2 * Self.margin)
    if sampleCount != count {
      samples?.deallocate()
      sampleCount = count
      samples = .allocate(capacity: count)
    }
    guard let base = target.planeBases[0], let samples else { return target }
    var how = how(redColumn: place.column, redRow: place.row)
    cpixels_spread(&plane, &how, samples)
    for y in 0..<height {
      cpixels_demosaic_row(
        samples, plane.width, Int32(truncatingIfNeeded: y), &how, isDeep,
        base + y * Int(target.planeStrides[0]))
    }
    return target
  }

  private mutating func developGrey(
    _ picture: Picture, _ plane: inout cpixels_plane
  ) throws(OvercrankError) -> Picture {
    let target = try pool.picture(
      layout: isDeep ? PixelLayout(AV_PIX_FMT_GRAY16LE) : .gray, width: picture.width, height: picture.height,
      color: picture.color)
    guard let base = target.planeBases[0] else { return target }
    var how = how(redColumn: -1, redRow: -1)
    cpixels_develop_grey(&plane, &how, isDeep, base, Int(target.planeStrides[0]))
    return target
  }

  private borrowing func how(redColumn: Int, redRow: Int) -> cpixels_development {
    cpixels_development(
      development, redColumn: redColumn, redRow: redRow,
      RawCurve.curve(isLinear: development != nil, isDeep: isDeep))
  }
}
