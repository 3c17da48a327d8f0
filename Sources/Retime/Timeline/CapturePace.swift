import Media
public import SystemPackage
public import Timebase

/// The ratio of a source's capture rate to its playback rate, and the origin of that value.
public struct CapturePace: Hashable, Sendable {
  /// The origin of a pace.
  public enum Source: String, Hashable, Sendable {
    /// The request for the clip.
    case asked
    /// The take that the source belongs to.
    case take
    /// The group whose cameras the source shows together.
    case group
    /// The source itself, made by Overcrank.
    case overcrank
    /// `com.android.capture.fps`.
    case android
    /// Samsung's `smta`.
    case samsung
    /// The sidecar (AAE) of Apple's Photos: its source plays in real time.
    case apple
    /// The times of its frames: a source that plays 100 or more per second was captured at that rate.
    case timestamps
    /// No origin: the source is assumed to play in real time.
    case unknown
  }

  /// Capture seconds in one second of the source.
  public let speed: Fraction
  /// The origin of `speed`.
  public let source: Source
  /// Frames per second as the source plays, if none were lost; `nil` if unknown.
  public let playedRate: Fraction?
  /// The speeds at which the phone that recorded it plays it, in capture time; `nil` if none are stored.
  public let ramp: SpeedCurve?
  /// Claims of the source or its sidecar that are wrong or contradictory, and are ignored.
  public let ignored: [String]

  /// Frames captured per second; `nil` if unknown.
  public var captureRate: Fraction? {
    guard source != .unknown, let playedRate else { return nil }
    return playedRate / speed
  }

  /// The pace of a source that is assumed to play in real time.
  public static let unknown = CapturePace(
    speed: Fraction(1), source: .unknown, playedRate: nil, ramp: nil, ignored: [])

  private init(speed: Fraction, source: Source, playedRate: Fraction?, ramp: SpeedCurve?, ignored: [String]) {
    self.speed = speed
    self.source = source
    self.playedRate = playedRate
    self.ramp = ramp
    self.ignored = ignored
  }

  /// Determines the pace of the source at `path`; ``unknown`` if it cannot be read.
  ///
  /// - Parameters:
  ///   - path: the source.
  ///   - asked: the capture rate that the user states, which overrides all else; `nil` if not stated.
  ///   - takeSpeed: the speed that its take, or its group, states; `nil` if there is none.
  ///   - source: which of them states it.
  public init(
    of path: FilePath, asked: FrameRate? = nil, takeSpeed: Fraction? = nil, statedBy source: Source = .take
  ) {
    // libav may not read such a clip, and does not know its last frame's time.
    let animated = takeSpeed == nil ? nil : AnimationFacts(of: path)?.rate
    let played: Fraction?
    if let animated {
      played = animated
    } else if let video = try? Demuxer(path) {
      played =
        video.usualRate?.framesPerSecond ?? (asked == nil ? nil : Self.playedRate(path, video.timeBase))
    } else {
      self = .unknown
      return
    }
    let tags = SlowMotionTags(path)
    var claims = Claims(tags, played)
    if let asked {
      // A single frame has no rate.
      let speed = played.map { Self.snapped($0 / asked.framesPerSecond, within: Fraction(1, 500)) }
      claims.found = (speed ?? Fraction(1), .asked)
    } else if let takeSpeed {
      claims.found = (takeSpeed, source)
    } else if let own = SourcePace(path)?.speed {
      claims.found = (own, .overcrank)
    }
    claims.look(at: tags)
    let (speed, source) = claims.found ?? (Fraction(1), .unknown)
    let ramp = Self.ramp(tags, speed)
    if ramp == nil, tags.samsungStretches != nil || tags.appleStretches != nil {
      claims.ignored.append("its ramp does not fit its playback speed")
    }
    self.init(
      speed: speed, source: source, playedRate: played, ramp: ramp, ignored: tags.problems + claims.ignored)
  }

  /// Returns the frame rate of a source that does not state it, from the times of its frames; `nil` if those
  /// do not give it either.
  private static func playedRate(_ path: FilePath, _ timeBase: Fraction) -> Fraction? {
    guard let times = try? PacketScan(path).times, let first = times.first, let last = times.last,
      last.timestamp > first.timestamp
    else { return nil }
    let length = Fraction(last.timestamp.subtracting(clamping: first.timestamp)) * timeBase
    return Fraction(Int64(times.count - 1)) / length
  }

