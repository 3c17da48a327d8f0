import Synchronization

/// White letters with a dark edge, readable on any picture, in one size.
package final class TextFace: Sendable {
  /// The height of a capital in pixels.
  private let capital: Double
  private let letters = Mutex<[Character: TextMask]>([:])

  /// Creates letters whose capitals have this height in pixels.
  package init(capital: Double) { self.capital = max(4, capital) }

  /// Returns the first character of `text` that it cannot write; `nil` if there is none.
  package static func unknown(in text: String) -> Character? {
    text.first { $0 != "\n" && StrokeFace.glyph(of: $0) == nil }
  }

  /// Returns the width of the widest line of `text`, in heights of a capital, edges included.
  package static func width(of text: String) -> Double {
    let lines = text.split(separator: "\n").map { line in
      line.reduce(margin * 2 - StrokeFace.gap) { width, character in
        width + (StrokeFace.glyph(of: character)?.width ?? 0) + StrokeFace.gap
      }
    }
    return (lines.max() ?? 0) / unitsPerCapital
  }

  /// Returns the mask of `text`, with its lines centred one below another.
  package func mask(of text: String) -> TextMask {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(line)
    var all = TextMask(
      width: lines.map(\.width).max() ?? 0,
      height: (lines.count - 1) * pixels(Self.lineHeight) + (lines.last?.height ?? 0))
    for (number, line) in lines.enumerated() {
      all.add(line, x: (all.width - line.width) / 2, y: number * pixels(Self.lineHeight))
    }
    return all
  }

  private static let unitsPerCapital = 20.0
  private static let lineHeight = 34.0
  /// The width of the dark edge around a stroke.
  private static let edge = 2.4
  /// The distance from the middle of a stroke to the end of its edge.
  private static let margin = StrokeFace.thickness / 2 + edge + 1

  private var scale: Double { capital / Self.unitsPerCapital }

  private func pixels(_ units: Double) -> Int { Int(clamping: (units * scale).rounded(.up)) }

  private func line(_ text: Substring) -> TextMask {
    let masks = text.map { letter(of: $0) }
    let advances = text.map { (StrokeFace.glyph(of: $0)?.width ?? 0) + StrokeFace.gap }
    var line = TextMask(
      width: pixels(advances.reduce(2 * Self.margin - StrokeFace.gap, +)),
      height: pixels(StrokeFace.top - StrokeFace.bottom + 2 * Self.margin))
    var place = 0.0
    for (mask, advance) in zip(masks, advances) {
      line.add(mask, x: Int(clamping: (place * scale).rounded()), y: 0)
      place += advance
    }
    return line
  }

  private func letter(of character: Character) -> TextMask {
    if let known = letters.withLock({ $0[character] }) { return known }
    let mask = drawn(StrokeFace.glyph(of: character))
    letters.withLock { $0[character] = mask }
    return mask
  }

  /// Draws a glyph, each pixel by its distance from the nearest stroke.
  private func drawn(_ glyph: StrokeFace.Glyph?) -> TextMask {
    guard let glyph else { return TextMask(width: 0, height: 0) }
    var mask = TextMask(
      width: pixels(glyph.width + 2 * Self.margin),
      height: pixels(StrokeFace.top - StrokeFace.bottom + 2 * Self.margin))
    // Strokes thinner than a pixel would be grey.
    let radius = max(0.6, StrokeFace.thickness / 2 * scale)
    let outer = radius + max(1, Self.edge * scale)
    for row in 0..<mask.height {
      for column in 0..<mask.width {
        let point = SIMD2(
          (Double(column) + 0.5) / scale - Self.margin,
          StrokeFace.top + Self.margin - (Double(row) + 0.5) / scale)
        let distance = glyph.segments.map { $0.distance(to: point) }.min().map { $0 * scale } ?? .infinity
        mask.set(column, row, ink: radius - distance + 0.5, edge: outer - distance + 0.5)
      }
    }
    return mask
  }
}

extension StrokeFace.Segment {
  func distance(to point: SIMD2<Double>) -> Double {
    let (way, offset) = (to - from, point - from)
    let share = min(max((offset * way).sum() / (way * way).sum(), 0), 1)
    let rest = offset - way * share
    return (rest * rest).sum().squareRoot()
  }
}
