public import Platform
internal import CLibAV

extension Picture {
  /// Returns the picture as a file of `format`.
  ///
  /// - Parameters:
  ///   - format: the file's kind; ``StillFormat/layout(for:)`` returns the layouts that it accepts.
  ///   - quality: the quality of a JPEG, from 1 to 100.
  ///   - notes: texts to add to a PNG, by key; other formats ignore them.
  /// - Throws: `unsupported` if libavcodec has no such encoder, or such a picture is impossible.
  public func encoded(
    as format: StillFormat, quality: Int = StillEncoder.usualQuality,
    notes: [(key: String, text: String)] = []
  ) throws(OvercrankError) -> [UInt8] {
    switch format {
    case .jpeg: try JPEGEncoder(quality: quality).encode(self)
    case .png: PNGNotes.adding(notes, to: try encoded(by: AV_CODEC_ID_PNG, "PNG"))
    case .tiff: try encoded(by: AV_CODEC_ID_TIFF, "TIFF")
    }
  }

  private func encoded(by id: AVCodecID, _ name: String) throws(OvercrankError) -> [UInt8] {
    _ = LibAVLog.silenced
    guard let codec = avcodec_find_encoder(id) else {
      throw OvercrankError(
        .unsupported, "this libavcodec cannot write \(name). Install a more complete build.")
    }
    let context = try CodecContext(codec)
    context.pointer.pointee.width = frame.pointee.width
    context.pointer.pointee.height = frame.pointee.height
    context.pointer.pointee.pix_fmt = layout.format
    context.pointer.pointee.time_base = clibav_rational(1, 1)
    context.pointer.pointee.thread_count = 1
    try context.open("encoder for \(name)", options: [:])
    let packet = try Packet()
    guard avcodec_send_frame(context.pointer, frame) >= 0, avcodec_send_frame(context.pointer, nil) >= 0,
      avcodec_receive_packet(context.pointer, packet.pointer) >= 0
    else {
      throw OvercrankError(.unsupported, "a \(name) of \(width)x\(height) \(layout) cannot be written.")
    }
    return packet.withBytes { Array($0) }
  }
}

/// The texts and tags of a PNG.
package enum PNGNotes {
  /// The offset after the signature and the header, which has a fixed size.
  private static let place = 8 + 25

  /// Returns `png` with a tEXt chunk for each note; characters outside Latin-1 are omitted. PNG (ISO/IEC
  /// 15948), 11.3.4.
  package static func adding(_ notes: [(key: String, text: String)], to png: [UInt8]) -> [UInt8] {
    guard png.count > place else { return png }
    let chunks = notes.flatMap { chunk("tEXt", latin($0.key) + [0] + latin($0.text)) }
    var noted = png
    noted.insert(contentsOf: chunks, at: place)
    return noted
  }

  /// Returns `png` with EXIF data. PNG, third edition (W3C 2025), 11.3.3.7.
  static func adding(exif: [UInt8], to png: [UInt8]) -> [UInt8] {
    guard png.count > place else { return png }
    return png[..<place] + chunk("eXIf", exif) + png[place...]
  }

  /// Returns the range of the EXIF data in a PNG; `nil` if there are none.
  static func exif(in file: InputFile) -> Range<Int64>? {
    var place: Int64 = 8
    while let head = try? file.bytes(at: place, count: 8), head.count == 8 {
      let length = Int64(clamping: head.bigEndian(at: 0, count: 4))
      if head[4...].elementsEqual("eXIf".utf8) { return place + 8..<place + 8 + length }
      // Ours come before the picture's data.
      if head[4...].elementsEqual("IDAT".utf8) { return nil }
      place += 12 + length
    }
    return nil
  }

  /// Returns whether a PNG ends before the picture's data begin.
  static func isCutOffBeforePicture(_ file: InputFile) -> Bool {
    let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    guard let start = try? file.bytes(at: 0, count: 8), signature.starts(with: start) else { return false }
    var place: Int64 = 8
    while let head = try? file.bytes(at: place, count: 8), head.count == 8 {
      if head[4...].elementsEqual("IDAT".utf8) { return false }
      place += 12 + Int64(clamping: head.bigEndian(at: 0, count: 4))
    }
    return true
  }

  /// Returns `png` with its EXIF data changed; `nil` if there are none, or `change` returns `nil`.
  static func changingEXIF(of png: [UInt8], _ change: (ArraySlice<UInt8>) -> [UInt8]?) -> [UInt8]? {
    guard let found = chunks(of: png).first(where: { $0.name == "eXIf" }),
      let changed = change(png[found.content])
    else { return nil }
    return png[..<(found.content.lowerBound - 8)] + chunk("eXIf", changed)
      + png[(found.content.upperBound + 4)...]
  }

  /// Returns the damage of a PNG that its checksums tell; `nil` if it is whole.
  package static func damage(of png: [UInt8]) -> String? {
    let chunks = chunks(of: png)
    if let wrong = chunks.first(where: { !$0.isSound }) { return "its data (\(wrong.name)) are damaged" }
    guard let last = chunks.last, last.name == "IEND" else { return "is cut off" }
    let rest = png.count - (last.content.upperBound + 4)
    return rest == 0 ? nil : "has \(rest) bytes after its end"
  }

  /// Returns the complete chunks of `png`, with the places of their content.
  private static func chunks(of png: [UInt8]) -> [(name: String, content: Range<Int>, isSound: Bool)] {
    var chunks: [(name: String, content: Range<Int>, isSound: Bool)] = []
    var place = 8
    while place <= png.count - 12 {
      let content = place + 8..<place + 8 + Int(clamping: png[place...].bigEndian(at: 0, count: 4))
      guard content.upperBound <= png.count - 4 else { break }
      let name = String(decoding: png[place + 4..<place + 8], as: UTF8.self)
      let sum = checksum(png[place + 4..<content.upperBound])
      chunks.append((name, content, png[content.upperBound...].bigEndian(at: 0, count: 4) == UInt64(sum)))
      place = content.upperBound + 4
    }
    return chunks
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.withUnsafeBufferPointer {
      av_crc(av_crc_get_table(AV_CRC_32_IEEE_LE), .max, $0.baseAddress, $0.count) ^ .max
    }
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    return bigEndian(UInt32(clamping: data.count)) + body + bigEndian(checksum(body[...]))
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  private static func latin(_ text: String) -> [UInt8] {
    text.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
  }
}

/// Returns the MD5 sum of `text` in hexadecimal digits, the name of a thumbnail; it is not for secrets.
package func md5(_ text: String) -> String {
  let bytes = Array(text.utf8)
  var sum = [UInt8](repeating: 0, count: 16)
  // Before libavutil 58 the length is an int.
  av_md5_sum(&sum, bytes, numericCast(bytes.count))
  return sum.map { byte in
    let digits = String(byte, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
  }.joined()
}
