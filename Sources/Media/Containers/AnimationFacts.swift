import Platform
package import SystemPackage
package import Timebase

/// The frames and times of a GIF, an animated WebP or an APNG, as the file states them.
///
/// libav does not read an animated WebP, guesses the time of a GIF's last frame, and reports no repetitions.
package struct AnimationFacts: Hashable, Sendable {
  /// The kind of the file.
  package let container: Container
  /// The size of the pictures in pixels.
  package private(set) var width = 0
  package private(set) var height = 0
  /// The number of frames.
  package private(set) var frameCount = 0
  /// The playing time in seconds.
  package private(set) var duration = Fraction(0)
  /// The number of times that it plays; 0 for no end.
  package private(set) var playCount = 1

  /// Frames per second on average; `nil` if the frames have no times.
  package var rate: Fraction? { duration > Fraction(0) ? Fraction(Int64(frameCount)) / duration : nil }

  /// Reads the heads of the parts of the file at `path`; `nil` if it is no animation, is cut off, or cannot be read.
  package init?(of path: FilePath) {
    guard let file = try? InputFile(path), let head = try? file.bytes(at: 0, count: 16) else { return nil }
    let kind: Container? =
      if head.starts(with: "GIF8".utf8) {
        .gif
      } else if head.starts(with: "RIFF".utf8), head.dropFirst(8).starts(with: "WEBP".utf8) {
        .webp
      } else if head.starts(with: [0x89, 0x50, 0x4e, 0x47]) {
        .apng
      } else {
        nil
      }
    guard let kind else { return nil }
    container = kind
    let isWhole =
      switch kind {
      case .gif: try? readGIF(file)
      case .webp: try? readWebP(file)
      default: try? readPNG(file)
      }
    guard isWhole == true, frameCount > 0, width > 0, height > 0 else { return nil }
  }

  /// Reads the blocks of a GIF (version 89a), each of which is a row of parts of up to 255 bytes.
  private mutating func readGIF(_ file: InputFile) throws(OvercrankError) -> Bool {
    let head = try file.bytes(at: 0, count: 13)
    guard head.count == 13 else { return false }
    (width, height) = (Self.little(head, 6, 2), Self.little(head, 8, 2))
    var offset = 13 + Self.tableSize(head[10])
    var delay = 0
    for _ in 0..<DeclaredSize.mostParts {
      let block = try file.bytes(at: offset, count: 20)
      guard let first = block.first else { return false }
      switch first {
      case 0x3b: return true
      case 0x21:
        guard block.count > 3 else { return false }
        if block[1] == 0xf9, block.count > 6 { delay = Self.little(block, 4, 2) }
        // The name has eleven bytes; a part of three follows, the last two of which count the repetitions.
        if block[1] == 0xff, block.dropFirst(3).starts(with: "NETSCAPE2.0".utf8), block.count > 18 {
          let repetitions = Self.little(block, 16, 2)
          playCount = repetitions == 0 ? 0 : repetitions + 1
        }
        offset += 2
      case 0x2c:
        guard block.count > 10 else { return false }
        frameCount += 1
        duration = duration + Fraction(Int64(delay), 100)
        delay = 0
        // The table, and a byte before the parts.
        offset += 11 + Self.tableSize(block[9])
      default: return false
      }
      guard let end = try Self.endOfParts(file, from: offset) else { return false }
      offset = end
    }
    return false
  }

  /// Returns the end of a row of parts; `nil` if the file ends before it.
  private static func endOfParts(_ file: InputFile, from start: Int64) throws(OvercrankError) -> Int64? {
    var offset = start
    while case let window = try file.bytes(at: offset, count: 1 << 14), !window.isEmpty {
      var place = 0
      while place < window.count {
        guard window[place] > 0 else { return offset + Int64(place) + 1 }
        place += 1 + Int(window[place])
      }
      offset += Int64(place)
    }
    return nil
  }

  /// Returns the size of a table of colours, which `flags` state.
  private static func tableSize(_ flags: UInt8) -> Int64 {
    flags & 0x80 == 0 ? 0 : 3 * (2 << Int64(flags & 7))
  }

  /// Reads the chunks of an animated WebP.
  private mutating func readWebP(_ file: InputFile) throws(OvercrankError) -> Bool {
    let end = Int64(Self.little(try file.bytes(at: 4, count: 4), 0, 4)) + 8
    guard end <= file.size else { return false }
    var offset: Int64 = 12
    for _ in 0..<DeclaredSize.mostParts where offset < end {
      let chunk = try file.bytes(at: offset, count: 24)
      guard chunk.count >= 8 else { return false }
      switch String(decoding: chunk[..<4], as: UTF8.self) {
      case "VP8X" where chunk.count >= 18:
        (width, height) = (1 + Self.little(chunk, 12, 3), 1 + Self.little(chunk, 15, 3))
      case "ANIM" where chunk.count >= 14: playCount = Self.little(chunk, 12, 2)
      case "ANMF" where chunk.count >= 23:
        frameCount += 1
        duration = duration + Fraction(Int64(Self.little(chunk, 20, 3)), 1000)
      default: break
      }
      let length = Int64(Self.little(chunk, 4, 4))
      offset += 8 + length + length % 2
    }
    return true
  }

  /// Reads the chunks of an APNG; other PNGs have no frames.
  private mutating func readPNG(_ file: InputFile) throws(OvercrankError) -> Bool {
    var offset: Int64 = 8
    for _ in 0..<DeclaredSize.mostParts {
      let chunk = try file.bytes(at: offset, count: 40)
      guard chunk.count >= 12 else { return false }
      func number(_ place: Int, _ count: Int) -> Int {
        Int(clamping: chunk.bigEndian(at: 8 + place, count: count))
      }
      switch String(decoding: chunk[4..<8], as: UTF8.self) {
      case "IHDR" where chunk.count >= 16: (width, height) = (number(0, 4), number(4, 4))
      case "acTL" where chunk.count >= 16: playCount = number(4, 4)
      case "fcTL" where chunk.count >= 32:
        frameCount += 1
        let (delay, ticks) = (number(20, 2), number(22, 2))
        // By the specification, 0 ticks per second are 100.
        duration = duration + Fraction(Int64(delay), Int64(ticks == 0 ? 100 : ticks))
      case "IEND": return true
      default: break
      }
      offset += 12 + Int64(clamping: chunk.bigEndian(at: 0, count: 4))
    }
    return false
  }

  private static func little(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
    Int(clamping: bytes.littleEndian(at: place, count: count))
  }
}
