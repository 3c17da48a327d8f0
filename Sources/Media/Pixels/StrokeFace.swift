import Foundation

/// The letters drawn on pictures: strokes of even width with round ends, as from a technical pen, at any
/// size.
///
/// Lengths are in units of the face. Capitals are 20 high, and descenders reach down to -6.
enum StrokeFace {
  /// A segment of a stroke, from one point to another.
  struct Segment: Hashable, Sendable {
    let from: SIMD2<Double>
    let to: SIMD2<Double>
  }

  /// The shape of a character.
  struct Glyph: Hashable, Sendable {
    /// The width from the leftmost stroke's middle to the rightmost one's.
    var width: Double
    var segments: [Segment]
  }

  /// The thickness of a stroke.
  static let thickness = 2.6
  /// The gap between two letters, between the middles of strokes.
  static let gap = 5.4
  /// The vertical extent, from an accent on a capital to the lowest point.
  static let top = 27.0
  static let bottom = -7.0

  /// Returns the glyph of a character; `nil` if the face has none.
  static func glyph(of character: Character) -> Glyph? {
    glyphs[character] ?? small(character) ?? accented(character)
  }

  // Semicolons separate strokes. A stroke goes through points, `x,y`, and along arcs of ellipses: `a`, the
  // centre, both half axes, and the start and end angles in degrees.
  private static let strokes: [Character: String] = [
    " ": "w5",
    "A": "0,0 7,20 14,0;2.4,7 11.6,7",
    "B": "0,0 0,20 7,20 a7,15.25,4.75,4.75,90,-90 0,10.5;7,10.5 a7,5.25,5.25,5.25,90,-90 0,0",
    "C": "a8,10,8,10,50,310",
    "D": "0,0 0,20 4,20 a4,10,9.5,10,90,-90 0,0",
    "E": "11,20 0,20 0,0 11,0;0,10.5 9.5,10.5",
    "F": "11,20 0,20 0,0;0,10 9,10",
    "G": "a8,10,8,10,50,300 14.5,3.5 14.5,9 9,9",
    "H": "0,0 0,20;13,0 13,20;0,10.5 13,10.5",
    "I": "0,0 0,20",
    "J": "9,20 9,4.5 a4.5,4.5,4.5,4.5,0,-180",
    "K": "0,0 0,20;11.5,20 0,8;4.5,12.6 12,0",
    "L": "0,20 0,0 10,0",
    "M": "0,0 0,20 8,5 16,20 16,0",
    "N": "0,0 0,20 13,0 13,20",
    "O": "a8,10,8,10,0,360",
    "P": "0,0 0,20 7,20 a7,14.75,5.25,5.25,90,-90 0,9.5",
    "Q": "a8,10,8,10,0,360;10,5 15.5,-1",
    "R": "0,0 0,20 7,20 a7,14.75,5.25,5.25,90,-90 0,9.5;6.5,9.5 12.5,0",
    "S": "a6,15,5.5,5,30,270 a6,5,6,5,90,-150",
    "T": "0,20 14,20;7,20 7,0",
    "U": "0,20 0,6.5 a6.5,6.5,6.5,6.5,180,360 13,20",
    "V": "0,20 7,0 14,20",
    "W": "0,20 5,0 10,16 15,0 20,20",
    "X": "0,20 13,0;13,20 0,0",
    "Y": "0,20 7,9.5 14,20;7,9.5 7,0",
    "Z": "0,20 12,20 0,0 12,0",
    "0": "w12 a6,10,6,10,0,360",
    "1": "w12 1.5,16 6.5,20 6.5,0",
    "2": "w12 a6,14.25,5.75,5.75,165,-30 0,0 12,0",
    "3": "w12 a5.8,15,5,5,150,-90 a5.8,5,6,5,90,-150",
    "4": "w12 9,0 9,20 0,6 12,6",
    "5": "w12 10.5,20 1.5,20 0.8,10.6 a5.8,6.4,6.2,6.4,130,-150",
    "6": "w12 8.8,20 0.9,9;a6,6.4,6,6.4,0,360",
    "7": "w12 0,20 12,20 4,0",
    "8": "w12 a6,15.2,4.9,4.8,0,360;a6,5.2,6,5.2,0,360",
    "9": "w12 3.2,0 11.1,11;a6,13.6,6,6.4,0,360",
    "a": "11,14 11,0;a5.5,7,5.5,7,0,360",
    "b": "0,20 0,0;a5.5,7,5.5,7,0,360",
    "c": "a6,7,6,7,50,310",
    "d": "11,20 11,0;a5.5,7,5.5,7,0,360",
    "e": "0.2,7.6 11.2,7.6 a5.7,7,5.6,7,5,315",
    "f": "8,20 6.5,20 a6.5,16,4,4,90,180 2.5,0;0,14 7,14",
    "g": "11,14 11,-1.5 a5.5,-1,5.5,5.2,0,-150;a5.5,7,5.5,7,0,360",
    "h": "0,20 0,0;0,8.5 a5.25,8.75,5.25,5.25,180,0 10.5,0",
    "i": "0,14 0,0;0,19 0,19.3",
    "j": "3,14 3,-2 a0,-2.5,3,3.3,0,-70;3,19 3,19.3",
    "k": "0,20 0,0;9,14 0,5;3.5,8.4 9.5,0",
    "l": "0,20 0,0",
    "m": "0,14 0,0;0,9.5 a4.5,9.5,4.5,4.5,180,0 9,0;9,9.5 a13.5,9.5,4.5,4.5,180,0 18,0",
    "n": "0,14 0,0;0,8.5 a5.25,8.75,5.25,5.25,180,0 10.5,0",
    "o": "a5.8,7,5.8,7,0,360",
    "p": "0,14 0,-6;a5.5,7,5.5,7,0,360",
    "q": "11,14 11,-6;a5.5,7,5.5,7,0,360",
    "r": "0,14 0,0;0,8 a5.5,8.5,5.5,5.5,180,75",
    "s": "a4.7,10.4,4.3,3.6,25,270 a4.7,3.4,4.9,3.4,90,-155",
    "t": "3,19 3,4 a7,4,4,4,180,270 8.5,0;0,14 8,14",
    "u": "0,14 0,5.25 a5.25,5.25,5.25,5.25,180,360;10.5,14 10.5,0",
    "v": "0,14 5.5,0 11,14",
    "w": "0,14 4,0 8,12 12,0 16,14",
    "x": "0,14 10,0;10,14 0,0",
    "y": "0,14 5.5,0.5;11,14 3.2,-6",
    "z": "0,14 9.5,14 0,0 9.5,0",
    ".": "0,0 0,0.3",
    ",": "0.8,0.4 0,-3.4",
    ":": "0,0 0,0.3;0,11 0,11.3",
    ";": "0.8,0.4 0,-3.4;0.8,11 0.8,11.3",
    "!": "0,20 0,6;0,0 0,0.3",
    "?": "a5,15,5,5,170,-60 5.5,8.5 5.5,6;5.5,0 5.5,0.3",
    "-": "0,8 7,8",
    "+": "0,8 12,8;6,14 6,2",
    "=": "0,10.5 12,10.5;0,5.5 12,5.5",
    "_": "0,-3 12,-3",
    "/": "0,-2 8,21",
    "\\": "0,21 8,-2",
    "|": "0,-4 0,22",
    "(": "a11,9,11,14.5,125,235",
    ")": "a-6.3,9,11,14.5,55,-55",
    "[": "4.5,22 0,22 0,-4 4.5,-4",
    "]": "0,22 4.5,22 4.5,-4 0,-4",
    "{": "6,22 a6,19,3,3,90,180 3,12 0,9 3,6 a6,-1,3,3,180,270",
    "}": "0,22 a0,19,3,3,90,0 3,12 6,9 3,6 a0,-1,3,3,0,-90",
    "'": "0,20 0,15",
    "\"": "0,20 0,15;4.5,20 4.5,15",
    "`": "0,20 3,17",
    "#": "3,0 6,20;9,0 12,20;1,13.5 14,13.5;0,6.5 13,6.5",
    "%": "0,0 14,20;a3,16.5,3,3.5,0,360;a11,3.5,3,3.5,0,360",
    "&": "13.5,0 3,13 a6.5,16.2,4,3.8,200,-30 1.5,8 a5.5,4.8,5.5,4.8,150,300 13.5,9.5",
    "@": "12.2,12 12.2,6.5 a14.6,6.5,2.4,2.8,180,360 17,8 a8.5,8,8.5,10,0,305;a8.5,8,3.7,4,0,360",
    "*": "4,20 4,11;0,17.8 8,13.2;8,17.8 0,13.2",
    "^": "0,14 4.5,20 9,14",
    "~": "0,7 a3,7,3,2.5,180,0 a9,7,3,2.5,180,360",
    "<": "10,15 0,8 10,1",
    ">": "0,15 10,8 0,1",
    "$": "a6,15,5.5,5,30,270 a6,5,6,5,90,-150;6,23 6,-3",
    "\u{20ac}": "a8.5,10,7.5,10,50,310;0,12.2 10,12.2;0,7.8 9,7.8",
    "\u{b0}": "a3,17,3,3,0,360",
    "\u{d7}": "0,13 9,4;9,13 0,4",
    "\u{b5}": "0,14 0,-6;0,5.25 a5.25,5.25,5.25,5.25,180,360;10.5,14 10.5,0",
    "\u{b7}": "0,8 0,8.3",
    "\u{2013}": "0,8 11,8",
    "\u{2014}": "0,8 18,8",
    "\u{2019}": "0.8,20 0,16.4",
    "\u{2026}": "0,0 0,0.3;6,0 6,0.3;12,0 12,0.3",
    "\u{df}": "0,0 0,15 a5,15.2,5,4.8,180,-50 5.5,11 a5.5,5.5,5.5,5.5,90,-110",
    "\u{f8}": "a5.8,7,5.8,7,0,360;1,-1 10.6,15",
    "\u{d8}": "a8,10,8,10,0,360;1.5,-1 14.5,21",
    "\u{e6}": "a5.5,7,5.5,7,0,360;11,14 11,0;11,7.6 21.2,7.6 a16.2,7,5.1,7,5,315",
    "\u{c6}": "0,0 8,20 19,20;9,20 9,0 19,0;9,10.5 17.5,10.5;2.6,6.5 9,6.5",
    "\u{131}": "0,14 0,0",
    "\u{a0}": "w5",
    "\u{141}": "2.5,20 2.5,0 12.5,0;0,8 8,13.5",
    "\u{142}": "3,20 3,0;0,8.5 6,12.5",
    "\u{d0}": "3,0 3,20 7,20 a7,10,9.5,10,90,-90 3,0;0,10.5 8,10.5",
    "\u{110}": "3,0 3,20 7,20 a7,10,9.5,10,90,-90 3,0;0,10.5 8,10.5",
    "\u{111}": "11,20 11,0;a5.5,7,5.5,7,0,360;6,17 14,17",
    "\u{f0}": "a5.5,7,5.5,7,0,360;2.5,20 7,17 10.4,12 11,7;3,15.5 9.5,19",
    "\u{de}": "0,0 0,20;0,16 6,16 a6,10.5,5.5,5.5,90,-90 0,5",
    "\u{fe}": "0,20 0,-6;a5.5,7,5.5,7,0,360",
    "\u{152}": "a8,10,8,10,0,360;20.5,20 9,20;20.5,0 9,0;16,10.5 19.5,10.5",
    "\u{153}": "a5.8,7,5.8,7,0,360;11.6,7.6 22.2,7.6 a17,7,5.3,7,5,315",
    "\u{126}": "2,0 2,20;15,0 15,20;2,10.5 15,10.5;0,15.5 17,15.5",
    "\u{127}": "3,20 3,0;3,8.5 a8.25,8.75,5.25,5.25,180,0 13.5,0;0,17 7,17",
    "\u{1e9e}": "0,0 0,14 a6,14,6,6,180,45 5.5,11.5 a6,6,6,6,90,-110",
    "\u{a3}": "a8,15.5,4.5,4.5,20,180 3.5,4 0,0 11,0 12.5,1.5;0.5,9.5 9,9.5",
    "\u{a5}": "0,20 7,9.5 14,20;7,9.5 7,0;2,9 12,9;2,5 12,5",
    "\u{a1}": "0,14 0,13.7;0,8 0,-6",
    "\u{bf}": "a5,-1,5,5,350,120 4.5,5.5 4.5,8;4.5,14 4.5,13.7",
    "\u{ab}": "4,12 0,7.5 4,3;9,12 5,7.5 9,3",
    "\u{bb}": "0,12 4,7.5 0,3;5,12 9,7.5 5,3",
    "\u{201c}": "0,16.4 0.8,20;4,16.4 4.8,20",
    "\u{201d}": "0.8,20 0,16.4;4.8,20 4,16.4",
    "\u{201e}": "0.8,0.4 0,-3.4;4.8,0.4 4,-3.4",
    "\u{2018}": "0,16.4 0.8,20",
    "\u{201a}": "0.8,0.4 0,-3.4",
    "\u{b1}": "0,10 12,10;6,15 6,5;0,0.5 12,0.5",
    "\u{f7}": "0,8 12,8;6,13 6,13.3;6,2.7 6,3",
    "\u{2212}": "0,8 12,8",
    "\u{2022}": "a2,8,1.2,1.2,0,360",
    "\u{b9}": "0.5,18 3,20 3,10.5",
    "\u{b2}": "a3,17.2,2.8,2.8,165,-30 0,10.5 6,10.5",
    "\u{b3}": "a2.8,17.6,2.5,2.4,150,-90 a2.8,12.9,2.8,2.4,90,-150",
    "\u{bd}": "0,18 2.5,20 2.5,11;2,0 13,20;a13.5,6.7,2.8,2.8,165,-30 10.5,0 16.5,0",
    "\u{bc}": "0,18 2.5,20 2.5,11;2,0 13,20;15.5,0 15.5,9 10.5,2.5 17,2.5",
    "\u{be}": "a2.8,17.6,2.5,2.4,150,-90 a2.8,12.9,2.8,2.4,90,-150;3,0 14,20;16.5,0 16.5,9 11.5,2.5 18,2.5",
    "\u{a9}": "a9,10,9,10,0,360;a9,10,4.5,5,50,310",
  ]

