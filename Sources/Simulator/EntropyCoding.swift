/// The codes of a JPEG's Huffman table.
struct HuffmanTable {
  /// A run of at most 57 bits.
  struct Code {
    var bits: UInt64 = 0
    var count = 0

    /// Returns this run followed by another.
    func followed(by bits: UInt64, count: Int) -> Code {
      Code(bits: self.bits << UInt64(count) | bits, count: self.count + count)
    }
  }

  private var codes = [Code](repeating: Code(), count: 256)

  /// Creates the canonical codes (ITU-T T.81, annex C) of `symbols`; `counts[n]` of them have `n + 1` bits.
  init(counts: [UInt8], symbols: [UInt8]) {
    var next: UInt64 = 0
    var rest = symbols[...]
    for (index, count) in counts.enumerated() {
      for symbol in rest.prefix(Int(count)) {
        codes[Int(symbol)] = Code(bits: next, count: index + 1)
        next += 1
      }
      rest = rest.dropFirst(Int(count))
      next <<= 1
    }
  }

  /// The code of `symbol`.
  subscript(symbol: UInt8) -> Code { codes[Int(symbol)] }
}

/// A writer of entropy-coded bits; it stuffs a zero byte after every 0xff.
struct BitWriter {
  private var next: UnsafeMutablePointer<UInt8>
  private var pending: UInt64 = 0
  private var pendingCount = 0

  /// Creates a writer that starts at `next`.
  init(next: UnsafeMutablePointer<UInt8>) { self.next = next }

  /// Writes a run of bits.
  mutating func write(_ code: HuffmanTable.Code) {
    pending = pending << UInt64(code.count) | code.bits
    pendingCount += code.count
    while pendingCount >= 8 {
      pendingCount -= 8
      put(UInt8(truncatingIfNeeded: pending >> UInt64(pendingCount)))
    }
  }

  /// Pads the last byte with ones and returns the address after it.
  mutating func finish() -> UnsafeMutablePointer<UInt8> {
    if pendingCount > 0 {
      write(HuffmanTable.Code(bits: (1 << UInt64(8 - pendingCount)) - 1, count: 8 - pendingCount))
    }
    return next
  }

  private mutating func put(_ byte: UInt8) {
    next.pointee = byte
    next += 1
    if byte == 0xff {
      next.pointee = 0
      next += 1
    }
  }
}
