import Platform
import Media
public import Timebase

/// Words are written on the clip, in letters that grow with its pictures.
public struct ClipText: PictureStage {
  /// The lines of text.
  public let words: String
  /// Where their middle lies, from the left edge, 0, to the right one, 1, and from the upper edge to the lower one.
  public let x: Fraction
  /// See ``x``.
  public let y: Fraction

  /// Reads `words`, or `words@0.5,0.1` with the place of their middle; without it they stand at the foot of the picture.
  ///
  /// - Throws: `QuantityError` where there are none, or letters that cannot be written; `CurveError` for a place beyond
  ///   the picture.
  public init(text: String) throws {
    var (words, place) = (text[...], ("0.5,0.9"))
    // Words may have an @ of their own.
    if let at = text.lastIndex(of: "@"), text[text.index(after: at)...].contains(/^[0-9.]+,[0-9.]+$/) {
      (words, place) = (text[..<at], String(text[text.index(after: at)...]))
    }
    guard words.contains(where: { !$0.isWhitespace }), words.count <= Self.mostCharacters else {
      throw QuantityError(text, expected: "from 1 to \(Self.mostCharacters) characters to write on the clip")
    }
    if let unknown = TextFace.unknown(in: String(words)) {
      throw QuantityError(
        text,
        expected: "in letters that can be written, and \"\(unknown)\" is none: those of Latin, with accents")
    }
    let point = try ZoomPath(place: place).points[0]
    (self.words, x, y) = (String(words), point.x, point.y)
  }

  private static let mostCharacters = 200
}

extension ClipText: CodedAsText {
  /// Its key in the description of a clip.
  public static var name: String { "text" }

  /// `words@0.5,0.9`.
  public var text: String { "\(words)@\(x.exactText),\(y.exactText)" }
}

extension ClipText: ChangingStage {
  static var isOverlay: Bool { true }

  func prepare(for pictures: PicturePlan, _ timing: FilmTiming) -> any PreparedStage {
    let (width, height) = pictures.size
    // A line of the usual height, or as wide as the picture.
    let capital = min(Double(height) / 18, Double(width) / TextFace.width(of: words))
    let mask = TextFace(capital: capital).mask(of: words)
    func start(_ place: Fraction, _ length: Int, of whole: Int) -> Int {
      max(0, min(Int(clamping: place.doubleValue * Double(whole)) - length / 2, whole - length))
    }
    return WrittenText(mask: mask, x: start(x, mask.width, of: width), y: start(y, mask.height, of: height))
  }
}

/// Words at their place.
private struct WrittenText: PreparedStage {
  let mask: TextMask
  let x: Int
  let y: Int

  func process(_ picture: consuming Picture, of index: Int) throws(OvercrankError) -> Picture {
    try picture.written(mask, x: x, y: y)
  }
}
