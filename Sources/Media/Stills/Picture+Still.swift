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
    return png[..<place] + chunks + png[place...]
  }

  /// Returns `png` with EXIF data. PNG, third edition (W3C 2025), 11.3.3.7.
  static func adding(exif: [UInt8], to png: [UInt8]) -> [UInt8] {
    guard png.count > place else { return png }
    return png[..<place] + chunk("eXIf", exif) + png[place...]
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    let sum = av_crc(av_crc_get_table(AV_CRC_32_IEEE_LE), .max, body, body.count) ^ .max
    return bigEndian(UInt32(clamping: data.count)) + body + bigEndian(sum)
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
