public import Platform
public import CameraModel
public import Media
public import SystemPackage
public import Timebase

/// How a clip is rendered: decoded, changed and encoded.
public struct RenderSpec: Codable, Hashable, Sendable {
  /// How fast the clip plays; `nil` shows every sensor frame once.
  public var speed: SpeedCurve?
  /// Frames per second of the clip; `nil` for the rate from 24 to 60 at which ``speed`` shows every
  /// frame once, and for 30 where there is none.
  public var outputRate: FrameRate?
  /// The pictures shown where the source has no frame.
  public var fill: Fill
  /// The stages of its pictures.
  public var stages: PictureStages
  /// How its frames are coded.
  public var codec: VideoEncoder.Kind
  /// The encoder's trade of time for size.
  public var preset: VideoEncoder.Preset
  /// The encoder's quality, as `Media.VideoEncoder.Kind.qualities` has it; `nil` for the usual one.
  public var quality: Double?
  /// The treatment of the source's audio; `nil` keeps it, stretched, where no part of the clip is below half the speed.
  public var audio: ClipAudio?

  private enum CodingKeys: String, CodingKey {
    case speed, fill, stages, codec, preset, quality, audio
    case outputRate = "fps"
  }

  /// A description; what is left out makes a clip that looks as good as its master and plays anywhere.
  public init(
    speed: SpeedCurve? = nil, outputRate: FrameRate? = nil, fill: Fill = .hold,
    stages: PictureStages = .usual, codec: VideoEncoder.Kind = .h264,
    preset: VideoEncoder.Preset = .veryfast, quality: Double? = nil, audio: ClipAudio? = nil
  ) {
    self.speed = speed
    self.outputRate = outputRate
    self.fill = fill
    self.stages = stages
    self.codec = codec
    self.preset = preset
    self.quality = quality
    self.audio = audio
  }

  /// Finds out whether a clip can be made so, before anything is filmed or read.
  ///
  /// - Throws: `OvercrankError.Code.unsupported` with what is possible.
  public func check(for container: Container, _ path: FilePath) throws(OvercrankError) {
    try codec.check()
    guard container.canHold(codec.codec) else {
      let usual = codec.usualContainer
      let others = Container.holding(codec.codec).filter { $0 != usual && $0 != .nut }
      let names = ([usual] + others).map { ".\($0.fileExtension)" }.joined(separator: " or ")
      throw OvercrankError(
        .unsupported, "\(path): \(container) cannot hold \(codec.rawValue). Let its name end in \(names).")
    }
    try check()
  }

  /// Finds out whether a clip can be made so of a film of this size, before it is filmed.
  ///
  /// - Parameters:
  ///   - width: pixels in a row of the film.
  ///   - height: the film's rows.
  ///   - turn: how its take says that it is turned.
  /// - Throws: `OvercrankError.Code.outOfRange` where the film has no such part.
  public func check(
    width: Int, height: Int, turned turn: PictureTurn? = nil
  ) throws(OvercrankError) {
    _ = try ClipGeometry(
      of: VideoTrack(codec: .mjpeg, width: width, height: height), stages.moving,
      orientation: Orientation(stages[PictureTurn.self] ?? turn ?? .none))
  }

  func check() throws(OvercrankError) {
    try stages.check(filling: fill)
    if let quality {
      guard let qualities = codec.qualities, qualities.contains(quality) else {
        throw OvercrankError(.unsupported, "a quality of \(quality) is none of \(codec.rawValue).")
      }
    }
    try outputRate?.framesPerSecond.checkFitsContainer("a rate")
    try speed?.constant?.factor.checkFitsContainer("a speed")
  }

  /// The comment in the clip's file: how it was made.
  ///
  /// - Parameter usual: how fast it plays where no speed was asked for; `nil` where nobody knows.
  func comment(usual: Fraction? = nil) -> String {
    guard let speed else {
      return usual.map { "Overcrank, speed \(Speed($0)?.description ?? "\($0)")" }
        ?? "Overcrank, every frame once"
    }
    let words = "Overcrank, speed \(speed)"
    // The index has a limited place for it.
    return words.utf8.count <= 500 ? words : "Overcrank, a speed curve of \(speed.points.count) points"
  }
}

extension Fraction {
  /// - Throws: `unsupported` where a term does not fit the 31 bits that containers have for it.
  func checkFitsContainer(_ name: String) throws(OvercrankError) {
    guard max(numerator, denominator) <= Int32.max else {
      throw OvercrankError(
        .unsupported, "\(name) of \(self) has more digits than a container can hold. Round it.")
    }
  }
}
