import Platform
import Glibc
import Media
import Timebase

/// How bright the frames of a film are that a clip shows, from a look at each at an eighth of its size.
struct LightMeter {
  /// When each captured frame was captured, in seconds from the first.
  let times: [Double]
  /// The mean of each captured frame's light; `nil` where it is damaged or not shown.
  private(set) var light: [Double?]

  /// A correction beyond these would be of a frame that is next to black.
  private static let gains = 0.25...4.0

  /// Looks at the part of the film that a clip shows.
  ///
  /// - Parameter progress: called after each frame.
  /// - Throws: `OvercrankError` of reading the film; `cancelled`.
  init(
    _ plan: ClipPlan, progress: (@Sendable (ClipProgress) -> Void)? = nil
  ) async throws(OvercrankError) {
    let (source, timing, development) = (plan.source, plan.timing, plan.pictures.development)
    times = timing.frames.indices.map { Double(timing.cadence.captureTime($0).wholeNanoseconds) * 1e-9 }
    light = Array(repeating: nil, count: times.count)
    // Every captured frame of the span counts, also those that a fast clip passes over.
    let timeline = Timeline(
      timing.cadence, speed: nil, outputRate: FrameRate(whole: 30), span: plan.part)
    let film = try Demuxer(source.path)
    let track = film.track
    let stages = plan.spec.stages.with(ClipScale.ratio(Fraction(1, 8)))
    let geometry = try ClipGeometry(
      of: track, stages.moving, orientation: plan.pictures.turnsPixels ? plan.pictures.orientation : nil)
    let color = VideoEncoder.Kind.h264.color(for: track, height: geometry.height)
    let pixelCount = geometry.processingPixelCount(of: track)
    var decodePool = try DecodePool(
      FrameReader(film, timing, timeline, deinterlacing: plan.deinterlacing), pixelCount: pixelCount
    ) { () throws(OvercrankError) in
      try FrameProcessor(film: track, geometry, development: development, layout: .yuv420p, clipColor: color)
    }
    var seen = ClipProgress(stage: .metering, done: 0, total: timeline.shownFrameCount)
    while let frame = try await decodePool.next() {
      try source.path.checkCancellation()
      if case .success(let picture) = frame.picture { light[frame.index] = picture.meanLight }
      seen.done += 1
      progress?(seen)
    }
  }

  /// The lamps' flicker; `nil` where the light is steady.
  var flicker: FlickerFit? { FlickerFit(times: times, light: light) }

  /// For each captured frame, what its light is to be multiplied by to take `flicker` out of it.
  static func gains(against flicker: FlickerFit) -> [Double] {
    flicker.swing.map { min(max(exp(-$0), gains.lowerBound), gains.upperBound) }
  }
}
