package import Platform
internal import CLibAV

/// Chooses the 255 colours that show given pictures best, and leaves one for pixels that do not change.
///
/// Use from one thread at a time.
package struct PaletteMaker: ~Copyable {
  private let graph: FilterGraph
  private let lent: Picture
  private var converter: PictureConverter
  private var count: Int64 = 0
  private static let purpose = "a GIF"
  private static let remedy = "Choose another format, such as .webp."

  /// Creates a maker for pictures of `width` x `height`, both even, in `color`.
  ///
  /// - Throws: `unsupported` if libavfilter cannot be used.
  package init(width: Int, height: Int, color: ColorDescription) throws(OvercrankError) {
    let graph = try FilterGraph(
      pictures: [(.bgra, width, height)], "[in0]palettegen=stats_mode=full", for: Self.purpose, Self.remedy)
    let lent = try Picture()
    (self.graph, self.lent) = (graph, lent)
    converter = PictureConverter(width: width, height: height, color: color, layout: .bgra)
  }

  /// Counts the colours of `picture`.
  package mutating func add(_ picture: Picture) throws(OvercrankError) {
    try lent.borrow(converter.convert(picture), at: count)
    count += 1
    guard graph.push(lent) >= 0 else { throw OvercrankError.outOfMemory(Self.purpose) }
  }

  /// Returns the palette, as a picture of 16 x 16 pixels.
  package consuming func palette() throws(OvercrankError) -> Picture {
    graph.pushEnd()
    let palette = try Picture()
    guard try graph.pull(into: palette) else {
      throw OvercrankError(
        .badData, "the colours of a GIF cannot be chosen, because no picture can be decoded.")
    }
    return palette
  }
}

/// Converts pictures for encoders that need red, green and blue, or numbers of a palette's colours.
struct PictureIndexer: ~Copyable {
  private var converter: PictureConverter
  private var graph: FilterGraph?
  private let lent: Picture
  private var count: Int64 = 0

  /// Creates a converter to `layout`, and then to the colours of `graph`.
  private init(_ converter: consuming PictureConverter, _ graph: FilterGraph?, _ lent: Picture) {
    (self.graph, self.lent) = (graph, lent)
    self.converter = converter
  }

  /// Returns the converter for an encoder of `kind`; `nil` if it needs none.
  static func forEncoder(
    of kind: VideoEncoder.Kind, width: Int, height: Int, color: ColorDescription, _ palette: Picture?
  ) throws(OvercrankError) -> PictureIndexer? {
    func converter(_ layout: PixelLayout) -> PictureConverter {
      PictureConverter(width: width, height: height, color: color, layout: layout)
    }
    let lent = try Picture()
    guard kind == .gif else { return kind == .apng ? PictureIndexer(converter(.rgb24), nil, lent) : nil }
    guard let palette else {
      throw OvercrankError(.unsupported, "a GIF needs a palette, and none was made.")
    }
    // Ordered dither does not move from frame to frame, as that by error diffusion does, so pixels that do not
    // change take no space.
    let graph = try FilterGraph(
      pictures: [(.bgra, width, height), (.bgra, palette.width, palette.height)],
      "[in0][in1]paletteuse=dither=bayer:bayer_scale=5:diff_mode=rectangle", for: "a GIF",
      "Choose another format, such as .webp.")
    try lent.borrow(palette, at: 0)
    guard graph.push(lent, to: 1) >= 0 else { throw OvercrankError.outOfMemory("a GIF") }
    graph.pushEnd(of: 1)
    return PictureIndexer(converter(.bgra), graph, lent)
  }

  /// Returns `picture` in the encoder's form.
  mutating func convert(_ picture: Picture) throws(OvercrankError) -> Picture {
    let converted = try converter.convert(picture)
    guard let graph else { return converted }
    try lent.borrow(converted, at: count)
    count += 1
    let indexed = try Picture()
    guard graph.push(lent) >= 0, try graph.pull(into: indexed) else {
      throw OvercrankError.outOfMemory("a GIF")
    }
    return indexed
  }
}

extension VideoEncoder.Kind {
  /// Returns the layout in which the encoder takes pictures of `layout`.
  func codedLayout(of layout: PixelLayout) -> PixelLayout {
    switch self {
    case .gif: PixelLayout(AV_PIX_FMT_PAL8)
    case .apng: .rgb24
    default: layout
    }
  }
}

extension Picture {
  /// Makes this picture refer to the pixels of `other`, for a filter that takes them.
  fileprivate func borrow(_ other: Picture, at timestamp: Int64) throws(OvercrankError) {
    av_frame_unref(frame)
    guard av_frame_ref(frame, other.frame) >= 0 else { throw OvercrankError.outOfMemory("a picture") }
    frame.pointee.pts = timestamp
  }
}

extension PixelLayout {
  /// Packed 32-bit, blue first, as palettes have it.
  fileprivate static let bgra = PixelLayout(AV_PIX_FMT_BGRA)
}
