/// A directory of a TIFF file, as used by EXIF: tags in order, each with its value (TIFF 6.0, section 2). It
/// is little-endian, as libav's TIFF encoder writes it.
struct TIFFDirectory {
  /// The type of a value.
  private enum Kind: UInt16 {
    case ascii = 2
    case short = 3
    case long = 4
    case rational = 5
    case undefined = 7
  }

  /// A tag's value.
  struct Field {
    let kind: UInt16
    let count: UInt32
    /// The bytes of the value; up to four are stored in the directory itself, more after it.
    let bytes: [UInt8]
  }

  private(set) var fields: [UInt16: Field] = [:]

  /// The bytes per value of each kind.
  private static let valueSizes = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8]
  /// The bytes per field in the directory.
  private static let fieldSize = 12

  mutating func set(_ tag: UInt16, ascii text: String?) {
    // ASCII, as the standard requires; other characters are omitted.
    guard let bytes = text?.utf8.filter({ (0x20..<0x7f).contains($0) }), !bytes.isEmpty else { return }
    set(tag, .ascii, bytes + [0], each: 1)
  }

  mutating func set(_ tag: UInt16, short number: UInt16) {
    set(tag, .short, littleEndian(number), each: 2)
  }

  mutating func set(_ tag: UInt16, long number: Int) {
    set(tag, .long, littleEndian(UInt32(clamping: number)), each: 4)
  }

  mutating func set(_ tag: UInt16, rational numerator: Int64, _ denominator: Int64) {
    let terms = littleEndian(UInt32(clamping: numerator)) + littleEndian(UInt32(clamping: denominator))
    set(tag, .rational, terms, each: 8)
  }

  mutating func set(_ tag: UInt16, undefined bytes: [UInt8]) {
    set(tag, .undefined, bytes, each: 1)
  }

  private mutating func set(_ tag: UInt16, _ kind: Kind, _ bytes: [UInt8], each size: Int) {
    fields[tag] = Field(kind: kind.rawValue, count: UInt32(clamping: bytes.count / size), bytes: bytes)
  }

  /// Adds a field unchanged from another directory of the same file, unless it is already set.
  mutating func keep(_ tag: UInt16, _ field: Field) { fields[tag] = fields[tag] ?? field }

  /// The size in bytes, values included.
  var byteCount: Int { bytes(at: 0).count }

  /// Returns the bytes of the directory and its values.
  ///
  /// - Parameters:
  ///   - start: its offset in the file; an even number.
  ///   - next: the offset of the next directory; 0 for none.
  func bytes(at start: Int, next: Int = 0) -> [UInt8] {
    var table = littleEndian(UInt16(clamping: fields.count))
    var values: [UInt8] = []
    let end = start + 2 + fields.count * Self.fieldSize + 4
    for (tag, field) in fields.sorted(by: { $0.key < $1.key }) {
      table += littleEndian(tag) + littleEndian(field.kind) + littleEndian(field.count)
      if field.bytes.count <= 4 {
        table += field.bytes + [UInt8](repeating: 0, count: 4 - field.bytes.count)
      } else {
        table += littleEndian(UInt32(clamping: end + values.count))
        // Values begin at even offsets.
        values += field.bytes + [UInt8](repeating: 0, count: field.bytes.count % 2)
      }
    }
    return table + littleEndian(UInt32(clamping: next)) + values
  }
}

extension TIFFDirectory {
  /// Returns `tiff`, a file of libav's encoder, with these fields in its first directory; unchanged if it is
  /// not such a file.
  func added(to tiff: [UInt8]) -> [UInt8] {
    func number(at place: Int, _ count: Int) -> Int? {
      guard place >= 0, place <= tiff.count - count else { return nil }
      return tiff[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    guard tiff.starts(with: TIFFHeader.signature), let old = number(at: 4, 4), let count = number(at: old, 2)
    else { return tiff }
    var directory = self
    for index in 0..<count {
      let place = old + 2 + index * Self.fieldSize
      guard let tag = number(at: place, 2), let kind = number(at: place + 2, 2),
        let values = number(at: place + 4, 4), number(at: place + 8, 4) != nil
      else { return tiff }
      // libav may put long values at odd offsets, which are not allowed: they are written again.
      let (size, isBeyond) = values.multipliedReportingOverflow(by: Self.valueSizes[kind] ?? 0)
      let start = isBeyond || size <= 4 ? place + 8 : number(at: place + 8, 4) ?? place + 8
      let length = isBeyond ? 4 : max(size, 4)
      guard start <= tiff.count - length else { return tiff }
      directory.keep(
        UInt16(clamping: tag),
        Field(
          kind: UInt16(clamping: kind), count: UInt32(clamping: values),
          bytes: Array(tiff[start..<start + length])))
    }
    let padding = [UInt8](repeating: 0, count: tiff.count % 2)
    let start = tiff.count + padding.count
    let header = TIFFHeader.signature + littleEndian(UInt32(clamping: start))
    return header + tiff[TIFFHeader.byteCount...] + padding + directory.bytes(at: start)
  }
}

/// The header of a TIFF file.
enum TIFFHeader {
  /// The byte order, little-endian, and TIFF's magic number.
  static let signature: [UInt8] = [0x49, 0x49, 42, 0]
  /// The size in bytes, including the offset of the first directory.
  static let byteCount = 8
}

/// Returns the bytes of `number`, least significant first.
func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
  withUnsafeBytes(of: number.littleEndian) { Array($0) }
}
