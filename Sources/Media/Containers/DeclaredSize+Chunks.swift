import Platform

/// Containers made of parts that each begin with their length.
extension DeclaredSize {
  /// The boxes of a MOV or MP4. Others may be anything, such as data that a camera appended to the video.
  static let movieTypes: Set = [
    "ftyp", "styp", "moov", "moof", "mdat", "mfra", "sidx", "ssix", "free", "skip", "wide", "uuid", "meta",
    "udta", "pdin", "emsg", "prft", "pnot",
  ]

  /// Checks the boxes of a MOV or MP4: ISO/IEC 14496-12, 4.2.
  static func movie(_ file: InputFile) throws(OvercrankError) -> String? {
    var offset: Int64 = 0
    var hasFragments = false
    for _ in 0..<mostParts where offset < file.size {
      let head = try file.bytes(at: offset, count: 16)
      let box = MovieBox(head: head[...], offset: Int(offset), end: Int(file.size))
      let end = box.map { Int64($0.offset).adding(clamping: Int64($0.size)) } ?? .max
      guard end > file.size else {
        hasFragments = hasFragments || box?.type == "moof"
        offset = end
        continue
      }
      // libav ends here without a word.
      if hasFragments, try hasFragment(file, after: offset) {
        return "what follows byte \(offset) cannot be read"
      }
      return box.map { movieTypes.contains($0.type) } ?? false ? missing(end, file) : nil
    }
    return nil
  }

  /// Returns whether a movie fragment begins in the next part of the file.
  private static func hasFragment(_ file: InputFile, after offset: Int64) throws(OvercrankError) -> Bool {
    let (movieFragment, header) = (Array("moof".utf8), Array("mfhd".utf8))
    let size = 1 << 16
    for start in stride(from: offset + 1, to: min(file.size, offset.adding(clamping: longestGap)), by: size) {
      // A head may lie across the end of the window.
      let window = try file.bytes(at: start, count: size + 12)
      for place in window.indices where window[place] == movieFragment[0] {
        let head = window[place...]
        if head.starts(with: movieFragment), head.dropFirst(8).starts(with: header) { return true }
      }
    }
    return false
  }

  /// Checks a GIF (version 89a): blocks, each of which is a row of parts of up to 255 bytes.
  static func gif(_ file: InputFile) throws(OvercrankError) -> String? {
    var window = (start: Int64(0), bytes: [UInt8]())
    /// Returns a byte of the file; 0 beyond its end.
    func byte(at offset: Int64) throws(OvercrankError) -> Int64 {
      if !(window.start..<window.start + Int64(window.bytes.count)).contains(offset) {
        window = (offset, try file.bytes(at: offset, count: 1 << 16))
      }
      return window.bytes.first == nil ? 0 : Int64(window.bytes[Int(offset - window.start)])
    }
    func tableSize(at offset: Int64) throws(OvercrankError) -> Int64 {
      let flags = try byte(at: offset)
      return flags & 0x80 == 0 ? 0 : 3 * (2 << (flags & 7))
    }
    var offset = try 13 + tableSize(at: 10)
    for _ in 0..<mostParts where offset < file.size {
      switch try byte(at: offset) {
      case 0x21: offset += 2
      case 0x2c: offset += try 11 + tableSize(at: offset + 9)
      case 0x3b: return nil
      // What only some writers add, or damage that hides pictures.
      default:
        for later in offset..<file.size where try byte(at: later) == 0x21 {
          // A graphic control extension precedes each picture.
          let head = try [byte(at: later + 1), byte(at: later + 2)]
          if head == [0xf9, 4] { return "what follows byte \(offset) cannot be read" }
        }
        return nil
      }
      while case let count = try byte(at: offset), count > 0 { offset += 1 + count }
      guard offset < file.size else { return "its last picture is incomplete" }
      offset += 1
    }
    return nil
  }

  /// Checks a PNG or APNG: chunks with their lengths, up to `IEND`.
  static func png(_ file: InputFile) throws(OvercrankError) -> String? {
    var offset: Int64 = 8
    for _ in 0..<mostParts {
      let head = try file.bytes(at: offset, count: 8)
      guard head.count == 8 else { return "its last chunk is missing" }
      guard head[4...].allSatisfy({ (0x41...0x5a).contains($0 & 0xdf) }) else { return nil }
      // The checksum follows the content.
      let end = offset + 12 + Int64(clamping: head.bigEndian(at: 0, count: 4))
      guard end <= file.size else { return missing(end, file) }
      if head[4...].elementsEqual("IEND".utf8) { return nil }
      offset = end
    }
    return nil
  }

