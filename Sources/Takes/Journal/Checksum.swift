/// CRC-32 as in Ethernet and zlib (polynomial 0xEDB88320 reflected).
enum Checksum {
  private static let table: [UInt32] = (0..<256).map { (byte: UInt32) in
    (0..<8).reduce(byte) { value, _ in value >> 1 ^ (value & 1 == 0 ? 0 : 0xedb8_8320) }
  }

  /// The sum of `bytes`, carried on from `start`, the sum of those before them.
  static func crc32(_ bytes: some Sequence<UInt8>, from start: UInt32 = 0) -> UInt32 {
    ~bytes.reduce(~start) { table[Int(($0 ^ UInt32($1)) & 0xff)] ^ $0 >> 8 }
  }
}
