import Platform
public import Media
import SystemPackage

/// How a raw film is developed.
public struct DevelopmentOptions: PictureStage {
  /// What red, green and blue are multiplied by.
  public enum WhiteBalance: Hashable, Sendable {
    /// What makes the film grey in the mean, from a few frames of it, and the same for all.
    case auto
    /// Nothing.
    case none
    /// These factors.
    case gains(red: Double, green: Double, blue: Double)

    /// The factors that there are.
    public static let factors = 1.0 / 16...16
  }

  /// What red, green and blue are multiplied by.
  public var whiteBalance: WhiteBalance
  /// What the sensor gives without light, in its own steps; `nil` for what is known of it, else the darkest that the
  /// film shows.
  public var black: Int?
  /// Whether grey films are developed too that say they are processed, or say nothing.
  public var isForced: Bool

  /// A development.
  public init(whiteBalance: WhiteBalance = .auto, black: Int? = nil, isForced: Bool = false) {
    self.whiteBalance = whiteBalance
    self.black = black
    self.isForced = isForced
  }

  /// Its key in the description of a clip.
  public static var name: String { "develop" }

  /// What all frames show, where nobody told how else.
  public func wholeFilmNeed(of film: VideoTrack?, sensor: SensorFacts?) -> WholeFilmNeed? {
    guard let film, applies(to: film) else { return nil }
    return asksFrames(of: film, sensor) ? .development : nil
  }

  private enum CodingKeys: String, CodingKey {
    case whiteBalance = "white_balance"
    case black
    case isForced = "forced"
  }

  /// Whether it is for a film like `track`.
  func applies(to track: VideoTrack) -> Bool { track.isRaw && (track.isLinear || isForced) }

  /// Whether frames all over a film like `track` are looked at for it, as nobody told what they tell.
  func asksFrames(of track: VideoTrack, _ sensor: SensorFacts?) -> Bool {
    black == nil && sensor?.black == nil || whiteBalance == .auto && !track.isGrey
  }
}

extension DevelopmentOptions.WhiteBalance: Codable {
  private enum Word: String, Codable { case auto, none }

  /// Reads `auto`, `none`, or an array of three factors.
  ///
  /// - Throws: `DecodingError` where it is neither.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    guard let gains = try? value.decode([Double].self) else {
      self = try value.decode(Word.self) == .auto ? .auto : .none
      return
    }
    guard gains.count == 3, gains.allSatisfy(Self.factors.contains) else {
      throw DecodingError.dataCorruptedError(in: value, debugDescription: "\(gains) are no three factors")
    }
    self = .gains(red: gains[0], green: gains[1], blue: gains[2])
  }

  /// Writes what ``init(from:)`` reads.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .auto: try value.encode(Word.auto)
    case .none: try value.encode(Word.none)
    case .gains(let red, let green, let blue): try value.encode([red, green, blue])
    }
  }
}

/// What is known of the sensor that a film was captured with.
public struct SensorFacts: Hashable, Sendable {
  /// The id of the profile that says so; `nil` where another source does.
  public var profile: String?
  /// What it gives without light, as a part of its range; `nil` where nobody knows.
  public var black: Double?
  /// Three rows of three, that make linear sRGB of its balanced colours; `nil` where nobody knows.
  public var matrix: [Double]?

  /// What is known of a sensor.
  public init(profile: String? = nil, black: Double? = nil, matrix: [Double]? = nil) {
    self.profile = profile
    self.black = black
    self.matrix = matrix
  }
}

/// What told how a raw film is to be developed.
public struct DevelopmentSource: Hashable, Sendable {
  /// What told the black level.
  public enum Black: String, Hashable, Sendable {
    /// What is known of the sensor.
    case profile
    /// Whoever asked for the clip.
    case option
    /// The film's own frames: the darkest of them.
    case frame
  }

  /// What told the black level.
  public var black: Black
  /// The id of the profile that told the black level, the matrix or both; `nil` where none did.
  public var profile: String?
  /// Whether frames all over the film were looked at, for black or for white balance.
  public var asksFrames: Bool

