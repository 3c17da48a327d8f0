/// The index (`moov`) of a MOV or MP4 file with one video track, to the extent that its times can be changed.
struct MovieIndex {
  /// A number in the index.
  private struct Field {
    let offset: Int
    let value: UInt64
  }

  /// The whole box.
  private(set) var bytes: [UInt8]
  /// The range of the bytes that ``setTimescales(by:)`` changes.
  let timescales: Range<Int>
  private let fields: [Field]
  /// The ranges of the comment's text: libav writes it twice into MOV.
  private let comments: [Range<Int>]

  /// The reason why the times of an index cannot be changed.
  struct UnsupportedIndex: Error {
    let reason: String
  }

  /// Parses the index in `bytes`, which begin with its header of `headerSize` bytes.
  init(_ bytes: [UInt8], headerSize: Int) throws(UnsupportedIndex) {
    func only(_ type: String, in boxes: [MovieBox]) throws(UnsupportedIndex) -> MovieBox {
      let found = boxes.filter { $0.type == type }
      guard found.count == 1 else {
        throw UnsupportedIndex(
          reason: "its index has \(found.count) \"\(type)\" boxes in one place instead of one")
      }
      return found[0]
    }
    func timescale(_ box: MovieBox) throws(UnsupportedIndex) -> Field {
      guard box.content.count >= 24 else {
        throw UnsupportedIndex(reason: "its \"\(box.type)\" box is too short")
      }
      // Two times come first, of 8 bytes each in version 1 and of 4 in version 0.
      let offset = box.content.lowerBound + (bytes[box.content.lowerBound] == 1 ? 20 : 12)
      return Field(offset: offset, value: bytes.bigEndian(at: offset, count: 4))
    }
    let boxes = MovieBox.boxes(in: bytes, headerSize..<bytes.count)
    guard !boxes.contains(where: { $0.type == "mvex" }) else {
      throw UnsupportedIndex(reason: "it consists of fragments, each with its own times")
    }
    let tracks = boxes.filter { $0.type == "trak" }
    guard tracks.count == 1 else {
      throw UnsupportedIndex(
        reason: "it has \(tracks.count) tracks instead of one video track, and audio cannot be slowed down "
          + "this way")
    }
    let media = try only("mdia", in: MovieBox.boxes(in: bytes, tracks[0].content))
    let inMedia = MovieBox.boxes(in: bytes, media.content)
    let handler = try only("hdlr", in: inMedia)
    guard bytes[handler.content].bigEndian(at: 8, count: 4) == "vide".utf8.bigEndian(at: 0, count: 4) else {
      throw UnsupportedIndex(reason: "its only track is not video")
    }
    let fields = [try timescale(try only("mvhd", in: boxes)), try timescale(try only("mdhd", in: inMedia))]
    self.fields = fields
    self.timescales = (fields.map(\.offset).min() ?? 0)..<(fields.map(\.offset).max() ?? 0) + 4
    self.comments = boxes.last { $0.type == "udta" }.map { Self.comments(in: bytes, $0.content) } ?? []
    self.bytes = bytes
  }

  /// Overcrank's comment on how the file was made; `nil` if another program made it.
  var ownComment: String? {
    comments.first.map { place in
      var text = bytes[place]
      // Earlier versions padded with spaces.
      while let last = text.last, last == 0 || last == UInt8(ascii: " ") { text.removeLast() }
      return String(decoding: text, as: UTF8.self)
    }
  }

  /// Multiplies all timescales by the fraction, so that every time of the movie is divided by it exactly.
  ///
  /// - Throws: ``UnsupportedIndex`` if a timescale would not be a whole number, or too large.
  mutating func setTimescales(by numerator: UInt64, _ denominator: UInt64) throws(UnsupportedIndex) {
    for field in fields {
      let (product, overflow) = field.value.multipliedReportingOverflow(by: numerator)
      let value = product / denominator
      guard !overflow, field.value > 0, value <= UInt64(Int32.max), product >= denominator else {
        let direction = numerator > denominator ? "fast" : "slow"
        throw UnsupportedIndex(reason: "it would be too \(direction) for the times that such a file can hold")
      }
      guard product % denominator == 0 else {
        throw UnsupportedIndex(
          reason:
            "it cannot play at exactly \(numerator)/\(denominator) of its current speed, and would drift")
      }
      write(value, at: field.offset)
    }
  }

  /// Replaces the comment with the first of `texts` that fits, padded with zeros, at which readers end a
  /// text.
  ///
  /// - Returns: the range of the index that changed; `nil` for none.
  mutating func setComment(_ texts: some Collection<String>) -> Range<Int>? {
    guard let first = comments.first, let last = comments.last, texts.first != ownComment else { return nil }
    for comment in comments {
      let fitting = texts.first { $0.utf8.count <= comment.count } ?? ""
      let zeros = [UInt8](repeating: 0, count: comment.count - fitting.utf8.count)
      bytes.replaceSubrange(comment, with: Array(fitting.utf8) + zeros)
    }
    return first.lowerBound..<last.upperBound
  }

  private mutating func write(_ value: UInt64, at offset: Int) {
    for place in 0..<4 { bytes[offset + place] = UInt8(truncatingIfNeeded: value >> UInt64(8 * (3 - place))) }
  }

  /// Returns the ranges of texts that begin with our name: after a 16-bit length and language in MOV, in a
  /// `data` box in MP4.
  private static func comments(in bytes: [UInt8], _ range: Range<Int>) -> [Range<Int>] {
    let name = Array("Overcrank".utf8)
    guard range.count > name.count + 16 else { return [] }
    let starts = (range.lowerBound + 16...range.upperBound - name.count).filter {
      bytes[$0] == name[0] && bytes[$0..<$0 + name.count].elementsEqual(name)
    }
    return starts.compactMap { start in
      let isInBox = bytes[start - 12..<start - 8].elementsEqual("data".utf8)
      let length =
        isInBox
        ? Int(bytes.bigEndian(at: start - 16, count: 4)) - 16 : Int(bytes.bigEndian(at: start - 4, count: 2))
      return length >= name.count && start + length <= range.upperBound ? start..<start + length : nil
    }
  }
}
