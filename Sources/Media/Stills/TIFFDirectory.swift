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
  /// The offset of the file's next directory; 0 for none.
  var next = 0

  /// The bytes per value of each kind.
  private static let valueSizes = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8]
  /// The bytes per field in the directory.
  private static let fieldSize = 12

  mutating func set(_ tag: UInt16, ascii text: String?) {
    // ASCII, as the standard requires; other characters are omitted.
    guard let bytes = text?.utf8.filter({ (0x20..<0x7f).contains($0) }), !bytes.isEmpty else { return }
    set(tag, .ascii, bytes + [0], each: 1)
  }

  /// Sets or removes the picture's label: ImageDescription, in UTF-8 as the Metadata Working Group recommends.
  mutating func set(label: String?) {
    remove(0x010e)
    if let label { set(0x010e, .ascii, label.utf8 + [0], each: 1) }
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

  mutating func remove(_ tag: UInt16) { fields[tag] = nil }

  /// The size in bytes, values included.
  var byteCount: Int { bytes(at: 0).count }

  /// Returns the bytes of the directory and its values.
  ///
  /// - Parameter start: its offset in the file; an even number.
  func bytes(at start: Int) -> [UInt8] {
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
  /// Reads the directory at `place` of a file; `nil` if it is damaged.
  ///
  /// - Parameter bytes: returns the bytes at an offset of the file; `nil` beyond its end.
  init?(at place: Int, in bytes: (_ offset: Int, _ count: Int) -> [UInt8]?) {
    func number(at place: Int, _ count: Int) -> Int? {
      bytes(place, count).map { Int(clamping: $0.littleEndian(at: 0, count: count)) }
    }
    guard let count = number(at: place, 2) else { return nil }
    for index in 0..<count {
      let place = place + 2 + index * Self.fieldSize
      guard let tag = number(at: place, 2), let kind = number(at: place + 2, 2),
        let values = number(at: place + 4, 4), let offset = number(at: place + 8, 4)
      else { return nil }
      // libav may put long values at odd offsets, which are not allowed: they are written again.
      let (size, isBeyond) = values.multipliedReportingOverflow(by: Self.valueSizes[kind] ?? 0)
      let isInside = isBeyond || size <= 4
      guard let value = bytes(isInside ? place + 8 : offset, isInside ? 4 : size) else { return nil }
      fields[UInt16(clamping: tag)] = Field(
        kind: UInt16(clamping: kind), count: UInt32(clamping: values), bytes: value)
    }
    next = number(at: place + 2 + count * Self.fieldSize, 4) ?? 0
  }

  /// Reads the first directory of a TIFF file, or of EXIF data; `nil` if there is none.
  init?(firstOf bytes: (_ offset: Int, _ count: Int) -> [UInt8]?) {
    guard bytes(0, TIFFHeader.signature.count) == TIFFHeader.signature,
      let place = bytes(TIFFHeader.signature.count, 4)
    else { return nil }
    self.init(at: Int(clamping: place.littleEndian(at: 0, count: 4)), in: bytes)
  }

  /// Returns `tiff` with these fields in its first directory; unchanged if it is not such a file.
  func added(to tiff: [UInt8]) -> [UInt8] { Self.changing(tiff) { $0.fields.merge(fields) { $1 } } ?? tiff }

  /// Returns `tiff` with a changed first directory; `nil` if it is not such a file.
  ///
  /// The directory moves to the end of the file, and all else stays in place.
  static func changing(_ tiff: [UInt8], _ change: (inout TIFFDirectory) -> Void) -> [UInt8]? {
    func bytes(_ offset: Int, _ count: Int) -> [UInt8]? {
      offset <= tiff.count - count ? Array(tiff[offset..<offset + count]) : nil
    }
    guard var directory = TIFFDirectory(firstOf: bytes) else { return nil }
    let former = Int(clamping: tiff[4...].littleEndian(at: 0, count: 4))
    // A directory that an earlier change put there is at the end with all its values.
    let isLast =
      former >= TIFFHeader.byteCount && former.isMultiple(of: 2)
      && tiff[former...].elementsEqual(directory.bytes(at: former))
    let rest = isLast ? tiff[..<former] : tiff[...]
    change(&directory)
    let padding = [UInt8](repeating: 0, count: rest.count % 2)
    let start = rest.count + padding.count
    var changed = TIFFHeader.signature + littleEndian(UInt32(clamping: start))
    changed += rest[TIFFHeader.byteCount...]
    return changed + padding + directory.bytes(at: start)
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
