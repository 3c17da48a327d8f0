/// A box of a MOV or MP4 file: ISO/IEC 14496-12, 4.2.
struct MovieBox: Hashable {
  /// Four letters.
  var type: String
  /// Bytes from the start of what it was found in.
  var offset: Int
  /// Bytes in front of its content.
  var headerSize: Int
  /// Bytes with its header.
  var size: Int

  /// Where its content lies.
  var content: Range<Int> { offset + headerSize..<offset + size }
  /// Where its type lies.
  var typeOffset: Int { offset + 4 }

  /// The box whose first bytes are `head`, at `offset` of something that ends at `end`; `nil` where there is no room for
  /// one. Its size may reach beyond `end`.
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

  /// The boxes in `range` of `bytes`, as far as they are whole.
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
}

extension MovieBox {
  /// A box of four letters.
  static func bytes(_ type: String, _ content: [UInt8]) -> [UInt8] {
    number(UInt32(clamping: content.count + 8)) + type.utf8 + content
  }

  /// The bytes of `value`, the greatest first.
  static func number<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }
}

extension Collection<UInt8> {
  /// The unsigned number in `count` bytes from the `offset`th on.
  func bigEndian(at offset: Int, count: Int) -> UInt64 {
    dropFirst(offset).prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The unsigned number in `count` bytes from the `offset`th on, the last of which counts most.
  func littleEndian(at offset: Int, count: Int) -> UInt64 {
    dropFirst(offset).prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
