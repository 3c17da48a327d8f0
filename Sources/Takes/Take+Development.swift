public import Timebase

extension Take.Clip {
  /// How the numbers of a raw sensor became the clip's pictures.
  public struct Development: Codable, Hashable, Sendable {
    /// What was taken for black, as a part of the sensor's range.
    public var black: Double
    /// What told it: `profile`, `option` or `frame`; `nil` in takes of older versions.
    @Nullable public var blackSource: String?
    /// The id of the profile that told the black level, the matrix or both; `nil` where none did.
    @Nullable public var profile: String?
    /// What red, green and blue were multiplied by.
    public var whiteBalance: [Double]
    /// Three rows of three, by which the colours were mixed; `nil` where they were not.
    @Nullable public var matrix: [Double]?

    /// A development.
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
  /// What a clip's maker found of the flicker of lamps on alternating current, and left of it.
  public struct Flicker: Codable, Hashable, Sendable {
    /// Swings of the light a second, 100 or 120; `nil` where the light is steady, and nothing was changed.
    @Nullable public var hertz: Int?
    /// How far the light of the film swings around its mean, in percent of that.
    @Nullable public var depthPercent: Double?
    /// The same of the clip.
    @Nullable public var depthAfterPercent: Double?

    /// What was found.
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
  /// The frames of a clip that were made of the two captured ones around them.
  public struct Interpolation: Codable, Hashable, Sendable {
    /// How they were made: `blend` or `flow`.
    public var fill: String
    /// How many there are.
    public var frames: Int
    /// How many of them stand where frames were lost or damaged.
    public var framesInGaps: Int
    /// How much of what was to be made shows a captured frame as it is, as nothing there was found in the other; in
    /// percent.
    public var heldPercent: Double

    /// Frames that were made.
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
