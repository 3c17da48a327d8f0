public import Platform
public import CameraModel
public import Media
public import SystemPackage
public import Timebase

/// The settings of a clip that is rendered: decoded, changed and encoded.
public struct RenderSpec: Codable, Hashable, Sendable {
  /// The speed of the clip; `nil` shows every captured frame once.
  public var speed: SpeedCurve?
  /// Frames per second of the clip; `nil` for the rate from 24 to 60 at which ``speed`` shows every frame
  /// once, or 30 if there is none.
  public var outputRate: FrameRate?
  /// The pictures shown where the source has no frame.
  public var fill: Fill
  /// The stages that process its pictures.
  public var stages: PictureStages
  /// The codec of its frames.
  public var codec: VideoEncoder.Kind
  /// The encoder's trade of time for size.
  public var preset: VideoEncoder.Preset
  /// The encoder's quality, on the scale of `Media.VideoEncoder.Kind.qualities`; `nil` for the default.
  public var quality: Double?
  /// The most bytes that its file may have; `nil` for any number. If it has more, it is made again with less quality,
  /// size or rate.
  public var largestSize: Int64?
  /// The number of times that an animation plays; `nil` or 0 for no end.
  public var playCount: Int?
  /// The treatment of the source's audio; `nil` keeps it, stretched, if the clip plays forwards and no part of it is
  /// below half speed.
  public var audio: ClipAudio?
  /// The arrangement of the pictures of all cameras of a group; `nil` for a clip of one source.
  public var layout: ClipLayout?

  private enum CodingKeys: String, CodingKey {
    case speed, fill, stages, codec, preset, quality, audio, layout
    case outputRate = "fps"
    case playCount = "loops"
    case largestSize = "under"
  }

  /// Creates the settings of a clip; the defaults make one that looks as good as its master and plays
  /// anywhere.
  public init(
    speed: SpeedCurve? = nil, outputRate: FrameRate? = nil, fill: Fill = .hold,
    stages: PictureStages = .usual, codec: VideoEncoder.Kind = .h264,
    preset: VideoEncoder.Preset = .veryfast, quality: Double? = nil, playCount: Int? = nil,
    largestSize: Int64? = nil, audio: ClipAudio? = nil, layout: ClipLayout? = nil
  ) {
    self.speed = speed
    self.outputRate = outputRate
    self.fill = fill
    self.stages = stages
    self.codec = codec
    self.preset = preset
    self.quality = quality
    self.playCount = playCount
    self.largestSize = largestSize
    self.audio = audio
    self.layout = layout
  }

  /// Checks whether such a clip can be made, before anything is recorded or read.
  ///
  /// - Throws: `OvercrankError.Code.unsupported`, with the alternatives.
  public func check(for container: Container, _ path: FilePath) throws(OvercrankError) {
    try codec.check()
    guard container.canHold(codec.codec) else {
      let usual = codec.usualContainer
      let others = Container.holding(codec.codec).filter { $0 != usual && $0 != .nut }
      let names = ([usual] + others).map { ".\($0.fileExtension)" }.joined(separator: " or ")
      throw OvercrankError(
        .unsupported,
        "\(path): \(container) cannot hold \(codec.rawValue). Choose a name that ends in \(names).")
    }
    try check()
  }

  /// Checks whether such a clip can be made of a source of this size, before it is recorded.
  ///
  /// - Parameters:
  ///   - width: the source's width in pixels.
  ///   - height: the source's height in pixels.
  ///   - turn: the turn that its take states.
  /// - Throws: `OvercrankError.Code.outOfRange` if the source has no such part.
  public func check(
    width: Int, height: Int, turned turn: PictureTurn? = nil
  ) throws(OvercrankError) {
    _ = try ClipGeometry(
      of: VideoTrack(codec: .mjpeg, width: width, height: height), stages.moving,
      orientation: Orientation(stages[PictureTurn.self] ?? turn ?? .none))
  }

