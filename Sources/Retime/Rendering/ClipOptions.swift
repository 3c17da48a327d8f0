public import CameraModel
public import Media
public import SystemPackage
public import Timebase

/// How a clip is made.
public struct ClipOptions: Hashable, Sendable {
  /// How fast the clip plays; `nil` shows every sensor frame once.
  public var speed: SpeedCurve?
  /// Frames per second of the clip; `nil` for the rate from 24 to 60 at which ``speed`` shows every
  /// frame once, and for 30 where there is none.
  public var outputRate: FrameRate?
  /// What it shows where the film has no frame.
  public var fill: Fill
  /// The part of the film that it shows.
  public var span: ClipSpan
  /// The part of the film's pictures that it shows; `nil` for all of them.
  public var crop: ClipCrop?
  /// By how much it enlarges that part; `nil` shows all of it throughout.
  public var zoom: ClipZoom?
  /// Its size; `nil` for that of the film, or of the crop.
  public var scale: ClipScale?
  /// How a raw film is developed; `nil` shows its numbers as they are. Others are not concerned.
  public var development: DevelopmentOptions?
  /// Whether each field of an interlaced film becomes a frame, and which comes first; `nil` leaves frames as they are.
  public var deinterlacing: DeinterlacingOptions?
  /// How its pictures are turned, after what the film itself says; `nil` for what its take says.
  ///
  /// The pixels are turned, which every player shows: many know no matrix that mirrors, and Matroska none at all. A copy,
  /// which decodes nothing, tells the player instead.
  public var turn: PictureTurn?
  /// How its frames are coded.
  public var codec: VideoEncoder.Kind
  /// The encoder's trade of time for size.
  public var preset: VideoEncoder.Preset
  /// The encoder's quality, as `Media.VideoEncoder.Kind.qualities` has it; `nil` for the usual one.
  public var quality: Double?
  /// Whether the flicker of lamps on alternating current is evened out.
  public var evensFlicker: Bool
  /// Whether capture time, frame number and rate are written into each frame.
  public var isStamped: Bool
  /// What becomes of the film's audio; `nil` keeps it, stretched, where no part of the clip is below half the speed.
  public var audio: ClipAudio?

  /// The options of a clip; those left out make one that looks as good as its master and plays anywhere.
  public init(
    speed: SpeedCurve? = nil, outputRate: FrameRate? = nil, fill: Fill = .hold,
    span: ClipSpan = .whole, crop: ClipCrop? = nil, zoom: ClipZoom? = nil, scale: ClipScale? = nil,
    development: DevelopmentOptions? = DevelopmentOptions(), deinterlacing: DeinterlacingOptions? = nil,
    turn: PictureTurn? = nil,
    codec: VideoEncoder.Kind = .h264,
    preset: VideoEncoder.Preset = .veryfast, quality: Double? = nil, evensFlicker: Bool = false,
    isStamped: Bool = false, audio: ClipAudio? = nil
  ) {
    self.speed = speed
    self.outputRate = outputRate
    self.fill = fill
    self.span = span
    self.crop = crop
    self.zoom = zoom
    self.scale = scale
    self.development = development
    self.deinterlacing = deinterlacing
    self.turn = turn
    self.codec = codec
    self.preset = preset
    self.quality = quality
    self.evensFlicker = evensFlicker
    self.isStamped = isStamped
    self.audio = audio
  }

  /// Finds out whether a clip can be made so, before anything is filmed or read.
  ///
  /// - Throws: `MediaError.Code.unsupported` with what is possible.
  public func check(for container: Container, _ path: FilePath) throws(MediaError) {
    try codec.check()
    guard container.canHold(codec.codec) else {
      let usual = codec.usualContainer
      let others = Container.holding(codec.codec).filter { $0 != usual && $0 != .nut }
      let names = ([usual] + others).map { ".\($0.fileExtension)" }.joined(separator: " or ")
      throw MediaError(
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
  ///   - duration: how long the film lasts at most, in seconds of capture time; `nil` where nobody
  ///     knows.
  /// - Throws: `MediaError.Code.outOfRange` where the film has no such part.
  public func check(
    width: Int, height: Int, turned turn: PictureTurn? = nil, lasting duration: Fraction?
  ) throws(MediaError) {
    _ = try ClipGeometry(
      of: VideoTrack(codec: .mjpeg, width: width, height: height), crop: crop, scale: scale,
      orientation: Orientation(self.turn ?? turn ?? .none))
    try span.check(lasting: duration)
  }

  /// How the pixels of `film` are turned; upright where a player turns them, or nobody.
  func orientation(of film: VideoTrack, from source: ClipSource) -> Orientation {
    let turn = Orientation(self.turn ?? source.turn ?? .none)
    return turnsPixels(of: film, from: source) ? film.orientation.followed(by: turn) : .upright
  }

  /// Whether the clip's pixels are turned, rather than by a player, which would turn a stamp with them, and is told
  /// nothing through a pipe.
  func turnsPixels(of film: VideoTrack, from source: ClipSource) -> Bool {
    (turn ?? source.turn ?? .none) != .none || (isStamped || codec == .raw) && film.orientation != .upright
  }

  func check() throws(MediaError) {
    if isStamped, fill.isInterpolated {
      throw MediaError(
        .unsupported,
        "a frame that is mixed of two was never captured, so it has no time to stamp. Let frames be held.")
    }
    if let quality {
      guard let qualities = codec.qualities, qualities.contains(quality) else {
        throw MediaError(.unsupported, "a quality of \(quality) is none of \(codec.rawValue).")
      }
    }
    try outputRate?.framesPerSecond.checkFitsContainer("a rate")
    try speed?.constant?.factor.checkFitsContainer("a speed")
  }

  /// What the clip's file says of how it was made.
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

extension ClipSpan {
  /// Finds out whether a film of at most this length has such a part, before it is filmed.
  ///
  /// - Parameter duration: in seconds of capture time; `nil` where nobody knows.
  /// - Throws: `MediaError.Code.outOfRange` where it has not.
  public func check(lasting duration: Fraction?) throws(MediaError) {
    try check("the recording", lasting: duration ?? Fraction(.max))
  }

  /// - Throws: ``MediaError/Code/outOfRange`` where the film at `path`, which lasts `duration` seconds, has none of it.
  func check(_ path: FilePath, lasting duration: Fraction) throws(MediaError) {
    // A film of one frame may say nothing of how long it is.
    guard start == .zero || start.inSeconds < duration else {
      throw MediaError(
        .outOfRange,
        "\(path): lasts \(duration.decimal(places: 3)) s of capture time, and the part begins after that. Begin it earlier.",
        action: .choosePart
      )
    }
    if let end, end <= start {
      throw MediaError(
        .outOfRange, "the part of the film ends before it begins. End it later.", action: .choosePart)
    }
  }
}

extension Fraction {
  /// - Throws: ``MediaError/Code/unsupported`` where a term does not fit the 31 bits that containers have for it.
  func checkFitsContainer(_ name: String) throws(MediaError) {
    guard max(numerator, denominator) <= Int32.max else {
      throw MediaError(
        .unsupported, "\(name) of \(self) has more digits than a container can hold. Round it.")
    }
  }
}