  /// The marks over the middle of a small letter, and those below it.
  private static let accents: [Unicode.Scalar: String] = [
    "\u{300}": "-2,20 1.5,17.2",
    "\u{301}": "2,20 -1.5,17.2",
    "\u{302}": "-3,17.2 0,20 3,17.2",
    "\u{303}": "-3.6,17.6 a-1.8,17.6,1.8,1.6,180,0 a1.8,17.6,1.8,1.6,180,360",
    "\u{308}": "-2.7,18.6 -2.7,18.9;2.7,18.6 2.7,18.9",
    "\u{30a}": "a0,19,2.2,2.2,0,360",
    "\u{30c}": "-3,20 0,17.2 3,20",
    "\u{304}": "-3,18.5 3,18.5",
    "\u{306}": "a0,20,3,2.8,180,360",
    "\u{307}": "0,18.6 0,18.9",
    "\u{309}": "a0,20.3,1.8,1.6,160,-90 0,17.4",
    "\u{30b}": "-0.6,20 -3,17.2;3,20 0.6,17.2",
    "\u{323}": "0,-3.6 0,-3.9",
    "\u{326}": "0.5,-2.6 -0.6,-5.4",
    "\u{327}": "0,0 a-0.4,-3.6,2.4,2,60,-150",
    "\u{328}": "1.5,0 a2.2,-2.6,2.2,2.2,120,320",
  ]
  private static let accentsBelow: Set<Unicode.Scalar> = ["\u{323}", "\u{326}", "\u{327}", "\u{328}"]

