/// Numbers from bytes, with those at the ends of their type more frequent than by chance.
struct NumberSource {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }

  /// The next byte; 0 at the end.
  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func bool() -> Bool { byte() & 1 == 1 }

  /// A number: one at an end of the type, a power of two, a small one, or any.
  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number {
    let kind = byte()
    switch kind >> 5 {
    case 0: return Number(truncatingIfNeeded: kind)
    case 1: return .max - Number(truncatingIfNeeded: kind & 0x1f)
    case 2: return .min + Number(truncatingIfNeeded: kind & 0x1f)
    case 3: return Number(1) << Number(truncatingIfNeeded: Int(kind & 0x1f) % Number.bitWidth)
    case 4: return Number(truncatingIfNeeded: Int(kind & 0x1f) * 1000 + Int(byte()))
    default:
      var value: UInt64 = 0
      for _ in 0..<Number.bitWidth / 8 { value = value << 8 | UInt64(byte()) }
      return Number(truncatingIfNeeded: value)
    }
  }

  mutating func element<Elements: RandomAccessCollection>(of elements: Elements) -> Elements.Element {
    elements[elements.index(elements.startIndex, offsetBy: Int(byte()) % elements.count)]
  }
}
