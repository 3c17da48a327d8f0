package import Platform
package import CameraModel

/// A decoder from a camera's frames to small pictures, for previews and for motion detection.
///
/// JPEGs are decoded at 1/2, 1/4 or 1/8, which saves as much of the work, to planar luma and chroma in full
/// range, as in JFIF; only if 1/8 is still too large, they become red, green and blue. So do all other
/// frames, except those without colour, which become 8-bit luma. Use from one thread at a time.
package struct ReducedDecoder: ~Copyable {
  private let codec: VideoCodec
  private let width: Int
  private let height: Int
  private let color: ColorDescription
  private let fitting: Dimensions
  /// Whether every picture has exactly the size `fitting`.
  private let isExact: Bool
  private var jpegDecoder: JPEGDecoder
  private var demosaicer = Demosaicer()
  private var converter: PictureConverter

  /// Creates a decoder of frames of `codec`, either JPEGs or uncompressed.
  ///
  /// - Parameters:
  ///   - codec: the codec of the frames.
  ///   - width: the pixels across a frame.
  ///   - height: the pixels down a frame.
  ///   - color: the coding of its colours.
  ///   - fitting: the most columns and rows of a picture; at least one each. Pictures keep their proportions,
  ///     and are never enlarged.
  /// - Throws: `unsupported` if frames of `codec` depend on others, or cannot have this size.
  package init(
    _ codec: VideoCodec, width: Int, height: Int, color: ColorDescription, fitting: Dimensions
  ) throws(OvercrankError) {
    guard codec == .mjpeg || codec.layout != nil, JPEGEncoder.sides.contains(width),
      JPEGEncoder.sides.contains(height)
    else { throw OvercrankError(.unsupported, "frames of \(codec) \(width)x\(height) cannot be previewed.") }
    let size = Self.size(of: width, height, fitting: fitting)
    let isGray = codec.layout?.isGray ?? false
    let layout: PixelLayout = isGray ? .gray : .rgb24
    var target = codec == .mjpeg ? .jpeg : color
    target.range = .full
    let jpegDecoder = try JPEGDecoder(
      color: .jpeg, reduction: Self.reduction(of: width, height, fitting: fitting))
    // Cameras without colour use the full range, whatever default their drivers report.
    self.init(
      codec, width, height, isGray ? target : color, fitting, isExact: false, jpegDecoder,
      PictureConverter(width: size.width, height: size.height, color: target, layout: layout))
  }

  /// Creates a decoder to 8-bit luma in full range, in pictures of exactly `size`: each pixel is the mean of
  /// the area that it covers.
  ///
  /// - Parameters:
  ///   - codec: the codec of the frames.
  ///   - width: the pixels across a frame.
  ///   - height: the pixels down a frame.
  ///   - color: the coding of its colours.
  ///   - size: the columns and rows of each picture; at least one each.
  /// - Throws: `unsupported` if frames of `codec` depend on others, or cannot have this size.
  package init(
    lumaOf codec: VideoCodec, width: Int, height: Int, color: ColorDescription, size: Dimensions
  ) throws(OvercrankError) {
    guard codec == .mjpeg || codec.layout != nil, JPEGEncoder.sides.contains(width),
      JPEGEncoder.sides.contains(height)
    else { throw OvercrankError(.unsupported, "frames of \(codec) \(width)x\(height) cannot be reduced.") }
    let size = Dimensions(width: max(1, size.width), height: max(1, size.height))
    let reduction = [8, 4, 2].first { width / $0 >= size.width && height / $0 >= size.height } ?? 1
    let jpegDecoder = try JPEGDecoder(color: .jpeg, reduction: reduction)
    var target = codec == .mjpeg ? .jpeg : color
    target.range = .full
    self.init(
      codec, width, height, codec.layout?.isGray == true ? target : color, size, isExact: true, jpegDecoder,
      PictureConverter(width: Int(size.width), height: Int(size.height), color: target, layout: .gray))
  }

  /// Nothing in it throws: see the initializer of `OutputFile`.
  private init(
    _ codec: VideoCodec, _ width: Int, _ height: Int, _ color: ColorDescription, _ fitting: Dimensions,
    isExact: Bool, _ jpegDecoder: consuming JPEGDecoder, _ converter: consuming PictureConverter
  ) {
    self.codec = codec
    self.width = width
    self.height = height
    self.color = color
    self.fitting = fitting
    self.isExact = isExact
    self.jpegDecoder = jpegDecoder
    self.converter = converter
  }

  /// Decodes one frame.
  ///
  /// - Throws: `badData` if it is damaged or cut off; further frames may still be decoded.
  package mutating func decode(_ frame: Span<UInt8>) throws(OvercrankError) -> Picture {
    guard codec == .mjpeg else {
      let byteCount = codec.isWebcamCompression ? 0 : codec.byteCount(width: width, height: height)
      guard let layout = codec.layout, let byteCount, frame.count >= byteCount else {
        throw OvercrankError(
          .badData, "a frame of \(width)x\(height) \(codec) has only \(frame.count) bytes.")
      }
      let picture = try StillEncoder.picture(of: frame, codec, layout, width, height, color)
      return try converter.convert(try demosaicer.develop(picture))
    }
    let picture = try frame.bytes.withUnsafeBytes { bytes throws(OvercrankError) in
      try jpegDecoder.decode(bytes)
    }
    // Few frames are more than eight times as large as a preview.
    guard isExact || picture.width > Int(fitting.width) || picture.height > Int(fitting.height) else {
      return picture
    }
    return try converter.convert(picture)
  }

  /// Returns the reduction of a JPEG: the smallest that makes it fit, at most 8.
  static func reduction(of width: Int, _ height: Int, fitting: Dimensions) -> Int {
    [1, 2, 4].first { divisor in
      (width - 1) / divisor < Int(fitting.width) && (height - 1) / divisor < Int(fitting.height)
    } ?? 8
  }

  /// Returns the size of a picture of `width` x `height` reduced to fit.
  static func size(of width: Int, _ height: Int, fitting: Dimensions) -> (width: Int, height: Int) {
    let (mostColumns, mostRows) = (Int(max(1, fitting.width)), Int(max(1, fitting.height)))
    guard width > mostColumns || height > mostRows else { return (width, height) }
    // The side that must shrink more decides.
    if width * mostRows >= height * mostColumns {
      return (mostColumns, max(1, height * mostColumns / width))
    }
    return (max(1, width * mostRows / height), mostRows)
  }
}
