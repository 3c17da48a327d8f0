import Platform
import CameraModel
import Media
import Timebase

/// The conversion of a source's pictures into those of a clip, by its stages.
struct PicturePlan {
  /// The source's video track, with its colours after development.
  let video: VideoTrack
  /// The requested stages, and those that the codec needs.
  let stages: PictureStages
  /// The settings for developing its frames; `nil` if they are not raw, or stay as they are.
  let development: RawDevelopment?
  /// The origin of ``development``; `nil` if that is `nil`.
  let developmentSource: DevelopmentSource?
  /// The orientation applied to the pixels once they have the clip's size; upright if they are not turned.
  let orientation: Orientation
  /// Whether the pixels themselves are turned. A player would turn overlays too, and some containers cannot
  /// store an orientation.
  let turnsPixels: Bool
  /// The result of all stages that move pixels.
  let geometry: ClipGeometry
  /// Whether they are those of an animated image with square pixels, but for the rounding of their size.
  private let hasSquarePixels: Bool
  /// The geometry of the pictures before zooming; ``geometry`` if they are not zoomed.
  let unzoomed: ClipGeometry
  /// The pixel layout of the clip's pictures.
  let layout: PixelLayout
  /// The clip's colours.
  let color: ColorDescription
  /// The sizes of the source's frames, as they are decoded for the clip.
  let sizes = SourceSizes()

  /// Plans the pictures of a clip.
  ///
  /// - Parameters:
  ///   - keepsOrientation: whether the clip's container can store an orientation.
  ///   - form: the layout and the colours of the pictures; `nil` for those that suit the source.
  /// - Throws: `outOfRange` if the source lacks something that a stage asks for; `OvercrankError` if reading
  ///   it fails.
  init(
    _ video: VideoTrack, from source: ClipSource, _ stages: PictureStages, _ codec: VideoEncoder.Kind,
    keepsOrientation: Bool, in form: (layout: PixelLayout, color: ColorDescription)? = nil
  ) throws(OvercrankError) {
    var video = video
    let turn = stages[PictureTurn.self] ?? source.turn ?? .none
    let isReported = keepsOrientation && stages.changing(overlays: true).isEmpty
    var stages = stages
    turnsPixels = turn != .none || !isReported && video.orientation != .upright
    orientation = turnsPixels ? video.orientation.followed(by: Orientation(turn)) : .upright
    let shown = turnsPixels ? orientation : nil
    if let side = codec.usualLimits?.side {
      let whole = try ClipGeometry(of: video, stages.moving, orientation: shown)
      stages[ClipScale.self] = stages[ClipScale.self].ofAnimation(whole, atMost: side)
    }
    geometry = try ClipGeometry(of: video, stages.moving, orientation: shown)
    let difference = ((geometry.pixelAspectRatio ?? Fraction(1)) - Fraction(1)).magnitude
    hasSquarePixels =
      codec.isAnimation && difference * Fraction(Int64(min(geometry.width, geometry.height))) <= Fraction(2)
    if let zoom = stages.zoom {
      unzoomed = try ClipGeometry(
        of: video, stages.moving, orientation: shown, zoomedTo: geometry, atMost: zoom.curve.largest)
    } else {
      unzoomed = geometry
    }
    if let wanted = stages[DevelopmentOptions.self], wanted.applies(to: video) {
      let developed = try RawDevelopment(wanted, of: source.path, video, source.sensor)
      development = developed
      developmentSource = DevelopmentSource(wanted, video, source.sensor, isMixed: developed.matrix != nil)
      (video.color.primaries, video.color.transfer) = (.bt709, .srgb)
    } else {
      development = nil
      developmentSource = nil
    }
    stages[ToneMapping.self] = try ToneMapping.stage(
      stages[ToneMapping.self], for: video, in: codec, source.path)
    let ranged = stages[ToneMapping.self] == nil ? video : ToneMapping.mapped(video)
    layout = form?.layout ?? codec.layout(for: ranged, isDeveloped: development != nil)
    color =
      form?.color
      ?? codec.color(
        for: ranged, height: orientation.turned(width: geometry.width, height: geometry.height).height)
    self.video = video
    self.stages = stages
  }

  /// The size of the clip's pictures.
  var size: (width: Int, height: Int) { orientation.turned(width: geometry.width, height: geometry.height) }

  /// The grading of their high dynamic range; `nil` if they have none, or it is unknown.
  var light: LightMetadata? { stages[ToneMapping.self] == nil ? video.light : nil }

  /// Width over height of one of their pixels; `nil` if unknown.
  var pixelAspectRatio: Fraction? {
    hasSquarePixels
      ? nil
      : geometry.pixelAspectRatio.map { orientation.isTurned ? $0.reciprocal : $0 }
  }

  /// Whether a chroma sample for two pixels of a row is sited on the first of them, in the clip as in the
  /// source.
  var isChromaLeft: Bool { video.hasChromaLeft && orientation == .upright }

  /// The field of the clip's pictures that was captured first; `nil` if they no longer have the source's
  /// lines.
  var retainedFieldOrder: FieldOrder? {
    let keepsLines = geometry.height == geometry.part.height & ~1
    guard stages[DeinterlacingOptions.self] == nil, stages.zoom == nil, orientation == .upright, keepsLines
    else { return nil }
    // A crop begins at an even line.
    return video.fieldOrder
  }

  /// Returns the part of the source's pictures that each frame of the clip shows; `nil` if all show the
  /// whole.
  func zoom(_ moments: @autoclosure () -> ClipMoments) -> ZoomTrack? {
    guard let zoom = stages.zoom else { return nil }
    let (width, height) = orientation.turned(width: unzoomed.width, height: unzoomed.height)
    return ZoomTrack(zoom, moments(), width: width, height: height)
  }

  /// A zoomer for the clip's pictures.
  var zoomer: PictureZoomer {
    PictureZoomer(width: size.width, height: size.height, isChromaLeft: isChromaLeft)
  }

  /// Returns the number of encoders of such pictures that run at once.
  func encoderCount(of codec: VideoEncoder.Kind) -> Int {
    codec.encoderCount(width: geometry.width, height: geometry.height)
  }

  /// The memory for a frame of the source while it is processed, in pixels.
  var processingPixelCount: Int { unzoomed.processingPixelCount(of: video) }

  /// Returns a processor of the source's frames.
  ///
  /// - Parameter changes: the stages that then change them.
  func processor(_ changes: [any PreparedStage]) throws(OvercrankError) -> FrameProcessor {
    // A tone mapping, one of the changes, makes the clip's pictures from these.
    let isMapped = stages[ToneMapping.self] != nil
    return try FrameProcessor(
      video: video, unzoomed, development: development, orientation: orientation,
      layout: isMapped ? ToneTable.sourceLayout : layout,
      clipColor: isMapped ? video.pictureColor.asToneSource : color, sizes: sizes, changes: changes)
  }
}

extension PictureStages {
  /// The zoom, if it ever shows less than the whole picture.
  fileprivate var zoom: ClipZoom? { self[ClipZoom.self].flatMap { $0.curve.isWhole ? nil : $0 } }
}
