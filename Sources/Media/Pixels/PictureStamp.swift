internal import CLibAV

/// A line of white dots on a black box in the lower left of a picture.
public struct PictureStamp: Hashable, Sendable {
  /// What it says: digits, signs and units that the font has.
  public var text: String

  /// A stamp that says `text`.
  public init(_ text: String) { self.text = text }

  /// Pixels that a dot takes in a picture of this size: what a person reads at arm's length, and fits.
  private func scale(width: Int, height: Int) -> Int {
    let fitting = width / max(1, (text.utf8.count * DotFont.advance + 3))
    return max(1, min(fitting, max(2, height / 240)))
  }

  /// `picture` with the stamp on it; a copy where its memory is another's too.
  ///
  /// - Throws: ``MediaError/Code/unsupported`` for layouts that are not planar.
  public func applied(to picture: consuming Picture) throws(MediaError) -> Picture {
    let (layout, width, height) = (picture.layout, picture.width, picture.height)
    guard let descriptor = av_pix_fmt_desc_get(layout.format),
      descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_PLANAR) != 0 || layout.isGray,
      let planes = layout.planes(width: width, height: height)
    else { throw MediaError(.unsupported, "pictures of \(layout) cannot be stamped.") }
    guard av_frame_make_writable(picture.frame) >= 0 else { throw MediaError.outOfMemory("a picture") }
    let scale = scale(width: width, height: height)
    // Even, where chroma is coarser.
    let boxWidth = min(width, ((text.utf8.count * DotFont.advance + 3) * scale + 1) & ~1)
    let boxHeight = min(height, ((DotFont.rows + 4) * scale + 1) & ~1)
    let top = (height - boxHeight) & ~1
    let bits = layout.bitsPerSample
    let isFull = picture.color.range == .full || layout.isRGB
    let (black, white): (UInt16, UInt16) =
      isFull ? (0, UInt16(clamping: 1 << bits - 1)) : (16 << UInt16(bits - 8), 235 << UInt16(bits - 8))
    for (index, plane) in planes.enumerated() {
      guard let base = picture.planeBases[index] else { continue }
      let isChroma = !layout.isRGB && (index == 1 || index == 2)
      let (across, down) =
        isChroma ? (Int(descriptor.pointee.log2_chroma_w), Int(descriptor.pointee.log2_chroma_h)) : (0, 0)
      let canvas = Plane(
        base: base, stride: Int(picture.planeStrides[index]), columns: plane.bytesPerRow / (bits > 8 ? 2 : 1),
        rows: plane.rows, isDeep: bits > 8)
      canvas.fill(
        x: 0, y: top >> down, width: boxWidth >> across, height: (boxHeight + (1 << down) - 1) >> down,
        isChroma ? 1 << UInt16(bits - 1) : black)
      if !isChroma { write(on: canvas, top: top, scale: scale, white) }
    }
    return picture
  }

  private func write(on plane: Plane, top: Int, scale: Int, _ white: UInt16) {
    for (place, character) in text.utf8.enumerated() {
      for row in 0..<DotFont.rows {
        let dots = DotFont.dots(of: character, row: row)
        for column in 0..<DotFont.columns where dots >> UInt8(DotFont.columns - 1 - column) & 1 != 0 {
          plane.fill(
            x: (2 + place * DotFont.advance + column) * scale, y: top + (2 + row) * scale, width: scale,
            height: scale, white)
        }
      }
    }
  }

  /// The samples of one plane.
  private struct Plane {
    let base: UnsafeMutablePointer<UInt8>
    let stride: Int
    let columns: Int
    let rows: Int
    let isDeep: Bool

    /// Fills a rectangle, as far as it lies in the plane.
    func fill(x: Int, y: Int, width: Int, height: Int, _ value: UInt16) {
      let end = min(columns, x + width)
      guard x >= 0, y >= 0, x < end else { return }
      for row in y..<max(y, min(rows, y + height)) {
        let line = base + row * stride
        if isDeep {
          let line = UnsafeMutableRawPointer(line)
          for column in x..<end {
            line.storeBytes(of: value.littleEndian, toByteOffset: 2 * column, as: UInt16.self)
          }
        } else {
          (line + x).update(repeating: UInt8(truncatingIfNeeded: value), count: end - x)
        }
      }
    }
  }
}
