import Platform

/// Streamed containers, whose end alone shows whether they are complete.
extension DeclaredSize {
  /// Checks packets of 188 bytes, with 4 bytes of timestamp before or 16 of error correction after each. Bad
  /// reception may leave anything between them, so only the last packets count.
  static func transportStream(_ file: InputFile, _ head: [UInt8]) throws(OvercrankError) -> String? {
    for (start, length) in [(0, 188), (4, 192), (0, 204)] {
      let places = Array(stride(from: start, to: head.count, by: length).prefix(3))
      guard places.count == 3, places.allSatisfy({ head[$0] == 0x47 }) else { continue }
      let tail = try file.bytes(at: max(0, file.size - Int64(5 * length)), count: 5 * length)
      let rest = (0..<length).first { rest in
        (1...4).allSatisfy { count in
          let place = tail.count - rest - count * length + start
          return tail.indices.contains(place) && tail[place] == 0x47
        }
      }
      return rest ?? 0 == 0 ? nil : "its last packet is incomplete"
    }
    return nil
  }

  /// Checks consecutive packs and packets in the last part of the file: ISO/IEC 13818-1, 2.5.
  static func programStream(_ file: InputFile) throws(OvercrankError) -> String? {
    let window = 1 << 18
    let tail = try file.bytes(at: max(0, file.size - Int64(window)), count: window)
    let pack: [UInt8] = [0, 0, 1, 0xba]
    // A pack may contain bytes that look like the start of one: a chain that reaches the end, or nearly so,
    // is genuine.
    var start = tail.startIndex
    while let place = tail[start...].firstIndex(of: 0xba) {
      start = place + 1
      guard place >= 3, tail[(place - 3)...].starts(with: pack) else { continue }
      var offset = place - 3
      while offset < tail.count {
        guard tail[offset...].starts(with: [0, 0, 1]), tail.count < offset + 4 || tail[offset + 3] >= 0xb9
        else {
          if offset + 4 > tail.count { return "its last packet is incomplete" }
          break
        }
        guard let end = programPacketEnd(tail, at: offset) else { return "its last packet is incomplete" }
        offset = end
      }
      if offset == tail.count { return nil }
      if offset > tail.count { return missing(file.size + Int64(offset - tail.count), file) }
    }
    return nil
  }

  /// Returns the end of the packet at `offset`; `nil` if its head is cut off.
  private static func programPacketEnd(_ bytes: [UInt8], at offset: Int) -> Int? {
    guard offset + 6 <= bytes.count else {
      return offset + 4 == bytes.count && bytes[offset + 3] == 0xb9 ? bytes.count : nil
    }
    switch bytes[offset + 3] {
    case 0xb9: return offset + 4
    case 0xba where bytes[offset + 4] >> 6 == 1:
      guard offset + 14 <= bytes.count else { return nil }
      return offset + 14 + Int(bytes[offset + 13] & 7)
    // The pack header of MPEG-1.
    case 0xba: return offset + 12
    default: return offset + 6 + Int(bytes.bigEndian(at: offset + 4, count: 2))
    }
  }

  /// Checks that the last page of a stream is marked as such: RFC 3533.
  static func ogg(_ file: InputFile) throws(OvercrankError) -> String? {
    // The size of the largest possible page.
    let window = 65_307
    let tail = try file.bytes(at: max(0, file.size - Int64(window)), count: window)
    let magic = Array("OggS".utf8)
    guard
      let place = tail.indices.last(where: { tail[$0] == magic[0] && tail[$0...].starts(with: magic) }),
      place + 27 <= tail.count, case let table = tail[(place + 27)...].prefix(Int(tail[place + 26])),
      table.count == Int(tail[place + 26])
    else { return "its last page is incomplete" }
    let end = place + 27 + table.count + table.reduce(0) { $0 + Int($1) }
    if end > tail.count { return missing(file.size + Int64(end - tail.count), file) }
    return tail[place + 5] & 4 == 0 ? "its last page is missing" : nil
  }

  /// Checks the index at the end of NUT, whose last bytes give its start.
  static func nut(_ file: InputFile) throws(OvercrankError) -> String? {
    let length = Int64(clamping: (try file.bytes(at: file.size - 12, count: 8)).bigEndian(at: 0, count: 8))
    guard length <= file.size, try file.bytes(at: file.size - length, count: 8) == nutIndex else {
      return "the index at its end is missing or incomplete"
    }
    return nil
  }

  private static let nutIndex: [UInt8] = [0x4e, 0x58, 0xdd, 0x67, 0x2f, 0x23, 0xe6, 0x4e]
  private static let nutHeader: [UInt8] = [0x4e, 0x4d, 0x7a, 0x56, 0x1f, 0x5f, 0x04, 0xad]

  /// The bytes of NUT between two packets, unless all its headers are repeated there: fewer than none if a part of the
  /// packet is stated once for all.
  static let nutHeads: ClosedRange<Int64> = -32...256

  /// Returns whether NUT's headers are repeated where a packet ends, at `offset` or shortly before, or its index is
  /// there, as in front of another file that was joined to it.
  static func hasNUTHead(_ file: InputFile, near offset: Int64) throws(OvercrankError) -> Bool {
    let bytes = try file.bytes(at: max(0, offset + nutHeads.lowerBound), count: 40)
    return bytes.indices.contains {
      bytes[$0...].starts(with: nutIndex) || bytes[$0...].starts(with: nutHeader)
    }
  }
}
