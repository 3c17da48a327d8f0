/// A picture in memory, with three channels per pixel.
struct Canvas {
  let width: Int
  let height: Int
  let model: ColourModel
  /// The pixels, row by row from the top left.
  var pixels: [Pixel]

  init(width: Int, height: Int, model: ColourModel, filledWith pixel: Pixel) {
    self.width = width
    self.height = height
    self.model = model
    self.pixels = Array(repeating: pixel, count: width * height)
  }

  /// Fills the part of `area` inside the picture.
  mutating func fill(_ area: Area, with colour: Colour) {
    let pixel = model.pixel(colour)
    let inside = area.clamped(width: width, height: height)
    for row in inside.rows {
      for column in inside.columns { pixels[row * width + column] = pixel }
    }
  }

  /// Copies the part of `area` inside the picture from `other`, a picture of the same size.
  mutating func restore(_ area: Area, from other: Canvas) {
    let inside = area.clamped(width: width, height: height)
    for row in inside.rows {
      let range = row * width + inside.columns.lowerBound..<row * width + inside.columns.upperBound
      pixels.replaceSubrange(range, with: other.pixels[range])
    }
  }

  /// Draws `colour` in `area`; `coverage` returns the opacity, from 0 to 1, at a pixel's centre.
  mutating func draw(in area: Area, _ colour: Colour, coverage: (_ x: Double, _ y: Double) -> Double) {
    let pixel = model.pixel(colour)
    let inside = area.clamped(width: width, height: height)
    for row in inside.rows {
      for column in inside.columns {
        let share = min(max(coverage(Double(column) + 0.5, Double(row) + 0.5), 0), 1)
        if share > 0 {
          let index = row * width + column
          pixels[index] = pixels[index].covered(by: pixel, coverage: UInt8(share * 255))
        }
      }
    }
  }
}

/// A rectangle of pixels.
struct Area: Equatable {
  var columns: Range<Int>
  var rows: Range<Int>

  /// Returns the part of the area inside a picture of this size.
  func clamped(width: Int, height: Int) -> Area {
    Area(columns: columns.clamped(to: 0..<width), rows: rows.clamped(to: 0..<height))
  }

  /// Returns the smallest area that contains this one and whose edges are multiples of `unit`; the area's
  /// edges must not be negative.
  func widened(toMultiplesOf unit: Int) -> Area {
    func widened(_ range: Range<Int>) -> Range<Int> {
      range.lowerBound / unit * unit..<(range.upperBound + unit - 1) / unit * unit
    }
    return Area(columns: widened(columns), rows: widened(rows))
  }

  /// The area without pixels.
  static let empty = Area(columns: 0..<0, rows: 0..<0)

  var isEmpty: Bool { columns.isEmpty || rows.isEmpty }
}
