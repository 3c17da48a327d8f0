/// The codes of a JPEG's Huffman table.
struct HuffmanTable {
  /// A run of at most 57 bits.
  struct Code {
    var bits: UInt64 = 0
    var count = 0

    /// This run with another behind it.
    func followed(by bits: UInt64, count: Int) -> Code {
      Code(bits: self.bits << UInt64(count) | bits, count: self.count + count)
    }
  }

  private var codes = [Code](repeating: Code(), count: 256)

  /// The canonical codes (ITU-T T.81, annex C) of `symbols`, of which `counts[n]` have codes of `n + 1` bits.
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

/// Writes bits as entropy-coded data has them: a zero byte behind every byte of ones.
struct BitWriter {
  private var next: UnsafeMutablePointer<UInt8>
  private var pending: UInt64 = 0
  private var pendingCount = 0

  /// A writer whose first byte goes to `next`.
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

  /// Fills the last byte with ones and gives the place behind it.
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
