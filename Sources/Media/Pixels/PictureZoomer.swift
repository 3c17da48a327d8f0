package import Platform
internal import CLibAV
internal import CPixels

/// A part of a picture, in pixels from its upper left corner; its edges may lie within pixels.
package struct PictureWindow: Hashable, Sendable {
  /// The distance from the picture's left edge to the part's.
  package var x: Double
  /// The distance from the picture's upper edge to the part's.
  package var y: Double
  /// The width in pixels.
  package var width: Double
  /// The height in pixels.
  package var height: Double

  /// Creates a part of a picture.
  package init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// A zoomer that scales parts of planar pictures to a clip's size, exact to fractions of a pixel; libswscale
/// crops to whole ones.
///
/// The filter is Lanczos with three lobes. Use from one thread at a time.
package struct PictureZoomer: ~Copyable {
  private let width: Int
  private let height: Int
  private let isChromaLeft: Bool
  private var pool = PicturePool()

  /// Creates a zoomer to pictures of `width` x `height`, both even.
  ///
  /// - Parameters:
  ///   - width: the pixels per row.
  ///   - height: the number of rows.
  ///   - isChromaLeft: whether a chroma sample for two pixels of a row lies on the first of them, as in
  ///     video, rather than between them, as in JPEGs.
  package init(width: Int, height: Int, isChromaLeft: Bool = false) {
    self.width = width
    self.height = height
    self.isChromaLeft = isChromaLeft
  }

  /// Returns the part of `picture` in `window`, in the clip's size; the same picture if that is all of it in
  /// its own size.
  ///
  /// - Throws: `OvercrankError` if memory runs out, or `picture` is not planar.
  /// - Precondition: `window` is not empty. Any part of it outside the picture repeats the picture's edge.
  package mutating func zoom(_ picture: Picture, to window: PictureWindow) throws(OvercrankError) -> Picture {
    precondition(window.width > 0 && window.height > 0, "a part of a picture must not be empty")
    if picture.width == width, picture.height == height,
      window == PictureWindow(x: 0, y: 0, width: Double(width), height: Double(height))
    {
      return picture
    }
    let layout = picture.layout
    guard let descriptor = av_pix_fmt_desc_get(layout.format),
      av_pix_fmt_count_planes(layout.format) == Int32(descriptor.pointee.nb_components),
      let planes = layout.planes(width: picture.width, height: picture.height),
      let targetPlanes = layout.planes(width: width, height: height)
    else { throw OvercrankError(.unsupported, "a picture of \(layout) cannot be zoomed without conversion.") }
    let bits = layout.bitsPerSample
    let sampleSize = bits > 8 ? 2 : 1
    let target = try pool.picture(layout: layout, width: width, height: height, color: picture.color)
    for (index, (plane, targetPlane)) in zip(planes, targetPlanes).enumerated() {
      guard let base = picture.planeBases[index], let targetBase = target.planeBases[index] else { continue }
      let isChroma = index == 1 || index == 2
      let across = Double(1 << (isChroma ? descriptor.pointee.log2_chroma_w : 0))
      let down = Double(1 << (isChroma ? descriptor.pointee.log2_chroma_h : 0))
      // A sample on the first of its pixels lies a quarter of a sample left of the middle, here and in the
      // target.
      let scale = window.width / Double(width)
      let shift = isChromaLeft && across > 1 ? 0.25 * (1 - scale) : 0
      var part = cpixels_window(
        left: window.x / across + shift, top: window.y / down, width: window.width / across,
        height: window.height / down)
      var samples = cpixels_plane(
        base: base, stride: Int(picture.planeStrides[index]),
        width: Int32(clamping: plane.bytesPerRow / sampleSize), height: Int32(clamping: plane.rows),
        bits: bits)
      guard
        cpixels_zoom(
          &samples, &part, targetBase, Int(target.planeStrides[index]),
          Int32(clamping: targetPlane.bytesPerRow / sampleSize), Int32(clamping: targetPlane.rows))
      else { throw OvercrankError.outOfMemory("a picture of \(width)x\(height)") }
    }
    return target
  }
}