  init(
    _ options: DevelopmentOptions, _ track: VideoTrack, _ sensor: SensorFacts?, isMixed: Bool
  ) {
    black = options.black != nil ? .option : sensor?.black != nil ? .profile : .frame
    profile = black == .profile || isMixed ? sensor?.profile : nil
    asksFrames = options.asksFrames(of: track, sensor)
  }
}

extension RawDevelopment {
  /// Frames that are looked at.
  private static let frameCount = 24
  /// Sensors of ten bits give 64 without light, and hardly one gives more: what is brighter is light.
  private static let highestBlack = 64.0 / 1023

  /// How the raw film at `path` is developed: as told, else from a look at frames all over it.
  ///
  /// - Throws: `OvercrankError` where it cannot be read.
  init(
    _ options: DevelopmentOptions, of path: FilePath, _ track: VideoTrack, _ sensor: SensorFacts?
  ) throws(OvercrankError) {
    let isGrey = track.isGrey
    var black = sensor?.black
    if let steps = options.black {
      let range = (1 << track.sensorBits) - 1
      black = Double(steps) / Double(range)
      guard let black, Self.blacks.contains(black) else {
        throw OvercrankError(
          .outOfRange,
          "\(path): its samples go from 0 to \(range), so black cannot be \(steps). It may be up to "
            + "\(Int(Self.blacks.upperBound * Double(range))).")
      }
    }
    var squares: [RawSampler.Square] = []
    if options.asksFrames(of: track, sensor) {
      var sampler = try RawSampler(path)
      for number in 0..<Self.frameCount {
        squares += try sampler.squares(at: Double(number) / Double(Self.frameCount)) ?? []
      }
    }
    let level = black ?? Self.darkest(squares, isGrey: isGrey)
    let gains: [Double] =
      switch options.whiteBalance {
      case _ where isGrey: [1, 1, 1]
      case .none: [1, 1, 1]
      case .gains(let red, let green, let blue): [red, green, blue]
      case .auto: Self.greyWorld(squares, black: level)
      }
    // A matrix is for balanced colours.
    let isBalanced = !isGrey && options.whiteBalance != .none
    self.init(black: level, gains: gains, matrix: isBalanced ? sensor?.matrix : nil)
  }

  /// The darkest mean of a colour in a square; nothing is darker than black.
  private static func darkest(_ squares: [RawSampler.Square], isGrey: Bool) -> Double {
    let darkest = squares.map { isGrey ? $0.green : min($0.red, $0.green, $0.blue) }.min() ?? 0
    return min(darkest, highestBlack)
  }

  /// The factors that make the squares grey in the mean; then those that look grey with them, as far as there are some.
  private static func greyWorld(_ squares: [RawSampler.Square], black: Double) -> [Double] {
    // What is clipped or next to black has lost its colour.
    let lit = squares.filter { $0.brightest < 0.98 && $0.green - black > 0.004 }.map {
      SIMD3(max($0.red - black, 1e-5), $0.green - black, max($0.blue - black, 1e-5))
    }
    var gains = balance(lit)
    // The nearer to grey, the fewer are asked.
    for spread in [1.8, 1.7, 1.6, 1.5, 1.4, 1.3, 1.25, 1.2, 1.15, 1.15] {
      let grey = lit.filter { square in
        let colors = square * gains
        return colors.max() <= spread * colors.min()
      }
      // A twentieth of the picture, else nothing in it is known to be grey.
      guard grey.count >= max(4, lit.count / 20) else { break }
      gains = balance(grey)
    }
    // The least is 1, so that what is white to the sensor is white.
    let held = (0..<3).map { gains[$0] / gains.min() }
    return held
  }

  private static func balance(_ squares: [SIMD3<Double>]) -> SIMD3<Double> {
    let sum = squares.reduce(SIMD3<Double>(repeating: 0), +)
    guard sum.min() > 0 else { return SIMD3(1, 1, 1) }
    return SIMD3(repeating: sum.y) / sum
  }
}
