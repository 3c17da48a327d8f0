import Platform
import Glibc
import Media
import Timebase

/// The brightness of the captured frames that a clip shows, measured at an eighth of their size.
struct LightMeter {
  /// The capture time of each captured frame, in seconds from the first.
  let times: [Double]
  /// The mean light of each captured frame; `nil` if it is damaged or not shown.
  private(set) var light: [Double?]

  /// The range of corrections; more would be needed only for a nearly black frame.
  private static let gains = 0.25...4.0

  /// Measures the part of the source that a clip shows.
  ///
  /// - Parameter progress: called after each frame.
  /// - Throws: `OvercrankError` if reading the source fails; `cancelled`.
  init(
    _ plan: ClipPlan, progress: (@Sendable (ClipProgress) -> Void)? = nil
  ) async throws(OvercrankError) {
    let (source, timing, development) = (plan.source, plan.timing, plan.pictures.development)
    times = timing.frames.indices.map { Double(timing.cadence.captureTime($0).wholeNanoseconds) * 1e-9 }
    light = Array(repeating: nil, count: times.count)
    // Measures every captured frame of the span, including those that a fast clip skips.
    let timeline = Timeline(
      timing.cadence, speed: nil, outputRate: FrameRate(whole: 30), span: plan.part)
    let video = try Demuxer(source.path)
    let track = video.track
    let stages = plan.spec.stages.with(ClipScale.ratio(Fraction(1, 8)))
    let geometry = try ClipGeometry(
      of: track, stages.moving, orientation: plan.pictures.turnsPixels ? plan.pictures.orientation : nil)
    let color = VideoEncoder.Kind.h264.color(for: track, height: geometry.height)
    let pixelCount = geometry.processingPixelCount(of: track)
    let decodePool = try DecodePool(
      FrameReader(video, timing, timeline, deinterlacing: plan.deinterlacing), pixelCount: pixelCount
    ) { () throws(OvercrankError) in
      try FrameProcessor(video: track, geometry, development: development, layout: .yuv420p, clipColor: color)
    }
    var seen = ClipProgress(stage: .metering, done: 0, total: timeline.shownFrameCount)
    while let frame = try await decodePool.next() {
      try source.name.checkCancellation()
      if case .success(let picture) = frame.picture { light[frame.index] = picture.meanLight }
      seen.done += 1
      progress?(seen)
    }
  }

  /// The flicker of the lamps; `nil` if the light is steady.
  var flicker: FlickerFit? { FlickerFit(times: times, light: light) }

  /// Returns the factor for each captured frame's light that removes `flicker` from it.
  static func gains(against flicker: FlickerFit) -> [Double] {
    flicker.swing.map { min(max(exp(-$0), gains.lowerBound), gains.upperBound) }
  }
}
