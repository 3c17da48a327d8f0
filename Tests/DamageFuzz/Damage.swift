import FrameJudge

/// Damage to bytes, as by disks, cables, truncated copies and malice.
struct Damage {
  /// Numbers that overflow, are negative, or promise more than there is.
  private static let extremes: [UInt64] = [
    0, 1, 2, 7, 8, 9, 15, 16, 0x7f, 0xff, 0x7fff, 0xffff, 0x10000, 0x7fff_ffff, 0x8000_0000, 0xffff_fff7,
    0xffff_ffff, 0x7fff_ffff_ffff_ffff, 0x8000_0000_0000_0000, .max,
  ]

  /// Boxes of MOV and MP4 whose sizes and counts libav and Overcrank read.
  private static let boxes = Set(
    [
      "ftyp", "moov", "mvhd", "trak", "tkhd", "edts", "elst", "mdia", "mdhd", "hdlr", "minf", "stbl", "stsd",
      "stts",
      "ctts", "stss", "stsz", "stsc", "stco", "co64", "udta", "meta", "keys", "ilst", "data", "free", "mdat",
      "wide",
      "jpeg", "avc1", "avcC", "mp4a", "esds", "colr", "fiel", "raw ", "yuvs",
    ].map { $0.utf8.reduce(0) { $0 << 8 | UInt32($1) } })

  /// Returns `bytes` with one to three random damages, mostly one: with more, few files pass the first check.
  static func done(to bytes: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var bytes = bytes
    for _ in 0...([0, 0, 0, 1, 2].randomElement(using: &random) ?? 0) where !bytes.isEmpty {
      damage(&bytes, &random)
    }
    return bytes
  }

  private static func damage(_ bytes: inout [UInt8], _ random: inout SplitMix) {
    let place = place(in: bytes, &random)
    let run = place..<min(bytes.count, place + Int.random(in: 1...64, using: &random))
    switch Int.random(in: 0..<11, using: &random) {
    case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1: for place in run { bytes[place] = UInt8.random(in: 0...255, using: &random) }
    case 2: for place in run { bytes[place] = Bool.random(using: &random) ? 0xff : 0 }
    case 3: bytes.removeLast(bytes.count - place)
    case 4: bytes.removeSubrange(run)
    case 5: bytes.insert(contentsOf: bytes[run], at: Int.random(in: 0...bytes.count, using: &random))
    case 6: swapRuns(&bytes, run, &random)
    case 7:
      bytes += (0..<Int.random(in: 1...3000, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
    case 8: putExtreme(in: &bytes, at: place, &random)
    case 9: damageBox(&bytes, &random)
    default: damageMarker(&bytes, &random)
    }
  }

  /// Returns a random place, more often near the ends: headers are there, and are the most sensitive.
  private static func place(in bytes: [UInt8], _ random: inout SplitMix) -> Int {
    let reach = min(bytes.count, [16, 64, 700, .max].randomElement(using: &random) ?? .max)
    let place = Int.random(in: 0..<reach, using: &random)
    return Bool.random(using: &random) ? place : bytes.count - 1 - place
  }

  private static func swapRuns(_ bytes: inout [UInt8], _ run: Range<Int>, _ random: inout SplitMix) {
    let other = Int.random(in: 0...bytes.count - run.count, using: &random)
    for place in 0..<run.count { bytes.swapAt(run.lowerBound + place, other + place) }
  }

  private static func putExtreme(in bytes: inout [UInt8], at place: Int, _ random: inout SplitMix) {
    let width = [1, 2, 4, 8].randomElement(using: &random) ?? 4
    let number = extremes.randomElement(using: &random) ?? 0
    let isBigEndian = Bool.random(using: &random)
    for byte in 0..<width where place + byte < bytes.count {
      bytes[place + byte] = UInt8(
        truncatingIfNeeded: number >> UInt64(8 * (isBigEndian ? width - 1 - byte : byte)))
    }
  }

  /// Gives a box an impossible size or count.
  private static func damageBox(_ bytes: inout [UInt8], _ random: inout SplitMix) {
    var found: [Int] = []
    var letters: UInt32 = 0
    for (place, byte) in bytes.enumerated() {
      letters = letters << 8 | UInt32(byte)
      if place >= 7, boxes.contains(letters) { found.append(place - 7) }
    }
    guard let box = found.randomElement(using: &random) else { return putExtreme(in: &bytes, at: 0, &random) }
    // The size, the version and flags, the count, or the first entries of the table.
    let field = box + ([0, 0, 8, 12, 16, 20, 24].randomElement(using: &random) ?? 0)
    let number = UInt32(truncatingIfNeeded: extremes.randomElement(using: &random) ?? 0)
    for byte in 0..<4 where field + byte < bytes.count {
      bytes[field + byte] = UInt8(truncatingIfNeeded: number >> UInt32(8 * (3 - byte)))
    }
  }

  /// Damages what follows a marker of a JPEG: its length, the picture's size, a table, a restart's number.
  private static func damageMarker(_ bytes: inout [UInt8], _ random: inout SplitMix) {
    let found = bytes.indices.dropLast().filter {
      bytes[$0] == 0xff && bytes[$0 + 1] >= 0xc0 && bytes[$0 + 1] < 0xff
    }
    guard let marker = found.randomElement(using: &random) else {
      return putExtreme(in: &bytes, at: 0, &random)
    }
    let field = marker + Int.random(in: 1...12, using: &random)
    if field < bytes.count { bytes[field] = UInt8.random(in: 0...255, using: &random) }
  }
}
