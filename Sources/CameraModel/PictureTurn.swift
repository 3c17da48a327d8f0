public import Timebase

/// A turn of pictures for display: first clockwise, by quarter turns, then mirrored from left to right.
public struct PictureTurn: Codable, Hashable, Sendable {
  /// 0, 90, 180 or 270, clockwise.
  public let degrees: Int
  /// Whether left and right are swapped after the turn.
  public let isMirrored: Bool

  /// Creates a turn; `nil` if `degrees` is not 0, 90, 180 or 270.
  public init?(degrees: Int, isMirrored: Bool = false) {
    guard [0, 90, 180, 270].contains(degrees) else { return nil }
    self.degrees = degrees
    self.isMirrored = isMirrored
  }

  /// Reads a turn without a mirror from a number of degrees.
  public init(text: String) throws(QuantityError) {
    guard let degrees = Int(text), let turn = PictureTurn(degrees: degrees) else {
      throw QuantityError(
        text, expected: "a rotation of 0, 90, 180 or 270 degrees, clockwise")
    }
    self = turn
  }

  /// No turn and no mirror.
  public static let none = PictureTurn(unchecked: 0, false)

  private init(unchecked degrees: Int, _ isMirrored: Bool) {
    self.degrees = degrees
    self.isMirrored = isMirrored
  }

  /// Returns the same turn, mirrored or not.
  public func mirrored(_ isMirrored: Bool) -> PictureTurn { PictureTurn(unchecked: degrees, isMirrored) }

  private enum CodingKeys: String, CodingKey {
    case degrees = "rotate"
    case isMirrored = "mirror"
  }

  /// Decodes a turn.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: CodingKeys.self)
    let degrees = try keys.decode(Int.self, forKey: .degrees)
    guard
      let turn = PictureTurn(degrees: degrees, isMirrored: try keys.decode(Bool.self, forKey: .isMirrored))
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .degrees, in: keys, debugDescription: "\(degrees) is not 0, 90, 180 or 270")
    }
    self = turn
  }
}
