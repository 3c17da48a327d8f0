package import Platform
internal import CLibAV

/// A picture of red, green and blue bytes to draw on.
package struct PictureCanvas: ~Copyable {
  /// The height of a line of text at scale 1, in rows.
  package static let textHeight = DotFont.rows

  private let picture: Picture

  /// Creates a canvas of one shade of grey.
  ///
  /// - Throws: `OvercrankError` if memory runs out.
  package init(width: Int, height: Int, shade: UInt8) throws(OvercrankError) {
    var color = ColorDescription.jpeg
    color.range = .full
    var pool = PicturePool()
    picture = try pool.picture(layout: .rgb24, width: width, height: height, color: color)
    fill(x: 0, y: 0, width: width, height: height, shade: shade)
  }

  /// Fills the part of a rectangle that lies on the canvas.
  package func fill(x: Int, y: Int, width: Int, height: Int, shade: UInt8) {
    let (left, right) = (max(0, x), min(picture.width, x + width))
    guard left < right, let base = picture.planeBases[0] else { return }
    for row in max(0, y)..<max(0, y, min(picture.height, y + height)) {
      let line = base + row * Int(picture.planeStrides[0])
      (line + 3 * left).update(repeating: shade, count: 3 * (right - left))
    }
  }

  /// Draws the part of a picture of red, green and blue bytes that lies on the canvas.
  package func draw(_ other: Picture, x: Int, y: Int) {
    guard other.layout == .rgb24, x >= 0, y >= 0, let base = picture.planeBases[0],
      let source = other.planeBases[0]
    else { return }
    let count = min(other.width, picture.width - x)
    guard count > 0 else { return }
    for row in 0..<max(0, min(other.height, picture.height - y)) {
      (base + (y + row) * Int(picture.planeStrides[0]) + 3 * x).update(
        from: source + row * Int(other.planeStrides[0]), count: 3 * count)
    }
  }

  /// Writes `text`, each dot of the font `scale` pixels wide and high.
  package func write(_ text: String, x: Int, y: Int, scale: Int, shade: UInt8) {
    for (place, character) in text.utf8.enumerated() {
      for row in 0..<DotFont.rows {
        let dots = DotFont.dots(of: character, row: row)
        for column in 0..<DotFont.columns where dots >> UInt8(DotFont.columns - 1 - column) & 1 != 0 {
          fill(
            x: x + (place * DotFont.advance + column) * scale, y: y + row * scale, width: scale,
            height: scale,
            shade: shade)
        }
      }
    }
  }

  /// Returns the drawing.
  package consuming func finished() -> Picture { picture }
}
