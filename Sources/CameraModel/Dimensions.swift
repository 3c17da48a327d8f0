/// A width and a height in pixels.
public struct Dimensions: Hashable, Sendable, CustomStringConvertible {
  /// Pixels across.
  public var width: UInt32
  /// Pixels down.
  public var height: UInt32

  /// Creates a size of `width` by `height` pixels.
  public init(width: UInt32, height: UInt32) {
    self.width = width
    self.height = height
  }

  /// Reads `640x480`; `nil` if the text is not a size.
  package init?(text: some StringProtocol) {
    let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, !text.contains("+"), let width = UInt32(sides[0]), let height = UInt32(sides[1]),
      width > 0, height > 0
    else { return nil }
    self.init(width: width, height: height)
  }

  /// `640x480`.
  public var description: String { "\(width)x\(height)" }
}

extension Dimensions: Codable {
  /// Reads `[640, 480]`.
  public init(from decoder: any Decoder) throws {
    let terms = try decoder.singleValueContainer().decode([UInt32].self)
    guard terms.count == 2 else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "a size has two numbers, as in [640, 480]"))
    }
    self.init(width: terms[0], height: terms[1])
  }

  /// Writes `[640, 480]`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode([width, height])
  }
}
