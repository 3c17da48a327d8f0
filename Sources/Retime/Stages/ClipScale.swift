import Media
public import Timebase

/// The size of a clip relative to the part of the source that it shows.
public enum ClipScale: Hashable, Sendable {
  /// An exact size in pixels.
  case size(width: Int, height: Int)
  /// A width in pixels, with the height in proportion.
  case width(Int)
  /// A height in pixels, with the width in proportion.
  case height(Int)
  /// A factor for both width and height.
  case ratio(Fraction)

  /// Parses `1280x720`, `640:-1` or `640`, `-1:360` or `360p`, `1/2`, `0.5` or `50%`.
  public init(text: String) throws(QuantityError) {
    let sides = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    if sides.count == 2, sides[1] == -1, let width = sides[0], ClipGeometry.isSide(width) {
      self = .width(width)
    } else if sides.count == 2, sides[0] == -1, let height = sides[1], ClipGeometry.isSide(height) {
      self = .height(height)
    } else if let (width, height) = Self.size(text) {
      self = .size(width: width, height: height)
    } else if let ratio = Self.ratio(text), ratio <= Fraction(8), ratio >= Fraction(1, 64) {
      self = .ratio(ratio)
    } else if let width = Int(text.dropping("px")), ClipGeometry.isSide(width) {
      self = .width(width)
    } else if text.lowercased().hasSuffix("p"), let height = Int(text.dropLast()), ClipGeometry.isSide(height)
    {
      self = .height(height)
    } else {
      throw QuantityError(
        text,
        expected:
          "a size of even numbers from 16 to 16384, such as 1280x720, 640 for the width, 360p for the "
          + "height, or a part from 1/64 to 8, such as 1/2 or 50%")
    }
  }

  /// Parses `1280x720`, both even.
  private static func size(_ text: String) -> (width: Int, height: Int)? {
    let terms = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard terms.count == 2, let width = terms[0], let height = terms[1], ClipGeometry.isSide(width),
      ClipGeometry.isSide(height)
    else { return nil }
    return (width, height)
  }

  private static func ratio(_ text: String) -> Fraction? {
    guard text.hasSuffix("%") else { return Fraction(text: text) }
    return Fraction(text: text.dropLast()).map { $0 / Fraction(100) }
  }
}

extension String {
  /// Returns the text without `unit` at its end, in either case.
  fileprivate func dropping(_ unit: String) -> String {
    lowercased().hasSuffix(unit) ? String(dropLast(unit.count)) : self
  }
}

extension ClipScale: PictureStage, CodedAsText {
  /// The stage's key in the description of a clip.
  public static var name: String { "scale" }
  /// `true`: the composed picture has this size.
  public static var isShared: Bool { true }

  /// `1280x720`, `640`, `360p`, or `1/2`.
  public var text: String {
    switch self {
    case .size(let width, let height): "\(width)x\(height)"
    case .width(let width): "\(width)"
    case .height(let height): "\(height)p"
    case .ratio(let ratio): ratio.exactText
    }
  }
}

extension ClipScale: MovingStage {
  package func move(_ geometry: inout ClipGeometry) {
    let (partWidth, partHeight) = geometry.part
    switch geometry.orientation.isTurned ? turned : self {
    case .size(let width, let height):
      let stretch = Fraction(
        reducing: Int128(partWidth) * Int128(height), Int128(partHeight) * Int128(width))
      // Rounded to whole pixels, the given size already has these proportions.
      let isNear = (stretch - Fraction(1)).magnitude * Fraction(Int64(min(width, height))) <= Fraction(1)
      geometry.resize(toWidth: width, height: height, stretchedBy: isNear ? nil : stretch)
    case .width(let width):
      geometry.resize(
        toWidth: width, height: Self.even(Fraction(Int64(width) * Int64(partHeight), Int64(partWidth))))
    case .height(let height):
      geometry.resize(
        toWidth: Self.even(Fraction(Int64(height) * Int64(partWidth), Int64(partHeight))), height: height)
    case .ratio(let ratio):
      geometry.resize(
        toWidth: Self.even(Fraction(Int64(partWidth)) * ratio),
        height: Self.even(Fraction(Int64(partHeight)) * ratio))
    }
  }

  /// The same scale for a picture whose rows are displayed as columns.
  private var turned: ClipScale {
    switch self {
    case .size(let width, let height): .size(width: height, height: width)
    case .width(let width): .height(width)
    case .height(let height): .width(height)
    case .ratio: self
    }
  }

  fileprivate static func even(_ size: Fraction) -> Int { max(2, 2 * Int((size / Fraction(2)).rounded)) }
}

extension ClipScale? {
  /// Returns the scale of an animated image, whose viewers take all pixels for square.
  ///
  /// - Parameters:
  ///   - whole: the geometry with this scale, in the source's pixels.
  ///   - side: the longest side of the image in pixels, if there is no scale.
  func ofAnimation(_ whole: ClipGeometry, atMost side: Int) -> ClipScale? {
    if case .size = self { return self }
    let pixel = whole.shownPixelAspectRatio
    let size = whole.orientation.turned(width: whole.width, height: whole.height)
    var (width, height) = (Fraction(Int64(size.width)), Fraction(Int64(size.height)))
    switch self {
    case .width: height = height / pixel
    case .height: width = width * pixel
    case .ratio, .size, nil:
      if pixel > Fraction(1) { width = width * pixel } else { height = height / pixel }
    }
    let longest = max(width, height)
    let limit = Fraction(Int64(side))
    let isReduced = self == nil && longest > limit
    guard pixel != Fraction(1) else {
      return isReduced ? (width >= height ? .width(side) : .height(side)) : self
    }
    let factor = isReduced ? limit / longest : Fraction(1)
    return .size(width: ClipScale.even(width * factor), height: ClipScale.even(height * factor))
  }
}
