import Platform
import CameraModel
import Media
import Timebase

/// How the pictures of a film become those of a clip, by its stages.
struct PicturePlan {
  /// The source's video track, with the colours that it has once it is developed.
  let film: VideoTrack
  private let stages: PictureStages
  /// How its frames are developed; `nil` where they are no sensor's, or stay as they are.
  let development: RawDevelopment?
  /// The source of ``development``; `nil` where that is.
  let developmentSource: DevelopmentSource?
  /// How its pixels are turned once they have the size of the clip; upright where they stay as they lie.
  let orientation: Orientation
  /// Whether they are turned so, and not by a player, which would turn what is written on them too, and is told nothing
  /// by some containers.
  let turnsPixels: Bool
  /// All that moves pixels.
  let geometry: ClipGeometry
  /// The geometry of the pictures before they are zoomed; ``geometry`` where they are not.
  let unzoomed: ClipGeometry
  /// How the pixels of the clip's pictures lie in memory.
  let layout: PixelLayout
  /// The clip's colours.
  let color: ColorDescription

  /// - Parameter keepsOrientation: whether the clip's container says how a player is to turn it.
  /// - Throws: `outOfRange` where the film has not what a stage asks for; `OvercrankError` of reading it.
  init(
    _ film: VideoTrack, from source: ClipSource, _ stages: PictureStages, _ codec: VideoEncoder.Kind,
    keepsOrientation: Bool
  ) throws(OvercrankError) {
    var film = film
    let turn = stages[PictureTurn.self] ?? source.turn ?? .none
    let isTold = keepsOrientation && stages.changing(overlays: true).isEmpty
    turnsPixels = turn != .none || !isTold && film.orientation != .upright
    orientation = turnsPixels ? film.orientation.followed(by: Orientation(turn)) : .upright
    let shown = turnsPixels ? orientation : nil
    geometry = try ClipGeometry(of: film, stages.moving, orientation: shown)
    if let zoom = stages.zoom {
      unzoomed = try ClipGeometry(
        of: film, stages.moving, orientation: shown, zoomedTo: geometry, atMost: zoom.curve.largest)
    } else {
      unzoomed = geometry
    }
    if let wanted = stages[DevelopmentOptions.self], wanted.applies(to: film) {
      let developed = try RawDevelopment(wanted, of: source.path, film, source.sensor)
      development = developed
      developmentSource = DevelopmentSource(wanted, film, source.sensor, isMixed: developed.matrix != nil)
      (film.color.primaries, film.color.transfer) = (.bt709, .srgb)
    } else {
      development = nil
      developmentSource = nil
    }
    layout = codec.layout(for: film, isDeveloped: development != nil)
    color = codec.color(
      for: film, height: orientation.turned(width: geometry.width, height: geometry.height).height)
    self.film = film
    self.stages = stages
  }

  /// The size of the clip's pictures.
  var size: (width: Int, height: Int) { orientation.turned(width: geometry.width, height: geometry.height) }

  /// Width over height of one of their pixels; `nil` where it is unknown.
  var pixelAspectRatio: Fraction? {
    geometry.pixelAspectRatio.map { orientation.isTurned ? $0.reciprocal : $0 }
  }

  /// Whether a chroma sample for two pixels of a row lies on the first of them, in the clip as in the film.
  var isChromaLeft: Bool { film.hasChromaLeft && orientation == .upright }

  /// Which field of the clip's pictures was filmed first; `nil` where they no longer have the film's lines.
  var keptFieldOrder: FieldOrder? {
    let keepsLines = geometry.height == geometry.part.height & ~1
    guard stages[DeinterlacingOptions.self] == nil, stages.zoom == nil, orientation == .upright, keepsLines
    else { return nil }
    // A crop begins at an even line.
    return film.fieldOrder
  }

  /// Which part of the film's pictures each frame of the clip shows, and what enlarges it; `nil` for all of them.
  func zoom(_ moments: @autoclosure () -> ClipMoments) -> ZoomCourse? {
    guard let zoom = stages.zoom else { return nil }
    let (width, height) = orientation.turned(width: unzoomed.width, height: unzoomed.height)
    return ZoomCourse(zoom, moments(), width: width, height: height)
  }

  /// The zoomer of the pictures.
  var zoomer: PictureZoomer {
    PictureZoomer(width: size.width, height: size.height, isChromaLeft: isChromaLeft)
  }

  /// How many encoders of such pictures are at work at once.
  func encoderCount(of codec: VideoEncoder.Kind) -> Int {
    codec.encoderCount(width: geometry.width, height: geometry.height)
  }

  /// How much memory a frame of the film takes while it is processed, in pixels.
  var processingPixelCount: Int { unzoomed.processingPixelCount(of: film) }

  /// Returns a processor of the source's frames.
  ///
  /// - Parameter changes: the stages that change them then.
  func processor(_ changes: [any PreparedStage]) throws(OvercrankError) -> FrameProcessor {
    try FrameProcessor(
      film: film, unzoomed, development: development, orientation: orientation, layout: layout,
      clipColor: color, changes: changes)
  }
}

extension PictureStages {
  /// The zoom, where it shows less than all at any time.
  fileprivate var zoom: ClipZoom? { self[ClipZoom.self].flatMap { $0.curve.isWhole ? nil : $0 } }
}