  private static let glyphs: [Character: Glyph] = strokes.merging(signs) { own, _ in own }.mapValues(glyph)

  /// Returns the glyph of a small sign, made of letters at half their size.
  private static func small(_ character: Character) -> Glyph? {
    let (letters, height) = raised[character].map { ($0, 10.0) } ?? (lowered[character] ?? "", -4)
    let gap = 4.0
    var sign = Glyph(width: -gap, segments: [])
    for letter in letters.compactMap({ glyphs[$0] }) {
      let offset = SIMD2(sign.width + gap, height)
      sign.segments += letter.segments.map { Segment(from: $0.from / 2 + offset, to: $0.to / 2 + offset) }
      sign.width = offset.x + letter.width / 2
    }
    return letters.isEmpty ? nil : sign
  }

  /// The letters that give up their dot for an accent above.
  private static let dotless: [Character: Character] = ["i": "\u{131}", "j": "\u{237}"]

  /// Returns a letter of the face with its accents, in composed or decomposed form.
  private static func accented(_ character: Character) -> Glyph? {
    var scalars = String(character).decomposedStringWithCanonicalMapping.unicodeScalars
    let base = Character(scalars.removeFirst())
    let isPlain = scalars.allSatisfy(accentsBelow.contains)
    guard base.isLetter, var letter = glyphs[isPlain ? base : dotless[base] ?? base] else { return nil }
    // The first accent is next to the letter.
    var height = base.isUppercase ? 5.0 : 0
    for accent in scalars {
      guard let strokes = accents[accent], height < 6 else { return nil }
      let isBelow = accentsBelow.contains(accent)
      let offset = SIMD2(letter.width / 2, isBelow ? 0 : height)
      if !isBelow { height += 4.5 }
      letter.segments += glyph(strokes).segments.map { Segment(from: $0.from + offset, to: $0.to + offset) }
    }
    return letter
  }

