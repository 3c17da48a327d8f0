package import Platform
public import Media
public import Timebase

/// The part of a source's pictures that a clip shows, in the orientation in which a player shows them.
public enum ClipCrop: Hashable, Sendable {
  /// A given part.
  case part(PictureCrop)
  /// A part of this size at the centre.
  case centred(width: Int, height: Int)
  /// The largest centred part with this aspect ratio, as displayed.
  case shape(width: Int, height: Int)

  /// Parses `640x360+16+8`, `640x360` for the centre, or `9:16` for the largest part of this shape.
  public init(text: String) throws(QuantityError) {
    let terms = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    if terms.count == 2, let width = terms[0], let height = terms[1], Self.shapes.contains(width),
      Self.shapes.contains(height)
    {
      self = .shape(width: width, height: height)
      return
    }
    let parts = text.split(separator: "+", omittingEmptySubsequences: false)
    let sides = (parts.first ?? "").lowercased().split(separator: "x", omittingEmptySubsequences: false)
    let numbers = (sides + parts.dropFirst()).map { Int($0) }
    guard sides.count == 2, parts.count == 1 || parts.count == 3, let width = numbers[0],
      let height = numbers[1], !numbers.contains(where: { $0 == nil })
    else {
      throw QuantityError(
        text,
        expected:
          "a part of the picture: 640x360 (the middle), 640x360+16+8 (16 from the left, 8 from the top) or 9:16 "
          + "(the largest of this shape)")
    }
    let offsets = numbers.dropFirst(2).compactMap(\.self)
    guard ClipGeometry.sides.contains(width), ClipGeometry.sides.contains(height) else {
      let sides = ClipGeometry.sides
      throw QuantityError(
        text,
        expected: "from \(sides.lowerBound) to \(sides.upperBound) pixels each way"
          + (width > 0 && height > 0 ? "; \(width):\(height) is the largest part of that shape" : ""))
    }
    guard !([width, height] + offsets).contains(where: { $0 % 2 != 0 }) else {
      let even = "\(width & ~1)x\(height & ~1)" + offsets.map { "+\($0 & ~1)" }.joined()
      throw QuantityError(text, expected: "in even numbers, which video needs; \(even) is")
    }
    guard !offsets.contains(where: { $0 < 0 }) else {
      throw QuantityError(text, expected: "within the picture: its offsets count from 0")
    }
    self =
      offsets.isEmpty
      ? .centred(width: width, height: height)
      : .part(PictureCrop(width: width, height: height, x: offsets[0], y: offsets[1]))
  }

  /// The range of an aspect ratio's terms; larger ones are sizes.
  private static let shapes = 1...100

  /// Returns the part of a picture of this size, which may exceed the picture.
  ///
  /// - Parameter pixelAspectRatio: the width over height of a displayed pixel.
  func part(
    ofWidth width: Int, height: Int, pixelAspectRatio: Fraction = Fraction(1)
  ) -> PictureCrop {
    switch self {
    case .part(let part): part
    case .centred(let partWidth, let partHeight):
      PictureCrop(
        width: partWidth, height: partHeight, x: max(0, width - partWidth) / 2 & ~1,
        y: max(0, height - partHeight) / 2 & ~1)
    case .shape(let across, let down):
      Self.largest(
        Fraction(Int64(across), Int64(down)) / pixelAspectRatio, ofWidth: width, height: height)
    }
  }

  /// Returns the largest centred part whose width is `shape` times its height, in pixels.
  private static func largest(_ shape: Fraction, ofWidth width: Int, height: Int) -> PictureCrop {
    func even(_ side: Fraction) -> Int { max(2, Int(side.numerator / side.denominator) & ~1) }
    // A picture wider than the shape keeps its full height.
    let part: ClipCrop =
      Fraction(Int64(width), Int64(height)) > shape
      ? .centred(width: even(Fraction(Int64(height)) * shape), height: height & ~1)
      : .centred(width: width & ~1, height: even(Fraction(Int64(width)) / shape))
    return part.part(ofWidth: width, height: height)
  }

  /// Returns a message that this part exceeds pictures of a size, with one that fits.
  private func excess(ofWidth width: Int, height: Int) -> String {
    let pictures = "the source's frames are \(width)x\(height)"
    switch self {
    case .part(let part) where (0..<width - 1).contains(part.x) && (0..<height - 1).contains(part.y):
      return "\(pictures): \(part) exceeds them. From that offset, the maximum is "
        + "\((width - part.x) & ~1)x\((height - part.y) & ~1)."
    case .part(let part): return "\(pictures): \(part) begins outside them. Begin inside them."
    case .centred(let wanted, let rows):
      return "\(pictures): a part of \(wanted)x\(rows) is larger. \(min(wanted, width) & ~1)x"
        + "\(min(rows, height) & ~1) would fit."
    case .shape(let across, let down): return "\(pictures), too small for a part of \(across):\(down)."
    }
  }
}

extension ClipCrop: PictureStage, CodedAsText {
  /// The stage's key in the description of a clip.
  public static var name: String { "crop" }

  /// `640x360+16+8`, `640x360` or `9:16`.
  public var text: String {
    switch self {
    case .part(let part): "\(part.width)x\(part.height)+\(part.x)+\(part.y)"
    case .centred(let width, let height): "\(width)x\(height)"
    case .shape(let width, let height): "\(width):\(height)"
    }
  }
}

extension ClipCrop: MovingStage {
  package func move(_ geometry: inout ClipGeometry) throws(OvercrankError) {
    let (width, height) = geometry.shown
    let part = part(ofWidth: width, height: height, pixelAspectRatio: geometry.shownPixelAspectRatio)
    guard part.liesWithin(width: width, height: height) else {
      throw OvercrankError(.outOfRange, excess(ofWidth: width, height: height))
    }
    geometry.show(part)
  }
}
