/// Appends numbers in USB's byte order: least significant byte first.
extension [UInt8] {
  mutating func append<Number: FixedWidthInteger>(little number: Number) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  /// The number at `offset`, least significant byte first; the caller ensures that it exists.
  func little<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number {
    self[offset..<offset + Number.bitWidth / 8].reversed().reduce(0) {
      $0 << 8 | Number(truncatingIfNeeded: $1)
    }
  }
}

/// Appends and reads numbers in USB/IP's byte order: most significant byte first.
extension [UInt8] {
  mutating func append(big number: UInt32) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }

  /// The number at `offset`, most significant byte first; the caller ensures that it exists.
  func big(at offset: Int) -> UInt32 {
    self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
