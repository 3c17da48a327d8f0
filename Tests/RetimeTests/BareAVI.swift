import Foundation

/// An AVI of MPEG-4 at 25 frames a second whose frames have a kind, and no picture: enough to derive the
/// order in which they are shown.
struct BareAVI {
  /// The kinds of the frames in each chunk: `I`, `P` or `B`. DivX puts two into one; an empty chunk stands
  /// for a skipped frame.
  var chunks: [String]

  func write(to path: String) throws {
    let contents = chunks.enumerated().map { place, kinds in
      (place == 0 ? Self.header : []) + kinds.flatMap(Self.frame)
    }
    let index = contents.enumerated().reduce(into: (entries: [UInt8](), offset: 4)) { index, chunk in
      index.entries +=
        "00dc".utf8 + number(chunks[chunk.offset].contains("I") ? 0x10 : 0) + number(index.offset)
      index.entries += number(chunk.element.count)
      index.offset += Self.chunk("00dc", chunk.element).count
    }
    let main: [Int] = [40_000, 10_000, 0, 0x10, chunks.count, 0, 1, 1000, 16, 16, 0, 0, 0, 0]
    let stream =
      Array("vidsXVID".utf8)
      + ([0, 0, 0, 1, 25, 0, chunks.count, 1000, -1, 0, 0, 16 << 16 | 16] as [Int]).flatMap(number)
    let format =
      ([40, 16, 16, 24 << 16 | 1] as [Int]).flatMap(number) + "XVID".utf8
      + ([768, 0, 0, 0, 0] as [Int]).flatMap(number)
    let head = Self.list(
      "hdrl",
      Self.chunk("avih", main.flatMap(number))
        + Self.list("strl", Self.chunk("strh", stream) + Self.chunk("strf", format)))
    let frames = Self.list("movi", contents.flatMap { Self.chunk("00dc", $0) })
    let file = Self.chunk("RIFF", "AVI ".utf8 + head + frames + Self.chunk("idx1", index.entries))
    try Data(file).write(to: URL(filePath: path))
  }

  /// A video object layer of 16x16 pixels with B-frames: ISO/IEC 14496-2.
  private static let header: [UInt8] = [
    0, 0, 1, 0xb0, 0xf1, 0, 0, 1, 0xb5, 0xa9, 0x13, 0, 0, 1, 0, 0, 0, 1, 0x20, 0x08, 0xd4, 0x8d, 0x08, 0,
    0xcd, 0, 0x84, 0x02, 0x14, 0x18, 0x3f,
  ]

  private static func frame(_ kind: Character) -> [UInt8] {
    let code: UInt8 = kind == "I" ? 0x10 : kind == "P" ? 0x50 : 0x90
    return [0, 0, 1, 0xb6, code] + [UInt8](repeating: 0x60, count: 6)
  }

  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    type.utf8 + number(content.count) + content + [UInt8](repeating: 0, count: content.count % 2)
  }

  private static func list(_ type: String, _ content: [UInt8]) -> [UInt8] {
    chunk("LIST", type.utf8 + content)
  }
}

/// 32 bits, the lowest first.
private func number(_ value: Int) -> [UInt8] {
  [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
}
