/// A secret of 256 bits from the system's random number generator.
struct Token: Sendable {
  /// The secret in hexadecimal digits.
  let text: String

  /// Creates a new token.
  init() {
    var generator = SystemRandomNumberGenerator()
    text = (0..<4).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Returns whether `other` is the same, in a time that depends only on its length.
  func matches(_ other: String) -> Bool {
    let (own, other) = (Array(text.utf8), Array(other.utf8))
    guard own.count == other.count else { return false }
    var difference: UInt8 = 0
    for place in own.indices { difference |= own[place] ^ other[place] }
    return difference == 0
  }
}
