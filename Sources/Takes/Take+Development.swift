public import Timebase

extension Take.Clip {
  /// The conversion of a raw sensor's samples to the clip's pictures.
  public struct Development: Codable, Hashable, Sendable {
    /// The black level, as a fraction of the sensor's range.
    public var black: Double
    /// The source of the black level: `profile`, `option` or `frame`; `nil` in takes of older versions.
    @Nullable public var blackSource: String?
    /// The id of the profile with the black level, the matrix or both; `nil` if none was used.
    @Nullable public var profile: String?
    /// The factors of red, green and blue.
    public var whiteBalance: [Double]
    /// Three rows of three, the colour matrix; `nil` if none was used.
    @Nullable public var matrix: [Double]?

    /// Creates a development.
    public init(
      black: Double, from blackSource: String? = nil, profile: String? = nil, whiteBalance: [Double],
      matrix: [Double]?
    ) {
      self.black = black
      self.blackSource = blackSource
      self.profile = profile
      self.whiteBalance = whiteBalance
      self.matrix = matrix
    }

    enum CodingKeys: String, CodingKey {
      case black, profile, matrix
      case blackSource = "black_from"
      case whiteBalance = "white_balance"
    }
  }
}

extension Take.Clip {
  /// The flicker of lamps on alternating current in a clip's source, and the rest of it in the clip.
  public struct Flicker: Codable, Hashable, Sendable {
    /// The frequency of the light's flicker, 100 or 120 Hz; `nil` if the light is steady, and nothing was
    /// changed.
    @Nullable public var hertz: Int?
    /// The amplitude of the flicker in the source, in percent of the mean brightness.
    @Nullable public var depthPercent: Double?
    /// The amplitude of the flicker in the clip, in percent of the mean brightness.
    @Nullable public var depthAfterPercent: Double?

    /// Creates a result.
    public init(hertz: Int? = nil, depthPercent: Double? = nil, depthAfterPercent: Double? = nil) {
      self.hertz = hertz
      self.depthPercent = depthPercent
      self.depthAfterPercent = depthAfterPercent
    }

    enum CodingKeys: String, CodingKey {
      case hertz = "light_hz"
      case depthPercent = "depth_percent"
      case depthAfterPercent = "depth_after_percent"
    }
  }
}

extension Take.Clip {
  /// The frames of a clip that were made from the two captured ones around them.
  public struct Interpolation: Codable, Hashable, Sendable {
    /// The method: `blend` or `flow`.
    public var fill: String
    /// The number of such frames.
    public var frames: Int
    /// The number of such frames in gaps left by lost or damaged frames.
    public var framesInGaps: Int
    /// The share of those pictures that shows a captured frame unchanged, as no match was found in the other;
    /// in percent.
    public var heldPercent: Double

    /// Creates a result.
    public init(fill: String, frames: Int, framesInGaps: Int, heldPercent: Double) {
      self.fill = fill
      self.frames = frames
      self.framesInGaps = framesInGaps
      self.heldPercent = heldPercent
    }

    enum CodingKeys: String, CodingKey {
      case fill, frames
      case framesInGaps = "frames_in_gaps"
      case heldPercent = "held_percent"
    }
  }
}