  /// Checks RIFF; a long AVI has several RIFF chunks in a row (OpenDML).
  static func riff(_ file: InputFile) throws(OvercrankError) -> String? {
    var offset: Int64 = 0
    for _ in 0..<mostParts where offset < file.size {
      let head = try file.bytes(at: offset, count: 8)
      // A writer that could not seek back to the start left no length.
      guard head.count == 8, head.starts(with: "RIFF".utf8),
        case let length = Int64(clamping: head.littleEndian(at: 4, count: 4)), length > 0, length < UInt32.max
      else { return nil }
      let end = offset + 8 + length
      guard end <= file.size else { return missing(end, file) }
      offset = end + end % 2
    }
    return nil
  }

  /// Checks IVF: a header with the frame count, and frames with their lengths.
  static func ivf(_ file: InputFile, _ head: [UInt8]) throws(OvercrankError) -> String? {
    let told = Int64(clamping: head.littleEndian(at: 24, count: 4))
    var offset = Int64(clamping: head.littleEndian(at: 6, count: 2))
    var count: Int64 = 0
    for _ in 0..<mostParts where offset < file.size {
      let head = try file.bytes(at: offset, count: 12)
      // No frame is a gigabyte long, as this would be.
      guard !head.starts(with: "DKIF".utf8) else {
        return "another IVF file begins after its \(count) frames"
      }
      let end = offset + 12 + Int64(clamping: head.littleEndian(at: 0, count: 4))
      guard end <= file.size else { return missing(end, file) }
      offset = end
      count += 1
    }
    return offset == file.size && count < told ? "it has \(count) of \(told) frames" : nil
  }

  /// Checks the file size in the header of Advanced Systems Format, 3.2.
  static func asf(_ file: InputFile) throws(OvercrankError) -> String? {
    let fileProperties: [UInt8] = [
      0xa1, 0xdc, 0xab, 0x8c, 0x47, 0xa9, 0xcf, 0x11, 0x8e, 0xe4, 0x00, 0xc0, 0x0c, 0x20, 0x53, 0x65,
    ]
    let head = try file.bytes(at: 0, count: 1 << 16)
    guard let place = head.indices.first(where: { head[$0...].starts(with: fileProperties) }) else {
      return nil
    }
    // A broadcast has no known length.
    guard head.littleEndian(at: place + 88, count: 4) & 1 == 0 else { return nil }
    return missing(Int64(clamping: head.littleEndian(at: place + 40, count: 8)), file)
  }

  /// Checks General eXchange Format (SMPTE 360M): packets whose heads contain their length, head included.
  static func gxf(_ file: InputFile) throws(OvercrankError) -> String? {
    try chain(file, from: 0, headSize: 16) { head in
      guard head.starts(with: [0, 0, 0, 0, 1]), head[14] == 0xe1, head[15] == 0xe2 else { return nil }
      return Int64(clamping: head.bigEndian(at: 6, count: 4))
    }
  }

  /// Checks id Software's RoQ, which begins with a part without a length.
  static func roq(_ file: InputFile) throws(OvercrankError) -> String? {
    try chain(file, from: 8, headSize: 8) { head in
      head[1] == 0x10 ? Int64(clamping: head.littleEndian(at: 2, count: 4)) + 8 : nil
    }
  }

  /// Follows parts whose heads contain their length; an invalid head ends the chain.
  private static func chain(
    _ file: InputFile, from start: Int64, headSize: Int, length: ([UInt8]) -> Int64?
  ) throws(OvercrankError) -> String? {
    var offset = start
    for _ in 0..<mostParts where offset < file.size {
      let head = try file.bytes(at: offset, count: headSize)
      guard head.count == headSize else { return "its last packet is incomplete" }
      guard let length = length(head), length >= headSize else { return nil }
      let end = offset + length
      guard end <= file.size else { return missing(end, file) }
      offset = end
    }
    return nil
  }
}
