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
