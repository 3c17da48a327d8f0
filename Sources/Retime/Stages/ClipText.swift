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
  ///   position outside the picture, such as one with a negative number.
  public init(text: String) throws {
    var (words, place) = (text[...], ("0.5,0.9"))
    // Words may contain an @, but two numbers after it are always a position, even if there is none like it.
    if let at = text.lastIndex(of: "@"), Self.isPosition(text[text.index(after: at)...]) {
      (words, place) = (text[..<at], String(text[text.index(after: at)...]))
    }
    guard words.contains(where: { !$0.isWhitespace }), words.count <= Self.mostCharacters else {
      throw QuantityError(text, expected: "from 1 to \(Self.mostCharacters) characters to write on the clip")
    }
    if let unknown = TextFace.unknown(in: String(words)) {
      throw QuantityError(
        text,
        expected:
          "text in Latin letters with common accents, digits and signs; \(Self.words(unknown)) cannot be drawn"
      )
    }
    let point = try ZoomPath(place: place).points[0]
    (self.words, x, y) = (String(words), point.x, point.y)
  }

  private static let mostCharacters = 200

  /// A character with its code, and without itself where it is invisible, or would turn what follows around.
  private static func words(_ character: Character) -> String {
    let codes = character.unicodeScalars.map { "U+" + String($0.value, radix: 16, uppercase: true) }.joined(
      separator: " ")
    let isVisible = character.isLetter || character.isNumber || character.isSymbol || character.isPunctuation
    return isVisible ? "\"\(character)\" (\(codes))" : codes
  }

  /// Returns whether `text` is two numbers with a comma between them, of any size.
  private static func isPosition(_ text: Substring) -> Bool {
    let sides = text.split(separator: ",", omittingEmptySubsequences: false)
    return sides.count == 2
      && sides.allSatisfy { side in
        let word = side.filter { !$0.isWhitespace }
        return Double(word) != nil || word.wholeMatch(of: /[-+]?[0-9.]+%?/) != nil
      }
  }
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
