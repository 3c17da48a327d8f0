public import Timebase

/// How pictures are turned to be shown: first clockwise, by quarters of a turn, then mirrored from left to right.
public struct PictureTurn: Codable, Hashable, Sendable {
  /// 0, 90, 180 or 270, clockwise.
  public let degrees: Int
  /// Whether what was on the left is on the right then.
  public let isMirrored: Bool

  /// A turn; `nil` where `degrees` is none of 0, 90, 180 and 270.
  public init?(degrees: Int, isMirrored: Bool = false) {
    guard [0, 90, 180, 270].contains(degrees) else { return nil }
    self.degrees = degrees
    self.isMirrored = isMirrored
  }

  /// A turn without a mirror, by degrees as text.
  public init(text: String) throws(QuantityError) {
    guard let degrees = Int(text), let turn = PictureTurn(degrees: degrees) else {
      throw QuantityError(
        text, expected: "a number of quarters of a turn: 0, 90, 180 or 270 degrees, clockwise")
    }
    self = turn
  }

  /// As the pictures lie.
  public static let none = PictureTurn(unchecked: 0, false)

  private init(unchecked degrees: Int, _ isMirrored: Bool) {
    self.degrees = degrees
    self.isMirrored = isMirrored
  }

  /// The same, mirrored or not.
  public func mirrored(_ isMirrored: Bool) -> PictureTurn { PictureTurn(unchecked: degrees, isMirrored) }

  private enum CodingKeys: String, CodingKey {
    case degrees = "rotate"
    case isMirrored = "mirror"
  }

  /// Reads a turn.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: CodingKeys.self)
    let degrees = try keys.decode(Int.self, forKey: .degrees)
    guard
      let turn = PictureTurn(degrees: degrees, isMirrored: try keys.decode(Bool.self, forKey: .isMirrored))
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .degrees, in: keys, debugDescription: "\(degrees) is none of 0, 90, 180 and 270")
    }
    self = turn
  }
}
