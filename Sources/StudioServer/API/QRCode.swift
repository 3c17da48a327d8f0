/// A QR code of a short text, by ISO/IEC 18004: bytes, error correction L, versions 1 to 9.
package struct QRCode: Hashable, Sendable {
  /// The number of modules across and down, without the light margin of four modules that belongs around them.
  package let side: Int
  private var dark: [Bool]
  /// Whether a module is part of a pattern, and not of the text.
  private var isFixed: [Bool]

  /// The words of text and padding, and those for error correction, of each block, by version.
  private static let sizes = [
    (1, 19, 7), (1, 34, 10), (1, 55, 15), (1, 80, 20), (1, 108, 26), (2, 68, 18), (2, 78, 20), (2, 97, 24),
    (2, 116, 30),
  ]

  /// Creates the code of `text`; `nil` if that has more than 230 bytes.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let index = Self.sizes.firstIndex(where: { $0.0 * $0.1 - 2 >= bytes.count }) else { return nil }
    side = 21 + 4 * index
    dark = Array(repeating: false, count: side * side)
    isFixed = dark
    drawPatterns(version: index + 1)
    drawWords(Self.words(bytes, Self.sizes[index]))
    let masked = (0..<8).map { mask in
      var code = self
      code.apply(mask)
      return code
    }
    if let best = masked.min(by: { $0.penalty < $1.penalty }) { dark = best.dark }
  }

  /// Returns whether a module is dark; those around the code are light.
  package subscript(column: Int, row: Int) -> Bool {
    (0..<side).contains(column) && (0..<side).contains(row) && dark[row * side + column]
  }

  /// The rows, each as a text of `1` for dark modules and `0` for light ones.
  package var rows: [String] {
    (0..<side).map { row in String((0..<side).map { self[$0, row] ? "1" : "0" }) }
  }

  /// Returns the words of a text with their error correction, in the order in which they are drawn.
  private static func words(_ bytes: [UInt8], _ size: (blocks: Int, data: Int, correction: Int)) -> [UInt8] {
    // Half a word says that bytes follow, so all that follow lie across two words.
    var words: [UInt8] = []
    var half: UInt8 = 0x4
    for byte in [UInt8(clamping: bytes.count)] + bytes {
      words.append(half << 4 | byte >> 4)
      half = byte & 15
    }
    words.append(half << 4)
    let padding: [UInt8] = [0xec, 0x11]
    let missing = size.blocks * size.data - words.count
    for number in 0..<missing { words.append(padding[number % 2]) }
    let blocks = (0..<size.blocks).map { Array(words[$0 * size.data..<($0 + 1) * size.data]) }
    let corrections = blocks.map { correction(of: $0, count: size.correction) }
    return (0..<size.data).flatMap { place in blocks.map { $0[place] } }
      + (0..<size.correction).flatMap { place in corrections.map { $0[place] } }
  }

  /// Returns the words for error correction by Reed and Solomon.
  private static func correction(of data: [UInt8], count: Int) -> [UInt8] {
    var divisor = [UInt8](repeating: 0, count: count)
    divisor[count - 1] = 1
    var root: UInt8 = 1
    for _ in 0..<count {
      for place in 0..<count {
        divisor[place] = product(divisor[place], root) ^ (place + 1 < count ? divisor[place + 1] : 0)
      }
      root = product(root, 2)
    }
    var rest = [UInt8](repeating: 0, count: count)
    for word in data {
      let factor = word ^ rest.removeFirst()
      rest.append(0)
      for place in 0..<count { rest[place] ^= product(divisor[place], factor) }
    }
    return rest
  }

  /// Returns the product of two numbers in the field of 256 elements, modulo 0x11d.
  private static func product(_ one: UInt8, _ other: UInt8) -> UInt8 {
    var sum: UInt8 = 0
    for bit in (0..<8).reversed() {
      let isOver = sum & 0x80 != 0
      sum <<= 1
      if isOver { sum ^= 0x1d }
      if other >> bit & 1 != 0 { sum ^= one }
    }
    return sum
  }

  private mutating func fix(_ column: Int, _ row: Int, _ isDark: Bool) {
    guard (0..<side).contains(column), (0..<side).contains(row) else { return }
    dark[row * side + column] = isDark
    isFixed[row * side + column] = true
  }

  /// Draws squares within squares around a centre: light where the distance is among `rings`.
  private mutating func drawSquare(_ column: Int, _ row: Int, reach: Int, light rings: Set<Int>) {
    for down in -reach...reach {
      for across in -reach...reach {
        fix(column + across, row + down, !rings.contains(Int(max(across.magnitude, down.magnitude))))
      }
    }
  }

  private mutating func drawPatterns(version: Int) {
    for place in 0..<side {
      fix(place, 6, place % 2 == 0)
      fix(6, place, place % 2 == 0)
    }
    let last = side - 7
    if version > 1 {
      let middle = version > 6 ? [6, 6 + (last - 6) / 2, last] : [6, last]
      for row in middle {
        for column in middle where ![[6, 6], [6, last], [last, 6]].contains([column, row]) {
          drawSquare(column, row, reach: 2, light: [1])
        }
      }
    }
    for (column, row) in [(3, 3), (side - 4, 3), (3, side - 4)] {
      drawSquare(column, row, reach: 4, light: [2, 4])
    }
    drawFormat(mask: 0)
    guard version > 6 else { return }
    let bits = version << 12 | Self.remainder(of: version << 12, by: 0x1f25, bits: 12)
    for bit in 0..<18 {
      let (near, far) = (bit / 3, side - 11 + bit % 3)
      fix(far, near, bits >> bit & 1 == 1)
      fix(near, far, bits >> bit & 1 == 1)
    }
  }

  /// Draws error correction L and the number of the mask, twice.
  private mutating func drawFormat(mask: Int) {
    let value = 1 << 3 | mask
    let bits = (value << 10 | Self.remainder(of: value << 10, by: 0x537, bits: 10)) ^ 0x5412
    for bit in 0..<15 {
      let isDark = bits >> bit & 1 == 1
      // Beside the first square, the timing pattern lies between.
      if bit < 8 { fix(8, bit < 6 ? bit : bit + 1, isDark) } else { fix(bit == 8 ? 7 : 14 - bit, 8, isDark) }
      if bit < 8 { fix(side - 1 - bit, 8, isDark) } else { fix(8, side - 15 + bit, isDark) }
    }
    fix(8, side - 8, true)
  }

  /// Returns the remainder of a polynomial over two elements.
  private static func remainder(of value: Int, by divisor: Int, bits: Int) -> Int {
    var value = value
    for place in (bits..<24).reversed() where value >> place & 1 == 1 { value ^= divisor << (place - bits) }
    return value
  }

  /// Draws the words in columns of two modules, from the right, upwards and downwards by turns.
  private mutating func drawWords(_ words: [UInt8]) {
    var bit = 0
    var isUpwards = true
    // The vertical timing pattern belongs to no column.
    for right in stride(from: side - 1, to: 0, by: -2).map({ $0 > 6 ? $0 : $0 - 1 }) where right > 0 {
      for step in 0..<side {
        for column in [right, right - 1] {
          let place = (isUpwards ? side - 1 - step : step) * side + column
          guard !isFixed[place], bit < words.count * 8 else { continue }
          dark[place] = words[bit / 8] >> (7 - bit % 8) & 1 == 1
          bit += 1
        }
      }
      isUpwards.toggle()
    }
  }

  private mutating func apply(_ mask: Int) {
    for row in 0..<side {
      for column in 0..<side where !isFixed[row * side + column] {
        let product = row * column
        let isChanged =
          switch mask {
          case 0: (row + column) % 2 == 0
          case 1: row % 2 == 0
          case 2: column % 3 == 0
          case 3: (row + column) % 3 == 0
          case 4: (row / 2 + column / 3) % 2 == 0
          case 5: product % 2 + product % 3 == 0
          case 6: (product % 2 + product % 3) % 2 == 0
          default: ((row + column) % 2 + product % 3) % 2 == 0
          }
        if isChanged { dark[row * side + column].toggle() }
      }
    }
    drawFormat(mask: mask)
  }

  /// A measure of what makes the code hard to read: long runs, squares, likeness to the corners, imbalance.
  private var penalty: Int {
    var sum = 0
    let lines = (0..<side).flatMap { line in
      [(0..<side).map { self[$0, line] }, (0..<side).map { self[line, $0] }]
    }
    let corner = [true, false, true, true, true, false, true]
    let margin = Array(repeating: false, count: 4)
    for line in lines {
      var run = 0
      for place in 0..<side {
        run = place > 0 && line[place] == line[place - 1] ? run + 1 : 1
        if run >= 5 { sum += run == 5 ? 3 : 1 }
        let rest = line[place...]
        if rest.starts(with: corner + margin) || rest.starts(with: margin + corner) { sum += 40 }
      }
    }
    for row in 1..<side {
      for column in 1..<side {
        let first = self[column, row]
        let others = [self[column - 1, row], self[column, row - 1], self[column - 1, row - 1]]
        if others.allSatisfy({ $0 == first }) { sum += 3 }
      }
    }
    let share = 100 * dark.count { $0 } / dark.count
    return sum + 10 * (Int((share - 50).magnitude) / 5)
  }
}
