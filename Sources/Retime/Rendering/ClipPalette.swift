import Media
import Platform
import Timebase

extension ClipPlan {
  /// Returns the colours that show the clip's pictures best, by a sample of them.
  ///
  /// - Throws: `OvercrankError` if reading the source fails.
  func palette(in container: Container) async throws(OvercrankError) -> Picture {
    var sparse = group?.spec ?? spec
    sparse.fill = .hold
    let rate = Fraction(Int64(Self.sampleCount)) / max(timeline.duration, Fraction(1, 1000))
    if rate < outputRate.framesPerSecond, let rate = FrameRate(Fraction(rate.scaling(1000), 1000)) {
      sparse.outputRate = rate
    }
    let plan = try ClipPlan(source, sparse, of: group?.part ?? part, in: container)
    var maker = try PaletteMaker(
      width: pictures.size.width, height: pictures.size.height, color: pictures.color)
    let pool = try plan.framePool(from: 0)
    while let frame = try await pool.next() {
      try source.name.checkCancellation()
      if let picture = try? frame.picture.get() { try maker.add(picture) }
    }
    return try maker.palette()
  }

  /// More pictures hardly change the palette.
  private static let sampleCount = 64
}