  /// The claims of a source; the first one counts.
  private struct Claims {
    var found: (speed: Fraction, source: Source)?
    var ignored: [String] = []
    private let played: Fraction?

    init(_ tags: SlowMotionTags, _ played: Fraction?) { self.played = played }

    mutating func look(at tags: SlowMotionTags) {
      if let rate = tags.androidRate { enter(rate, of: .android, "com.android.capture.fps") }
      if let rate = tags.samsungRate { enter(rate, of: .samsung, "saut") }
      if let sidecar = tags.sidecar {
        enter(Fraction(1), .apple, "sidecar \(sidecar.lastComponent?.string ?? "")", nil)
      }
      if found == nil, let played, played >= CapturePace.leastOfSlowMotion {
        found = (Fraction(1), .timestamps)
      }
    }

    private mutating func enter(_ rate: Fraction, of source: Source, _ name: String) {
      guard let played, let speed = CapturePace.speed(played, of: rate) else {
        return ignored.append("its \(name) of \(rate.decimal(places: 2)) fps does not fit its playback rate")
      }
      enter(speed, source, name, rate)
    }

    private mutating func enter(_ speed: Fraction, _ source: Source, _ name: String, _ rate: Fraction?) {
      guard let before = found else { return found = (speed, source) }
      // Measured rates vary.
      let ratio = speed / before.speed
      guard before.source != .asked, (ratio - Fraction(1)).magnitude > Fraction(1, 20) else { return }
      let words = rate.map { "\(name) of \($0.decimal(places: 2)) fps" } ?? name
      ignored.append("its \(words) contradicts a value that takes precedence")
    }
  }

  /// The frame rate from which a source is assumed to have been captured at the rate at which it plays.
  static let leastOfSlowMotion = Fraction(100)

  /// Returns the speed of a source that plays `played` frames per second and was captured at `captured`;
  /// `nil` if that is impossible.
  static func speed(_ played: Fraction, of captured: Fraction) -> Fraction? {
    guard played > Fraction(0), captured > Fraction(0) else { return nil }
    let speed = played / captured
    // Phones vary their rate with the light, and none slows down by less than half.
    if speed > Fraction(2, 3), speed < Fraction(3, 2) { return Fraction(1) }
    // A time lapse plays faster than it was captured, but below 100 frames per second.
    guard speed < Fraction(1) || played < leastOfSlowMotion else { return nil }
    return Speed(snapped(speed, within: Fraction(1, 50)))?.factor
  }

  /// Returns `speed`, or a whole number or its reciprocal within `stray` of it: 29.97 of 240 frames per
  /// second are an eighth.
  private static func snapped(_ speed: Fraction, within stray: Fraction) -> Fraction {
    let isSlow = speed < Fraction(1)
    let times = isSlow ? speed.reciprocal : speed
    let whole = Fraction(times.rounded)
    guard (times / whole - Fraction(1)).magnitude < stray else { return speed }
    return isSlow ? whole.reciprocal : whole
  }

  /// Returns the ramp that a phone stored as a curve: its stretches at their speeds, and the rest in real
  /// time.
  private static func ramp(_ tags: SlowMotionTags, _ speed: Fraction) -> SpeedCurve? {
    guard let stretches = tags.samsungStretches ?? tags.appleStretches else { return nil }
    var points = [SpeedCurve.Point(time: .zero, speed: .normal)]
    for stretch in stretches {
      guard let slow = Speed(stretch.speed) else { return nil }
      let (start, end) = (
        Duration(seconds: stretch.start.inSeconds * speed), Duration(seconds: stretch.end.inSeconds * speed)
      )
      // A stretch that begins at the end of another, or at the start of the source, jumps from there.
      if points.last?.time == start {
        points.removeLast()
      } else {
        points.append(SpeedCurve.Point(time: start, speed: .normal))
      }
      points.append(SpeedCurve.Point(time: start, speed: slow))
      points.append(SpeedCurve.Point(time: end, speed: slow))
      points.append(SpeedCurve.Point(time: end, speed: .normal))
    }
    return try? SpeedCurve(points: points)
  }
}