  func check() throws(OvercrankError) {
    try stages.check(filling: fill)
    if layout != nil { try checkLayout() }
    if codec.isAnimation {
      guard audio ?? .drop == .drop else {
        throw OvercrankError(.unsupported, "\(codec.usualContainer) cannot hold audio. Leave it out.")
      }
    } else if playCount != nil {
      throw OvercrankError(
        .unsupported,
        "\(codec.rawValue) clips do not state how often they play; only GIF, WebP and APNG do. Drop the number."
      )
    }
    if largestSize != nil, !codec.canShrink {
      throw OvercrankError(
        .unsupported,
        "\(codec.rawValue) has no setting that makes a clip smaller. Choose another codec.")
    }
    if let outputRate, let highest = codec.highestRate, outputRate.framesPerSecond > highest {
      throw OvercrankError(
        .unsupported,
        "\(codec.usualContainer) cannot have \(outputRate.text) frames per second, because players show at most "
          + "\(highest.decimal(places: 2)).")
    }
    if let quality {
      guard let qualities = codec.qualities, qualities.contains(quality) else {
        throw OvercrankError(.unsupported, "\(codec.rawValue) has no quality \(quality).")
      }
    }
    if let outputRate, outputRate.interval > Fraction(86_400) {
      throw OvercrankError(
        .unsupported,
        "a rate of \(outputRate) frames per second would show each frame for more than a day. Choose a higher one."
      )
    }
    try outputRate?.framesPerSecond.checkFitsContainer("a rate")
    try speed?.constant?.factor.checkFitsContainer("a speed")
  }

  private func checkLayout() throws(OvercrankError) {
    guard fill != .skip else {
      throw OvercrankError(
        .unsupported,
        "a clip of several cameras cannot skip the time of frames that one of them lost, because the others have "
          + "theirs. Hold or interpolate them.")
    }
    guard stages[ClipZoom.self] == nil else {
      throw OvercrankError(
        .unsupported, "a clip of several cameras cannot zoom, because each has its own picture. Crop them.")
    }
    guard stages[ToneMapping.self] != .keep else {
      throw OvercrankError(
        .unsupported,
        "a clip of several cameras has the standard range, which all can share. Do not keep a higher one.")
    }
  }

  /// Returns the number of frames of a clip that has those of `timeline` when played forwards.
  func frameCount(of timeline: Timeline) -> Int {
    stages[PlaybackOrder.self]?.frameCount(of: timeline.outputFrameCount) ?? timeline.outputFrameCount
  }

  /// Returns the comment in the clip's file, which states how it was made.
  ///
  /// - Parameter usual: the speed if none was requested; `nil` if unknown.
  func comment(usual: Fraction? = nil) -> String {
    let order = stages[PlaybackOrder.self].map { ", \($0.rawValue)" } ?? ""
    guard let speed else {
      return
        (usual.map { "Overcrank, speed \(Speed($0)?.description ?? "\($0)")" }
        ?? "Overcrank, every frame once") + order
    }
    let words = "Overcrank, speed \(speed)"
    // The index has limited space for it.
    return (words.utf8.count <= 500 ? words : "Overcrank, a speed curve of \(speed.points.count) points")
      + order
  }
}

extension Fraction {
  /// The nearest of its continued fractions whose terms fit 31 bits, as ``checkFitsContainer(_:)`` wants them.
  var short: Fraction {
    let most = Int64(Int32.max)
    var (rest, former, nearest) = ((numerator, denominator), (Int64(0), Int64(1)), (Int64(1), Int64(0)))
    while rest.1 != 0, case let whole = rest.0 / rest.1, whole <= most {
      let next = (whole * nearest.0 + former.0, whole * nearest.1 + former.1)
      guard max(next.0, next.1) <= most else { break }
      (former, nearest) = (nearest, next)
      rest = (rest.1, rest.0 % rest.1)
    }
    return nearest.1 == 0 ? Fraction(most) : Fraction(nearest.0, nearest.1)
  }

  /// Checks that both terms fit the 31 bits that containers have for them.
  ///
  /// - Throws: `unsupported` if one does not.
  func checkFitsContainer(_ name: String) throws(OvercrankError) {
    guard max(numerator, denominator) <= Int32.max else {
      throw OvercrankError(
        .unsupported, "\(name) of \(self) has more digits than a container can hold. Round it.")
    }
  }
}
