import Platform
public import Media
import SystemPackage

/// The settings for developing a raw source.
public struct DevelopmentOptions: PictureStage {
  /// The factors for red, green and blue.
  public enum WhiteBalance: Hashable, Sendable {
    /// Grey-world factors from a few frames, the same for all.
    case auto
    /// No factors.
    case none
    /// Given factors.
    case gains(red: Double, green: Double, blue: Double)

    /// The range of each factor.
    public static let factors = 1.0 / 16...16
  }

  /// The factors for red, green and blue.
  public var whiteBalance: WhiteBalance
  /// The black level in sensor steps; `nil` for the known level of the sensor, or else the darkest value in
  /// the source.
  public var black: Int?
  /// Whether grey sources are developed even if they claim to be processed, or claim nothing.
  public var isForced: Bool

  /// Creates settings for a development.
  public init(whiteBalance: WhiteBalance = .auto, black: Int? = nil, isForced: Bool = false) {
    self.whiteBalance = whiteBalance
    self.black = black
    self.isForced = isForced
  }

  /// The stage's key in the description of a clip.
  public static var name: String { "develop" }

  /// Returns `WholeSourceNeed.development` if frames must be sampled because a setting is unknown.
  public func wholeSourceNeed(of video: VideoTrack?, sensor: SensorFacts?) -> WholeSourceNeed? {
    guard let video, applies(to: video) else { return nil }
    return samplesFrames(of: video, sensor) ? .development : nil
  }

  private enum CodingKeys: String, CodingKey {
    case whiteBalance = "white_balance"
    case black
    case isForced = "forced"
  }

  /// Whether the stage applies to a source like `track`.
  func applies(to track: VideoTrack) -> Bool { track.isRaw && (track.isLinear || isForced) }

  /// Whether frames throughout a source like `track` are sampled for settings that are unknown.
  func samplesFrames(of track: VideoTrack, _ sensor: SensorFacts?) -> Bool {
    black == nil && sensor?.black == nil || whiteBalance == .auto && !track.isGrey
  }
}

extension DevelopmentOptions.WhiteBalance: Codable {
  private enum Word: String, Codable { case auto, none }

  /// Decodes `auto`, `none`, or an array of three factors.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    guard let gains = try? value.decode([Double].self) else {
      self = try value.decode(Word.self) == .auto ? .auto : .none
      return
    }
    guard gains.count == 3, gains.allSatisfy(Self.factors.contains) else {
      throw DecodingError.dataCorruptedError(
        in: value, debugDescription: "\(gains) is not a list of three factors")
    }
    self = .gains(red: gains[0], green: gains[1], blue: gains[2])
  }

  /// Encodes a value that ``init(from:)`` decodes.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .auto: try value.encode(Word.auto)
    case .none: try value.encode(Word.none)
    case .gains(let red, let green, let blue): try value.encode([red, green, blue])
    }
  }
}

/// Known properties of the sensor that captured a source.
public struct SensorFacts: Hashable, Sendable {
  /// The id of the profile that states them; `nil` if they have another origin.
  public var profile: String?
  /// The black level, as a fraction of the range; `nil` if unknown.
  public var black: Double?
  /// The 3×3 matrix from its balanced colours to linear sRGB, row by row; `nil` if unknown.
  public var matrix: [Double]?

  /// Creates a description of a sensor.
  public init(profile: String? = nil, black: Double? = nil, matrix: [Double]? = nil) {
    self.profile = profile
    self.black = black
    self.matrix = matrix
  }
}

/// The origin of the settings with which a raw source was developed.
public struct DevelopmentSource: Hashable, Sendable {
  /// The origin of the black level.
  public enum Black: String, Hashable, Sendable {
    /// The known properties of the sensor.
    case profile
    /// The user's option.
    case option
    /// The darkest of the source's own frames.
    case frame
  }

  /// The origin of the black level.
  public var black: Black
  /// The id of the profile that stated the black level, the matrix or both; `nil` if none did.
  public var profile: String?
  /// Whether frames throughout the source were sampled, for black or for white balance.
  public var samplesFrames: Bool

  init(
    _ options: DevelopmentOptions, _ track: VideoTrack, _ sensor: SensorFacts?, isMixed: Bool
  ) {
    black = options.black != nil ? .option : sensor?.black != nil ? .profile : .frame
    profile = black == .profile || isMixed ? sensor?.profile : nil
    samplesFrames = options.samplesFrames(of: track, sensor)
  }
}

extension RawDevelopment {
  /// The number of frames to sample.
  private static let frameCount = 24
  /// The highest black level: ten-bit sensors give 64 without light, and hardly any gives more.
  private static let highestBlack = 64.0 / 1023

  /// Creates the development of the raw source at `path`, from the options, or else from samples of its
  /// frames.
  ///
  /// - Throws: `OvercrankError` if it cannot be read.
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
          "\(path): its samples range from 0 to \(range), so black cannot be \(steps). The maximum is "
            + "\(Int(Self.blacks.upperBound * Double(range))).")
      }
    }
    var squares: [RawSampler.Square] = []
    if options.samplesFrames(of: track, sensor) {
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
    // A matrix applies to balanced colours only.
    let isBalanced = !isGrey && options.whiteBalance != .none
    self.init(black: level, gains: gains, matrix: isBalanced ? sensor?.matrix : nil)
  }

  /// Returns the darkest mean of a colour in a square, limited to the highest black level.
  private static func darkest(_ squares: [RawSampler.Square], isGrey: Bool) -> Double {
    let darkest = squares.map { isGrey ? $0.green : min($0.red, $0.green, $0.blue) }.min() ?? 0
    return min(darkest, highestBlack)
  }

  /// Returns grey-world factors for all squares, then refined on those that look grey with them, if there are
  /// enough.
  private static func greyWorld(_ squares: [RawSampler.Square], black: Double) -> [Double] {
    // Clipped or nearly black squares have lost their colour.
    let lit = squares.filter { $0.brightest < 0.98 && $0.green - black > 0.004 }.map {
      SIMD3(max($0.red - black, 1e-5), $0.green - black, max($0.blue - black, 1e-5))
    }
    var gains = balance(lit)
    // Narrows the selection to squares ever nearer to grey.
    for spread in [1.8, 1.7, 1.6, 1.5, 1.4, 1.3, 1.25, 1.2, 1.15, 1.15] {
      let grey = lit.filter { square in
        let colors = square * gains
        return colors.max() <= spread * colors.min()
      }
      // At least a twentieth of the picture; otherwise nothing in it is known to be grey.
      guard grey.count >= max(4, lit.count / 20) else { break }
      gains = balance(grey)
    }
    // The smallest factor is 1, so that the sensor's white stays white.
    let held = (0..<3).map { gains[$0] / gains.min() }
    return held
  }

  private static func balance(_ squares: [SIMD3<Double>]) -> SIMD3<Double> {
    let sum = squares.reduce(SIMD3<Double>(repeating: 0), +)
    guard sum.min() > 0 else { return SIMD3(1, 1, 1) }
    return SIMD3(repeating: sum.y) / sum
  }
}
