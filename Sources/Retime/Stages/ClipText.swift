import Platform
import Media
public import Timebase

/// Text on the clip, whose letters scale with the picture.
public struct ClipText: PictureStage {
  /// The lines of text.
  public let words: String
  /// The horizontal centre of the text, from 0 at the left edge to 1 at the right edge.
  public let x: Fraction
  /// The vertical centre of the text, from 0 at the upper edge to 1 at the lower edge.
  public let y: Fraction

  /// Parses `words`, or `words@0.5,0.1` with the position of their centre; by default they are at the foot of
  /// the picture.
  ///
  /// - Throws: `QuantityError` if there are no words, or letters that cannot be drawn; `CurveError` for a
  ///   position outside the picture.
  public init(text: String) throws {
    var (words, place) = (text[...], ("0.5,0.9"))
    // Words may contain an @.
    if let at = text.lastIndex(of: "@"), text[text.index(after: at)...].contains(/^[0-9.]+,[0-9.]+$/) {
      (words, place) = (text[..<at], String(text[text.index(after: at)...]))
    }
    guard words.contains(where: { !$0.isWhitespace }), words.count <= Self.mostCharacters else {
      throw QuantityError(text, expected: "from 1 to \(Self.mostCharacters) characters to write on the clip")
    }
    if let unknown = TextFace.unknown(in: String(words)) {
      throw QuantityError(
        text,
        expected:
          "text in Latin letters, with or without accents; \"\(unknown)\" cannot be drawn")
    }
    let point = try ZoomPath(place: place).points[0]
    (self.words, x, y) = (String(words), point.x, point.y)
  }

  private static let mostCharacters = 200
}

extension ClipText: CodedAsText {
  /// The stage's key in the description of a clip.
  public static var name: String { "text" }
  /// `true`: the words are on the composed picture.
  public static var isShared: Bool { true }

  /// `words@0.5,0.9`.
  public var text: String { "\(words)@\(x.exactText),\(y.exactText)" }
}

extension ClipText: ChangingStage {
  static var isOverlay: Bool { true }

  func prepare(for pictures: PicturePlan, _ timing: SourceTiming) -> any PreparedStage {
    let (width, height) = pictures.size
    // A line of the default height, reduced to fit the picture's width.
    let capital = min(Double(height) / 18, Double(width) / TextFace.width(of: words))
    let mask = TextFace(capital: capital).mask(of: words)
    func start(_ place: Fraction, _ length: Int, of whole: Int) -> Int {
      max(0, min(Int(clamping: place.doubleValue * Double(whole)) - length / 2, whole - length))
    }
    return WrittenText(mask: mask, x: start(x, mask.width, of: width), y: start(y, mask.height, of: height))
  }
}

/// The text, drawn at its position.
private struct WrittenText: PreparedStage {
  let mask: TextMask
  let x: Int
  let y: Int

  func process(_ picture: consuming Picture, of index: Int) throws(OvercrankError) -> Picture {
    try picture.written(mask, x: x, y: y)
  }
}
