import Media
public import Timebase

extension Profile {
  /// The conversion of the camera's raw samples to a picture.
  public struct Raw: Hashable, Sendable {
    /// The sample value without light; `nil` if no source states it.
    @Nullable public var black: Int?
    /// The bit depth of samples to which ``black`` applies.
    @Nullable public var bits: Int?
    /// Three rows of three that convert the sensor's balanced colours to linear sRGB; `nil` if no source
    /// states them.
    @Nullable public var matrix: [[Double]]?
    /// The source of these facts.
    public var source: String
    /// Further remarks.
    @Nullable public var note: String?

    /// The black level as a fraction of the sensor's range, which is the same in samples of any depth.
    public var blackPart: Double? {
      guard let black, let bits else { return nil }
      return Double(black) / Double((1 << bits) - 1)
    }
  }
}

extension Profile.Raw: Codable {
  enum CodingKeys: String, CodingKey, CaseIterable { case black, bits, matrix, source, note }

  /// The possible bit depths of a sensor's samples.
  private static let depths = 8...16
  /// The most that the sum of a row may differ from 1: grey must stay grey, but for rounding.
  private static let strayOfGrey = 0.01

  /// Reads the facts about a sensor's samples, and checks that they are valid.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.known(CodingKeys.self)
    black = try keys.decodeIfPresent(Int.self, forKey: .black)
    bits = try keys.decodeIfPresent(Int.self, forKey: .bits)
    matrix = try keys.decodeIfPresent([[Double]].self, forKey: .matrix)
    source = try keys.text(.source)
    note = try keys.textIfPresent(.note)
    switch (black, bits) {
    case (nil, nil):
      guard matrix != nil else {
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: decoder.codingPath, debugDescription: "this is empty: give black, matrix or both")
        )
      }
    case (nil, _): throw keys.wrong(.bits, "bits has no effect without black")
    case (_, nil):
      throw keys.wrong(.black, "this needs \"bits\", the depth of the samples that it is measured in")
    case (let black?, let bits?):
      guard Self.depths.contains(bits) else {
        throw keys.wrong(.bits, "\(bits) is not a depth of a sensor's samples, which is 8 to 16")
      }
      guard let part = blackPart, RawDevelopment.blacks.contains(part) else {
        throw keys.wrong(.black, "\(black) is not a black level of samples from 0 to \((1 << bits) - 1)")
      }
    }
    guard let matrix else { return }
    guard matrix.count == 3, matrix.allSatisfy({ $0.count == 3 && $0.allSatisfy(\.isFinite) }) else {
      throw keys.wrong(
        .matrix, "this must be three rows of three numbers, such as [[1, 0, 0], [0, 1, 0], [0, 0, 1]]")
    }
    if let row = matrix.first(where: { ($0[0] + $0[1] + $0[2] - 1).magnitude > Self.strayOfGrey }) {
      throw keys.wrong(.matrix, "the sum of the row \(row) is not 1, so grey would get a colour cast")
    }
  }
}
