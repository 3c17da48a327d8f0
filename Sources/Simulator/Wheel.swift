import Glibc

/// A turning wheel of coloured blades, one of them marked, in front of a dial of 60 marks.
///
/// The marked blade points up at step 0 and moves clockwise by one mark of the dial per step.
struct Wheel {
  private let centreX: Int
  private let centreY: Int
  private let radius: Int
  /// The pixels that the wheel covers.
  let area: Area

  /// A pixel of the wheel: the ring and angle of its colour at step 0, and its coverage by the wheel.
  private struct Spot {
    var ring: UInt8
    var coverage: UInt8
    var angle: UInt16
  }

  private static let blades = 12
  private static let rings = 3
  // A whole number of angles per step, and about one angle per pixel of the largest wheel's rim.
  private static let anglesPerStep = 32
  private static let angles = Scene.steps * anglesPerStep

  private let spots: [Spot]
  /// The colours of each ring by angle, at step 0.
  private let palette: [Pixel]

  init(centreX: Int, centreY: Int, radius: Int, model: ColourModel) {
    self.centreX = centreX
    self.centreY = centreY
    self.radius = radius
    self.area = Area(
      columns: centreX - radius..<centreX + radius, rows: centreY - radius..<centreY + radius)
    self.spots = Self.spots(radius: radius)
    self.palette = (0..<Self.rings).flatMap { ring in
      (0..<Self.angles).map { model.pixel(Self.colour(ring: ring, turn: Double($0) / Double(Self.angles))) }
    }
  }

  /// Draws the wheel at `step`.
  func draw(step: Int, on canvas: inout Canvas) {
    let shift = step % Scene.steps * Self.anglesPerStep
    canvas.pixels.withUnsafeMutableBufferPointer { pixels in
      spots.withUnsafeBufferPointer { spots in
        palette.withUnsafeBufferPointer { palette in
          guard let pixels = pixels.baseAddress, let spots = spots.baseAddress,
            let palette = palette.baseAddress
          else { return }
          for y in 0..<radius * 2 {
            let line = pixels + (area.rows.lowerBound + y) * canvas.width + area.columns.lowerBound
            drawRow(spots + y * radius * 2, palette, shift: shift, on: line)
          }
        }
      }
    }
  }

  // Uses a `while` loop and bare pointers, because this runs for every pixel of every step, in debug builds
  // too, where ranges and buffers are slow.
  private func drawRow(
    _ spots: UnsafePointer<Spot>, _ palette: UnsafePointer<Pixel>, shift: Int,
    on line: UnsafeMutablePointer<Pixel>
  ) {
    let (side, angles) = (radius * 2, Self.angles)
    var x = 0
    while x < side {
      let spot = spots[x]
      if spot.coverage > 0 {
        var angle = Int(spot.angle) - shift
        if angle < 0 { angle += angles }
        let colour = palette[Int(spot.ring) * angles + angle]
        line[x] = spot.coverage == 255 ? colour : line[x].covered(by: colour, coverage: spot.coverage)
      }
      x += 1
    }
  }

  /// Draws the ring of marks around the wheel; every fifth mark is longer.
  func drawDial(on canvas: inout Canvas) {
    let length = Double(radius) * 0.06
    let reach = radius * 9 / 8 + 1
    let dial = Area(columns: centreX - reach..<centreX + reach, rows: centreY - reach..<centreY + reach)
    let (centreX, centreY, radius) = (Double(centreX), Double(centreY), Double(radius))
    canvas.draw(in: dial, Colour(0.93, 0.92, 0.86)) { x, y in
      let (turn, distance) = Self.polar(x - centreX, y - centreY)
      let mark = (turn * Double(Scene.steps)).rounded()
      let aside = (turn * Double(Scene.steps) - mark).magnitude / Double(Scene.steps) * 2 * .pi * distance
      let isLong = Int(mark) % 5 == 0
      let outer = radius + (isLong ? 2 : 1) * length
      guard distance > radius + length * 0.4, distance < outer else { return 0 }
      return (isLong ? 1.6 : 1.1) * radius / 150 + 0.4 - aside
    }
  }

  private static func spots(radius: Int) -> [Spot] {
    let side = radius * 2
    return (0..<side * side).map { index in
      let x = Double(index % side - radius) + 0.5
      let y = Double(index / side - radius) + 0.5
      let (turn, distance) = polar(x, y)
      let coverage = min(max(Double(radius) - distance, 0), 1)
      let share = distance / Double(radius)
      return Spot(
        ring: share > 0.88 ? 2 : share > 0.2 ? 1 : 0, coverage: UInt8(coverage * 255),
        angle: UInt16(min(Int(turn * Double(angles)), angles - 1)))
    }
  }

  /// Returns the share of a turn clockwise from the top, from 0 to 1, and the distance from the centre.
  private static func polar(_ x: Double, _ y: Double) -> (turn: Double, distance: Double) {
    let turn = atan2(x, -y) / (2 * .pi)
    return (turn < 0 ? turn + 1 : turn, (x * x + y * y).squareRoot())
  }

  private static func colour(ring: Int, turn: Double) -> Colour {
    let place = turn * Double(blades)
    let blade = Int(clamping: place.rounded()) % blades
    let fromMiddle = (place - place.rounded()).magnitude
    let isMarked = blade == 0
    switch ring {
    case 0: return isMarked ? Colour(0.9, 0.1, 0.1) : Colour(0.85, 0.85, 0.85)
    case 1:
      let gap = Colour(0.08, 0.09, 0.11)
      if isMarked, fromMiddle < 0.02 { return gap }
      let paint = isMarked ? Colour(1, 1, 1) : Colour(hue: Double(blade) / Double(blades))
      // The edge of a blade is as soft as an angle is wide.
      return gap.mixed(with: paint, share: min(max((0.3 - fromMiddle) * 80, 0), 1))
    default:
      if isMarked { return Colour(0.9, 0.1, 0.1) }
      return blade.isMultiple(of: 2) ? Colour(0.82, 0.82, 0.8) : Colour(0.2, 0.21, 0.23)
    }
  }
}
