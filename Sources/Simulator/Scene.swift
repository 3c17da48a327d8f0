import Platform
import Media

/// What a simulated camera looks at, and where in the picture it stands.
///
/// A wheel turns before a dial of 60 marks, by one mark a frame, and a ball bounces once in a turn. All that
/// moves lies in one area, the stage, and comes back to where it was after ``steps`` frames.
struct Scene {
  /// The frames of one turn of the wheel.
  static let steps = 60
  // The wheel's size bounds the memory that prerendered steps take, whatever the size of the picture.
  private static let largestRadius = 230

  /// The strip and the digits above everything else.
  let readout: FrameCounterOverlay
  /// What changes from frame to frame; its edges are multiples of 16 or the picture's; may be empty.
  let stage: Area
  /// What turns, where the picture is large enough for it.
  let wheel: Wheel?
  private let backdrop: Canvas
  private let ball: Ball?

  /// Lays out a picture of this size.
  ///
  /// - Parameter isOther: whether it is another scene, in which the same moves.
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

  /// The picture without what moves.
  func still() -> Canvas { backdrop }

  /// Draws the stage as it stands at `step` on a canvas that holds ``still()`` or another step.
  func draw(step: Int, on canvas: inout Canvas) {
    canvas.restore(stage, from: backdrop)
    wheel?.draw(step: step, on: &canvas)
    ball?.draw(step: step, on: &canvas)
  }
}
