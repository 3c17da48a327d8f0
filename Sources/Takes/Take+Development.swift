extension Take.Clip {
  /// How the numbers of a raw sensor became the clip's pictures.
  public struct Development: Codable, Hashable, Sendable {
    /// What was taken for black, as a part of the sensor's range.
    public var black: Double
    /// What told it: `profile`, `option` or `frame`; `nil` in takes of older versions.
    public var blackSource: String?
    /// The id of the profile that told the black level, the matrix or both; `nil` where none did.
    public var profile: String?
    /// What red, green and blue were multiplied by.
    public var whiteBalance: [Double]
    /// Three rows of three, by which the colours were mixed; `nil` where they were not.
    public var matrix: [Double]?

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

    /// Writes the development; what is unknown is `null`.
    public func encode(to encoder: any Encoder) throws {
      var keys = encoder.container(keyedBy: CodingKeys.self)
      try keys.encode(black, forKey: .black)
      try keys.encode(blackSource, forKey: .blackSource)
      try keys.encode(profile, forKey: .profile)
      try keys.encode(whiteBalance, forKey: .whiteBalance)
      try keys.encode(matrix, forKey: .matrix)
    }
  }
}
