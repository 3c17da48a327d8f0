import Platform

/// A simulated camera's scene and its layout in the picture.
///
/// A wheel turns in front of a dial of 60 marks, by one mark per frame, and a ball bounces once per turn.
/// Everything that moves lies in one area, the stage, and repeats after ``steps`` frames.
struct Scene {
  /// The number of frames in one turn of the wheel.
  static let steps = 60
  // Limits the wheel's size, and so the memory of prerendered steps, whatever the size of the picture.
  private static let largestRadius = 230

  /// The frame strip and the digits, at the top of the picture.
  let readout: FrameCounterOverlay
  /// The area that changes from frame to frame; its edges are multiples of 16 or the picture's edges; may be
  /// empty.
  let stage: Area
  /// The wheel; `nil` if the picture is too small for it.
  let wheel: Wheel?
  private let backdrop: Canvas
  private let ball: Ball?

  /// Lays out a picture of this size.
  ///
  /// - Parameter isOther: Whether to draw the other scene, in which the same things move.
  init(
    width: Int, height: Int, isOther: Bool = false, model: ColourModel, _ stop: DrawingStop = DrawingStop()
  ) throws(OvercrankError) {
    try stop.check()
    let readout = FrameCounterOverlay(width: width, height: height)
    let below = Area(columns: 0..<width, rows: min(readout.height, height)..<height)
    let radius = min(Self.largestRadius, below.rows.count * 2 / 5, width / 5)
    var backdrop = try Backdrop.canvas(
      width: width, height: height, below: below, isOther: isOther, model: model, stop)

    guard radius >= 12 else {
      (self.stage, self.wheel, self.ball) = (.empty, nil, nil)
      (self.readout, self.backdrop) = (readout, backdrop)
      return
    }
    let centreX = width / 2 - radius / 3
    let centreY = below.rows.lowerBound + below.rows.count / 2
    let wheel = Wheel(centreX: centreX, centreY: centreY, radius: radius, model: model)
    let ball = Ball(
      x: centreX + radius * 8 / 5, ceiling: centreY - radius, floor: centreY + radius, radius: radius / 6)
    wheel.drawDial(on: &backdrop)
    ball.drawFloor(on: &backdrop)

    let moving = Area(
      columns: wheel.area.columns.lowerBound..<ball.area.columns.upperBound, rows: wheel.area.rows)
    self.stage = moving.widened(toMultiplesOf: 16).clamped(width: width, height: height)
    (self.readout, self.backdrop) = (readout, backdrop)
    (self.wheel, self.ball) = (wheel, ball)
  }

  /// Returns the picture without the moving parts.
  func still() -> Canvas { backdrop }

  /// Draws the stage at `step` on a canvas that holds ``still()`` or another step.
  func draw(step: Int, on canvas: inout Canvas) {
    canvas.restore(stage, from: backdrop)
    wheel?.draw(step: step, on: &canvas)
    ball?.draw(step: step, on: &canvas)
  }
}
