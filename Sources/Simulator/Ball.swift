/// A ball that bounces on a floor once per turn of the wheel.
struct Ball {
  private let x: Int
  private let ceiling: Int
  private let floor: Int
  private let radius: Int

  init(x: Int, ceiling: Int, floor: Int, radius: Int) {
    self.x = x
    self.ceiling = ceiling
    self.floor = floor
    self.radius = radius
  }

  /// The pixels that the ball may cover.
  var area: Area { Area(columns: x - radius..<x + radius + 1, rows: ceiling..<floor) }

  /// Draws the ball at `step`: on the floor at step 0, at its highest point half a turn later.
  func draw(step: Int, on canvas: inout Canvas) {
    let time = Double(step % Scene.steps) / Double(Scene.steps)
    let climb = Double(floor - ceiling - 2 * radius) * 4 * time * (1 - time)
    let (centreX, radius) = (Double(x) + 0.5, Double(radius))
    let centreY = Double(floor) - radius - climb
    let box = Area(
      columns: area.columns, rows: Int(centreY - radius)..<min(Int(centreY + radius) + 1, floor))
    func disc(_ x: Double, _ y: Double, _ size: Double) -> (Double, Double) -> Double {
      return { px, py in
        let (dx, dy) = (px - x, py - y)
        return size - (dx * dx + dy * dy).squareRoot() + 0.5
      }
    }
    canvas.draw(in: box, Colour(0.75, 0.25, 0.05), coverage: disc(centreX, centreY, radius))
    canvas.draw(
      in: box, Colour(1, 0.5, 0.1),
      coverage: disc(centreX - radius * 0.12, centreY - radius * 0.12, radius * 0.8))
    canvas.draw(
      in: box, Colour(1, 0.9, 0.7),
      coverage: disc(centreX - radius * 0.35, centreY - radius * 0.35, radius * 0.2))
  }

  /// Draws the floor.
  func drawFloor(on canvas: inout Canvas) {
    let plate = Area(
      columns: x - radius * 5 / 3..<x + radius * 5 / 3, rows: floor..<floor + max(2, radius / 5))
    canvas.fill(plate, with: Colour(0.93, 0.92, 0.86))
  }
}
