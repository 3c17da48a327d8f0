extension Take.Clip {
  /// How the numbers of a raw sensor became the clip's pictures.
  public struct Development: Codable, Hashable, Sendable {
    /// What was taken for black, as a part of the sensor's range.
    public var black: Double
    /// What red, green and blue were multiplied by.
    public var whiteBalance: [Double]
    /// Three rows of three, by which the colours were mixed; `nil` where they were not.
    public var matrix: [Double]?

    /// A development.
    public init(black: Double, whiteBalance: [Double], matrix: [Double]?) {
      self.black = black
      self.whiteBalance = whiteBalance
      self.matrix = matrix
    }

    enum CodingKeys: String, CodingKey {
      case black, matrix
      case whiteBalance = "white_balance"
    }

    /// Writes the development; no matrix is `null`.
    public func encode(to encoder: any Encoder) throws {
      var keys = encoder.container(keyedBy: CodingKeys.self)
      try keys.encode(black, forKey: .black)
      try keys.encode(whiteBalance, forKey: .whiteBalance)
      try keys.encode(matrix, forKey: .matrix)
    }
  }
}
