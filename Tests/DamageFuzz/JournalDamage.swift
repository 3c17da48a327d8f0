import FrameJudge

/// Damage to a journal that passes its checksums, as by a bug or by malice.
enum JournalDamage {
  private static let entrySize = 40
  /// The header has eight letters, then the size of the JSON and its checksum, lowest byte first.
  private static let (sizePlace, sumPlace, headSize) = (8, 12, 16)

  /// Returns the start of the entries.
  private static func start(_ journal: [UInt8]) -> Int {
    headSize + journal[sizePlace..<sumPlace].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Damages numbers in entries.
  static func toEntries(of journal: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var bytes = journal
    let header = start(journal)
    let entries = (bytes.count - header) / entrySize
    guard entries > 0 else { return bytes }
    for _ in 0...Int.random(in: 0...3, using: &random) {
      let start = header + entrySize * Int.random(in: 0..<entries, using: &random)
      let field = start + Int.random(in: 4..<36, using: &random)
      let isExtreme = Bool.random(using: &random)
      for place in field..<min(field + 8, start + 36) where isExtreme || place == field {
        bytes[place] = [0, 1, 0x7f, 0x80, 0xff].randomElement(using: &random) ?? 0
      }
      put(crc32(bytes[start..<start + 36]), in: &bytes, at: start + 36)
    }
    return bytes
  }

  /// Replaces numbers in the header's JSON.
  static func toFields(of journal: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    let end = start(journal)
    var json = String(decoding: journal[headSize..<end], as: UTF8.self)
    for _ in 0...Int.random(in: 0...2, using: &random) {
      let numbers = json.ranges(of: #/-?[0-9]+/#)
      guard let number = numbers.randomElement(using: &random) else { break }
      json.replaceSubrange(number, with: values.randomElement(using: &random) ?? "0")
    }
    var bytes = Array(journal[..<headSize]) + json.utf8
    put(UInt32(json.utf8.count), in: &bytes, at: sizePlace)
    put(crc32(bytes[headSize...]), in: &bytes, at: sumPlace)
    return bytes + journal[end...]
  }

  /// Numbers that are too large, values that are not numbers, and the codes of YUYV, RG10 and pRAA.
  private static let values = [
    "0", "-1", "1", "3", "7", "64", "65535", "65536", "2147483647", "2147483648", "4294967295", "4294967296",
    "9223372036854775807", "-9223372036854775808", "18446744073709551616", "1e300", "0.5", "null", "\"x\"",
    "[]",
    "1448695129", "808535890", "1094799984",
  ]

  /// Damages the letters, the checksum, or the JSON's size with a checksum of as many bytes as there are.
  static func toHead(of journal: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var bytes = journal
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes[Int.random(in: 0..<sizePlace, using: &random)] ^= 1
    case 1: bytes[Int.random(in: sumPlace..<headSize, using: &random)] ^= 1
    default:
      let rest = UInt32(journal.count - headSize)
      let sizes = [0, 1, rest - 1, rest, rest + 1, 0x7fff_ffff, 0xffff_ffff]
      let size = sizes.randomElement(using: &random) ?? 0
      put(size, in: &bytes, at: sizePlace)
      put(crc32(bytes[headSize...].prefix(Int(size))), in: &bytes, at: sumPlace)
    }
    return bytes
  }

  private static func put(_ number: UInt32, in bytes: inout [UInt8], at place: Int) {
    for byte in 0..<4 { bytes[place + byte] = UInt8(truncatingIfNeeded: number >> UInt32(8 * byte)) }
  }

  /// Returns zlib's CRC-32.
  private static func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var sum: UInt32 = 0xffff_ffff
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xedb8_8320 }
    }
    return ~sum
  }
}
