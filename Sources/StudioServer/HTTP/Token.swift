/// A secret of 256 bits from the system's generator.
struct Token: Sendable {
  /// In hexadecimal digits.
  let text: String

  /// A new one.
  init() {
    var generator = SystemRandomNumberGenerator()
    text = (0..<4).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Whether `other` is the same. Takes the same time for any other of its length.
  func matches(_ other: String) -> Bool {
    let (own, other) = (Array(text.utf8), Array(other.utf8))
    guard own.count == other.count else { return false }
    var difference: UInt8 = 0
    for place in own.indices { difference |= own[place] ^ other[place] }
    return difference == 0
  }
}
