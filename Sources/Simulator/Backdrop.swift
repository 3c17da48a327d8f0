import Platform

/// The still part of the picture: a grainy wall with colour patches on its left and fine lines on its right.
enum Backdrop {
  private static let patches: [Colour] = [
    Colour(0.45, 0.32, 0.26), Colour(0.76, 0.58, 0.51), Colour(0.38, 0.48, 0.61), Colour(0.35, 0.42, 0.26),
    Colour(0.84, 0.48, 0.17), Colour(0.28, 0.36, 0.65), Colour(0.76, 0.33, 0.38), Colour(0.36, 0.23, 0.42),
    Colour(0.62, 0.74, 0.25), Colour(0.88, 0.64, 0.18), Colour(0.16, 0.24, 0.58), Colour(0.27, 0.58, 0.29),
    Colour(0.69, 0.21, 0.23), Colour(0.91, 0.78, 0.12), Colour(0.73, 0.33, 0.58), Colour(0.02, 0.52, 0.63),
    Colour(0.95, 0.95, 0.95), Colour(0.62, 0.62, 0.62), Colour(0.34, 0.34, 0.34), Colour(0.12, 0.12, 0.12),
  ]

  /// The amplitude of the wall's grain, which makes the JPEGs as large as a webcam's.
  private static let grainStrength = 0.02

  /// Returns the still picture; above `below` it is plain, for the overlay.
  ///
  /// - Parameter isOther: Whether to draw the other scene: tiles instead of the wall, with nothing on them.
  static func canvas(
    width: Int, height: Int, below: Area, isOther: Bool = false, model: ColourModel, _ stop: DrawingStop
  ) throws(OvercrankError) -> Canvas {
    let ground = model.grey(luma: FrameCounterOverlay.ground)
    var canvas = Canvas(width: width, height: height, model: model, filledWith: ground)
    guard !isOther else {
      try drawTiles(on: &canvas, below, stop)
      return canvas
    }
    try drawWall(on: &canvas, below, stop)
    let margin = max(4, width / 40)
    let top = below.rows.lowerBound + margin
    let rows = top..<max(top, height - margin)
    drawPatches(on: &canvas, Area(columns: margin..<margin + width / 6, rows: rows))
    try drawLines(on: &canvas, Area(columns: width - margin - width / 8..<width - margin, rows: rows), stop)
    return canvas
  }

  private static func drawWall(on canvas: inout Canvas, _ area: Area, _ stop: DrawingStop)
    throws(OvercrankError)
  {
    var grain = Grain(seed: 1)
    let (top, bottom) = (Colour(0.33, 0.43, 0.5), Colour(0.13, 0.16, 0.2))
    for row in area.rows {
      try stop.check()
      let depth = Double(row - area.rows.lowerBound) / Double(area.rows.count)
      let colour = top.mixed(with: bottom, share: depth)
      for column in area.columns {
        canvas.pixels[row * canvas.width + column] = canvas.model.pixel(
          colour.lightened(by: grain.next() * grainStrength))
      }
    }
  }

  private static func drawTiles(on canvas: inout Canvas, _ area: Area, _ stop: DrawingStop)
    throws(OvercrankError)
  {
    let (width, height) = (max(1, area.columns.count / 6), max(1, area.rows.count / 4))
    for (column, left) in stride(from: area.columns.lowerBound, to: area.columns.upperBound, by: width)
      .enumerated()
    {
      for (row, top) in stride(from: area.rows.lowerBound, to: area.rows.upperBound, by: height).enumerated()
      {
        try stop.check()
        let tile = Area(
          columns: left..<min(left + width, area.columns.upperBound),
          rows: top..<min(top + height, area.rows.upperBound))
        canvas.fill(
          tile, with: (column + row) % 2 == 0 ? Colour(0.78, 0.74, 0.62) : Colour(0.08, 0.09, 0.1))
      }
    }
  }

  private static func drawPatches(on canvas: inout Canvas, _ area: Area) {
    let (across, down) = (4, 5)
    let side = min(area.columns.count / across, area.rows.count / down)
    let gap = max(1, side / 8)
    guard side > gap else { return }
    let top = area.rows.lowerBound + (area.rows.count - side * down) / 2
    canvas.fill(
      Area(
        columns: area.columns.lowerBound - gap..<area.columns.lowerBound + side * across,
        rows: top - gap..<top + side * down),
      with: Colour(0.05, 0.05, 0.06))
    for (index, colour) in patches.enumerated() {
      let left = area.columns.lowerBound + index % across * side
      let upper = top + index / across * side
      canvas.fill(Area(columns: left..<left + side - gap, rows: upper..<upper + side - gap), with: colour)
    }
  }

  /// Draws groups of vertical lines, from coarse to fine, one below another.
  private static func drawLines(on canvas: inout Canvas, _ area: Area, _ stop: DrawingStop)
    throws(OvercrankError)
  {
    let periods = [16, 12, 8, 6, 4, 3, 2]
    let height = area.rows.count / periods.count
    guard height > 4 else { return }
    canvas.fill(area, with: Colour(0.93, 0.92, 0.86))
    for (index, period) in periods.enumerated() {
      try stop.check()
      let rows =
        area.rows.lowerBound + index * height..<area.rows.lowerBound + (index + 1) * height - height / 6
      for left in stride(from: area.columns.lowerBound, to: area.columns.upperBound, by: period) {
        let right = min(left + period / 2, area.columns.upperBound)
        canvas.fill(Area(columns: left..<right, rows: rows), with: Colour(0.07, 0.07, 0.08))
      }
    }
  }
}

/// A stream of pseudo-random values, the same for each seed.
private struct Grain {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// Returns a value from -1 to 1.
  mutating func next() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
  }
}
