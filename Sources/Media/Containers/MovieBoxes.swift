import Platform

/// A box of a MOV or MP4 file: ISO/IEC 14496-12, 4.2.
struct MovieBox: Hashable {
  /// The type, four characters.
  var type: String
  /// The offset in bytes from the start of its source.
  var offset: Int
  /// The size in bytes of its header.
  var headerSize: Int
  /// The size in bytes, header included.
  var size: Int

  /// The range of its content.
  var content: Range<Int> { offset + headerSize..<offset + size }
  /// The offset of its type.
  var typeOffset: Int { offset + 4 }

  /// Parses the box that starts with `head`, at `offset` in data that ends at `end`; `nil` if there is no
  /// room for one. Its size may extend past `end`.
  init?(head: ArraySlice<UInt8>, offset: Int, end: Int) {
    guard head.count >= 8 else { return nil }
    let short = Int(head.bigEndian(at: 0, count: 4))
    type = String(decoding: head.dropFirst(4).prefix(4), as: UTF8.self)
    self.offset = offset
    switch short {
    case 0: (headerSize, size) = (8, end - offset)
    case 1:
      guard head.count >= 16 else { return nil }
      (headerSize, size) = (16, Int(clamping: head.bigEndian(at: 8, count: 8)))
    default: (headerSize, size) = (8, short)
    }
    guard size >= headerSize, size <= Int.max / 2 else { return nil }
  }

  /// Returns the complete boxes in `range` of `bytes`.
  static func boxes(in bytes: [UInt8], _ range: Range<Int>) -> [MovieBox] {
    var boxes: [MovieBox] = []
    var offset = range.lowerBound
    while let box = MovieBox(
      head: bytes[offset..<min(offset + 16, range.upperBound)], offset: offset, end: range.upperBound),
      box.offset + box.size <= range.upperBound
    {
      boxes.append(box)
      offset += box.size
    }
    return boxes
  }

  /// The most boxes that are read of one range of a file.
  private static let mostBoxes = 100_000

  /// Returns the complete boxes in `range` of `file`, of which only the heads are read.
  static func boxes(in range: Range<Int>, of file: InputFile) throws(OvercrankError) -> [MovieBox] {
    var boxes: [MovieBox] = []
    var offset = range.lowerBound
    while offset < range.upperBound, boxes.count < mostBoxes {
      let head = try file.bytes(at: Int64(offset), count: min(16, range.upperBound - offset))
      guard let box = MovieBox(head: head[...], offset: offset, end: range.upperBound),
        box.size <= range.upperBound - offset
      else { break }
      boxes.append(box)
      offset += box.size
    }
    return boxes
  }
}

extension MovieBox {
  /// Returns a box of this type and content.
  static func bytes(_ type: String, _ content: [UInt8]) -> [UInt8] {
    number(UInt32(clamping: content.count + 8)) + type.utf8 + content
  }

  /// Returns the bytes of `value`, most significant first.
  static func number<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }
}

extension Collection<UInt8> {
  /// Returns the unsigned big-endian number in `count` bytes at `offset`.
  func bigEndian(at offset: Int, count: Int) -> UInt64 {
    dropFirst(offset).prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns the unsigned little-endian number in `count` bytes at `offset`.
  func littleEndian(at offset: Int, count: Int) -> UInt64 {
    dropFirst(offset).prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
