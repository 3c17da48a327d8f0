package import Platform
internal import CLibAV

/// A converter from pictures of any layout and size to those of a clip; H.264 players expect 4:2:0, 8 bits,
/// limited range.
///
/// Luma and chroma in another matrix are converted to the clip's; so are red, green and blue. Use from one
/// thread at a time.
package struct PictureConverter: ~Copyable {
  private let width: Int32
  private let height: Int32
  private let color: ColorDescription
  private let layout: PixelLayout
  private var context: OpaquePointer?
  private var contextShape: Shape?
  private var pool = PicturePool()
  /// For pictures of few bits per colour, in bytes.
  private var widePool = PicturePool()

  /// Creates a converter to pictures of `width` x `height`, both even, in the colours and the range of a
  /// clip.
  package init(width: Int, height: Int, color: ColorDescription, layout: PixelLayout = .yuv420p) {
    self.width = Int32(width)
    self.height = Int32(height)
    self.color = color
    self.layout = layout
  }

  deinit { sws_freeContext(context) }

  /// Returns the picture in the clip's form; the same one if it already has it, or can be converted in place.
  ///
  /// - Throws: `unsupported` if libswscale cannot read its layout.
  package mutating func convert(_ picture: consuming Picture) throws(OvercrankError) -> Picture {
    let picture = try widened(picture)
    try RangeStretch.stretchLimitedRGB(picture)
    // An odd row or column, which 4:2:0 cannot have, is cropped rather than scaled.
    let sourceWidth = picture.frame.pointee.width == width + 1 ? width : picture.frame.pointee.width
    let sourceHeight = picture.frame.pointee.height == height + 1 ? height : picture.frame.pointee.height
    let isSameSize = sourceWidth == width && sourceHeight == height
    let isExactSize = picture.width == width && picture.height == height
    let isFull = color.range == .full
    let hasMatrix = matrix(of: picture) == color.matrix.coefficients
    if isExactSize, picture.layout == layout, hasMatrix, (picture.color.range == .full) == isFull {
      return picture
    }
    if isSameSize, hasMatrix, layout == .yuv420p, !isFull, RangeSqueeze.applies(to: picture) {
      RangeSqueeze.squeeze(picture, width: Int(width), height: Int(height), color: color)
      return picture
    }
    let target = try pool.picture(layout: layout, width: Int(width), height: Int(height), color: color)
    try scale(picture, sourceWidth, sourceHeight, to: target)
    return target
  }

  /// Returns the picture with bytes for colours of fewer bits; others as they are.
  private mutating func widened(_ picture: consuming Picture) throws(OvercrankError) -> Picture {
    guard let fields = PixelFields.byLayout[picture.layout], let base = picture.planeBases[0] else {
      return picture
    }
    let wide = try widePool.picture(
      layout: .rgb24, width: picture.width, height: picture.height, color: picture.color)
    fields.unpack(base, stride: Int(picture.planeStrides[0]), toRGB: wide)
    return wide
  }

  private mutating func scale(
    _ source: Picture, _ sourceWidth: Int32, _ sourceHeight: Int32, to target: Picture
  ) throws(OvercrankError) {
    _ = LibAVLog.silenced
    let shape = Shape(
      width: sourceWidth, height: sourceHeight, format: source.layout.format.rawValue,
      isFull: source.color.range == .full, matrix: matrix(of: source))
    if shape != contextShape {
      sws_freeContext(context)
      context = newContext(shape)
      contextShape = shape
    }
    guard let context else { throw cannotConvert(source) }
    let rows = sws_scale(
      context, source.planeBases.map { UnsafePointer($0) }, source.planeStrides, 0, sourceHeight,
      target.planeBases, target.planeStrides)
    guard rows == height else { throw cannotConvert(source) }
  }

  /// The parameters of a libswscale context.
  private struct Shape: Hashable {
    let width: Int32
    let height: Int32
    let format: Int32
    let isFull: Bool
    /// libswscale's number of the matrix.
    let matrix: Int32
  }

  /// Returns libswscale's number of the matrix of `picture`; the clip's for a picture without one.
  private borrowing func matrix(of picture: borrowing Picture) -> Int32 {
    let own = picture.color.matrix
    let hasNone = own == .unspecified || own == .rgb || picture.layout.isRGB || picture.layout.isGray
    return (hasNone ? color.matrix : own).coefficients
  }

  /// Creates a context with the ranges set initially: if they are set later, one without a change of
  /// subsampling only copies.
  private borrowing func newContext(_ shape: Shape) -> OpaquePointer? {
    guard let context = sws_alloc_context() else { return nil }
    let options: [(String, Int64)] = [
      ("srcw", Int64(shape.width)), ("srch", Int64(shape.height)), ("src_format", Int64(shape.format)),
      ("dstw", Int64(width)), ("dsth", Int64(height)), ("dst_format", Int64(layout.format.rawValue)),
      ("src_range", shape.isFull ? 1 : 0), ("dst_range", color.range == .full ? 1 : 0),
      ("sws_flags", Int64(SWS_BILINEAR | SWS_ACCURATE_RND)),
    ]
    for (name, value) in options { av_opt_set_int(UnsafeMutableRawPointer(context), name, value, 0) }
    guard sws_init_context(context, nil, nil) >= 0 else {
      sws_freeContext(context)
      return nil
    }
    let one: Int32 = 1 << 16
    sws_setColorspaceDetails(
      context, sws_getCoefficients(shape.matrix), shape.isFull ? 1 : 0,
      sws_getCoefficients(color.matrix.coefficients), color.range == .full ? 1 : 0, 0, one, one)
    return context
  }

  private borrowing func cannotConvert(_ source: Picture) -> OvercrankError {
    OvercrankError(.unsupported, "libswscale cannot convert \(source.layout) to \(layout).")
  }
}

extension ColorDescription.Matrix {
  /// libswscale's number of its coefficients, the same for all matrices with equal ones.
  fileprivate var coefficients: Int32 {
    switch AVColorSpace(rawValue) {
    case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M: Int32(AVCOL_SPC_SMPTE170M.rawValue)
    case AVCOL_SPC_BT2020_CL: Int32(AVCOL_SPC_BT2020_NCL.rawValue)
    default: Int32(clamping: rawValue)
    }
  }
}