  private static func glyph(_ strokes: String) -> Glyph {
    var (segments, width, rightmost) = ([Segment](), Double?.none, 0.0)
    for stroke in strokes.split(separator: ";") {
      var last: SIMD2<Double>?
      for step in stroke.split(separator: " ") {
        guard !step.hasPrefix("w") else {
          width = Double(step.dropFirst())
          continue
        }
        let numbers = step.drop { $0 == "a" }.split(separator: ",").compactMap { Double($0) }
        for point in numbers.count == 6 ? arc(numbers) : [SIMD2(numbers[0], numbers[1])] {
          if let last, last != point { segments.append(Segment(from: last, to: point)) }
          last = point
          rightmost = max(rightmost, point.x)
        }
      }
    }
    return Glyph(width: width ?? rightmost, segments: segments)
  }

  /// Returns points along an elliptical arc, at most twelve degrees apart.
  private static func arc(_ numbers: [Double]) -> [SIMD2<Double>] {
    let (middle, axes) = (SIMD2(numbers[0], numbers[1]), SIMD2(numbers[2], numbers[3]))
    let count = max(1, Int(clamping: ((numbers[5] - numbers[4]).magnitude / 12).rounded(.up)))
    return (0...count).map { step in
      let angle = (numbers[4] + (numbers[5] - numbers[4]) * Double(step) / Double(count)) * .pi / 180
      return middle + axes * SIMD2(cos(angle), sin(angle))
    }
  }
}
