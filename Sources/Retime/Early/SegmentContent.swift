import Media
import Timebase

/// The content of a segment: segments with equal content and ``ClipAppearance`` have the same pictures.
struct SegmentContent: Equatable, Sendable {
  /// The indices of the captured frames.
  let frames: Range<Int>
  /// The output frames at which they, and the frame after them, appear.
  fileprivate let appearances: [Int]
  /// The position of each output frame between its captured frame and the next one, and the next shown one.
  fileprivate let shares: [Int]
  /// Whether frames were lost in front of each captured frame, including the next one.
  fileprivate let gaps: [Bool]
  /// The stages' other inputs that affect the frames.
  fileprivate let stages: [[String]]
  /// The part of the picture that each output frame shows; empty if all show the whole.
  fileprivate let windows: [PictureWindow]
}

/// The properties of a clip that determine how all its frames look.
struct ClipAppearance: Hashable, Sendable {
  fileprivate let codec: VideoCodec
  fileprivate let width: Int
  fileprivate let height: Int
  fileprivate let videoColor: ColorDescription
  fileprivate let spec: RenderSpec
  fileprivate let part: ClipSpan
  fileprivate let outputRate: FrameRate
  fileprivate let geometry: ClipGeometry
  fileprivate let orientation: Orientation
  fileprivate let turnsPixels: Bool
  fileprivate let layout: PixelLayout
  fileprivate let color: ColorDescription
  fileprivate let development: RawDevelopment?
}

extension ClipPlan {
  /// The properties that determine how the clip's frames look.
  var look: ClipAppearance {
    ClipAppearance(
      codec: pictures.video.codec, width: pictures.video.width, height: pictures.video.height,
      videoColor: pictures.video.pictureColor, spec: spec, part: part, outputRate: outputRate,
      geometry: pictures.geometry, orientation: pictures.orientation, turnsPixels: pictures.turnsPixels,
      layout: pictures.layout, color: pictures.color, development: pictures.development)
  }

  /// Returns the content of the segment of these captured frames; `nil` if the source ends with them.
  func content(of frames: Range<Int>) -> SegmentContent? {
    guard frames.lowerBound >= 0, frames.upperBound < timeline.capturedFrameCount else { return nil }
    let closed = frames.lowerBound...frames.upperBound
    let appearances = closed.map { timeline.outputFrames(showing: $0).lowerBound }
    let outputFrames = (frames.lowerBound == 0 ? 0 : appearances[0])..<(appearances.last ?? 0)
    return SegmentContent(
      frames: frames, appearances: appearances,
      shares: spec.fill.isInterpolated ? shares(in: closed) : [], gaps: Array(gaps[closed]),
      stages: changes.map { $0.identity(of: frames) },
      windows: zoomCourse.map { course in outputFrames.map { course.window(of: $0) } } ?? [])
  }

  private func shares(in frames: ClosedRange<Int>) -> [Int] {
    let shown = frames.filter(timeline.isShown)
    return zip(shown, shown.dropFirst()).flatMap { index, next in
      timeline.outputFrames(showing: index).flatMap {
        [timeline.share(of: $0, from: index, to: index + 1), timeline.share(of: $0, from: index, to: next)]
      }
    }
  }
}
