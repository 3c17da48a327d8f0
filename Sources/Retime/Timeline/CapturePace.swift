import Media
public import SystemPackage
public import Timebase

/// How fast a film was captured against how it plays, and what says so.
public struct CapturePace: Hashable, Sendable {
  /// What says how fast a film was captured.
  public enum Source: String, Hashable, Sendable {
    /// Whoever asks for the clip.
    case asked
    /// The take that it belongs to.
    case take
    /// The film itself, which Overcrank made.
    case overcrank
    /// `com.android.capture.fps`.
    case android
    /// Samsung's `smta`.
    case samsung
    /// The sidecar (AAE) of Apple's Photos: such a film plays in real time.
    case apple
    /// Its frames' times: nobody shows 100 frames a second but of a film that was captured so.
    case timestamps
    /// Nothing does: it is taken for a film in real time.
    case unknown
  }

  /// Capture seconds that pass in one second of the film.
  public let speed: Fraction
  /// What says so.
  public let source: Source
  /// Frames a second as the film plays, were none lost; `nil` where it does not say.
  public let playedRate: Fraction?
  /// The speeds at which the phone that recorded it plays it, in capture time; `nil` where none are stored.
  public let ramp: SpeedCurve?
  /// What the film or its sidecar claims that is wrong, or does not fit the rest, and is ignored.
  public let ignored: [String]

  /// Frames captured a second; `nil` where that is not known.
  public var captureRate: Fraction? {
    guard source != .unknown, let playedRate else { return nil }
    return playedRate / speed
  }

  /// A film that plays as in life, as far as anybody knows.
  public static let unknown = CapturePace(
    speed: Fraction(1), source: .unknown, playedRate: nil, ramp: nil, ignored: [])

  private init(speed: Fraction, source: Source, playedRate: Fraction?, ramp: SpeedCurve?, ignored: [String]) {
    self.speed = speed
    self.source = source
    self.playedRate = playedRate
    self.ramp = ramp
    self.ignored = ignored
  }

  /// The pace of the film at `path`; ``unknown`` where it cannot be read.
  ///
  /// - Parameters:
  ///   - path: the film.
  ///   - asked: how fast it was captured, which counts more than all else; `nil` where nobody says.
  ///   - takeSpeed: how fast it plays, as its take says; `nil` where there is none.
  public init(of path: FilePath, asked: FrameRate? = nil, takeSpeed: Fraction? = nil) {
    guard let film = try? Demuxer(path) else {
      self = .unknown
      return
    }
    let tags = PhoneTags(path)
    let played =
      film.usualRate?.framesPerSecond ?? (asked == nil ? nil : Self.playedRate(path, film.timeBase))
    var claims = Claims(tags, played)
    if let asked {
      // Of a single frame there is none.
      let speed = played.map { Self.snapped($0 / asked.framesPerSecond, within: Fraction(1, 500)) }
      claims.found = (speed ?? Fraction(1), .asked)
    } else if let takeSpeed {
      claims.found = (takeSpeed, .take)
    } else if let own = FilmPace(path)?.speed {
      claims.found = (own, .overcrank)
    }
    claims.look(at: tags)
    let (speed, source) = claims.found ?? (Fraction(1), .unknown)
    let ramp = Self.ramp(tags, speed)
    if ramp == nil, tags.samsungStretches != nil || tags.appleStretches != nil {
      claims.ignored.append("its ramp does not fit how fast it plays")
    }
    self.init(
      speed: speed, source: source, playedRate: played, ramp: ramp, ignored: tags.problems + claims.ignored)
  }

  /// Frames a second of a film that does not say it, by the times of its frames; `nil` where those do not tell either.
  private static func playedRate(_ path: FilePath, _ timeBase: Fraction) -> Fraction? {
    guard let times = try? PacketScan(path).times, let first = times.first, let last = times.last,
      last.timestamp > first.timestamp
    else { return nil }
    let length = Fraction(last.timestamp.subtracting(clamping: first.timestamp)) * timeBase
    return Fraction(Int64(times.count - 1)) / length
  }

  /// The claims of a film, the first of which counts.
  private struct Claims {
    var found: (speed: Fraction, source: Source)?
    var ignored: [String] = []
    private let played: Fraction?

    init(_ tags: PhoneTags, _ played: Fraction?) { self.played = played }

    mutating func look(at tags: PhoneTags) {
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
        return ignored.append("its \(name) of \(rate.decimal(places: 2)) fps does not fit how it plays")
      }
      enter(speed, source, name, rate)
    }

    private mutating func enter(_ speed: Fraction, _ source: Source, _ name: String, _ rate: Fraction?) {
      guard let before = found else { return found = (speed, source) }
      // What is measured strays.
      let ratio = speed / before.speed
      guard before.source != .asked, (ratio - Fraction(1)).magnitude > Fraction(1, 20) else { return }
      let words = rate.map { "\(name) of \($0.decimal(places: 2)) fps" } ?? name
      ignored.append("its \(words) contradicts what counts more")
    }
  }

  /// Frames a second from which on a film is taken for one that was captured so.
  static let leastOfSlowMotion = Fraction(100)

  /// How fast a film of `played` frames a second plays that was captured at `captured`; `nil` where that cannot be.
  static func speed(_ played: Fraction, of captured: Fraction) -> Fraction? {
    guard played > Fraction(0), captured > Fraction(0) else { return nil }
    let speed = played / captured
    // Phones vary their rate with the light, and none slows down by less than half.
    if speed > Fraction(2, 3), speed < Fraction(3, 2) { return Fraction(1) }
    // A time lapse plays faster than it was captured, but not that many frames.
    guard speed < Fraction(1) || played < leastOfSlowMotion else { return nil }
    return Speed(snapped(speed, within: Fraction(1, 50)))?.factor
  }

  /// `speed`, or the whole number of times slower or faster that is so near: 29.97 frames a second of 240 are an eighth.
  private static func snapped(_ speed: Fraction, within stray: Fraction) -> Fraction {
    let isSlow = speed < Fraction(1)
    let times = isSlow ? speed.reciprocal : speed
    let whole = Fraction(times.rounded)
    guard (times / whole - Fraction(1)).magnitude < stray else { return speed }
    return isSlow ? whole.reciprocal : whole
  }

  /// What a phone stored as a curve: its stretches at their speeds, and all else as in life.
  private static func ramp(_ tags: PhoneTags, _ speed: Fraction) -> SpeedCurve? {
    guard let stretches = tags.samsungStretches ?? tags.appleStretches else { return nil }
    var points = [SpeedCurve.Point(time: .zero, speed: .normal)]
    for stretch in stretches {
      guard let slow = Speed(stretch.speed) else { return nil }
      let (start, end) = (
        Duration(seconds: stretch.start.inSeconds * speed), Duration(seconds: stretch.end.inSeconds * speed)
      )
      // One that begins where another ends, or the film begins, jumps from there.
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
