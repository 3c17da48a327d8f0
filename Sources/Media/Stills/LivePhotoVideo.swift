package import Platform

/// The video of a Live Photo, the pair of files that Apple's Photos imports: a JPEG and a MOV with the same
/// identifier.
///
/// The MOV has the identifier among its keys, and a timed metadata track whose one sample marks the time of
/// the still. Apple documents neither; both are known from files of its phones. The boxes are those of the
/// QuickTime File Format ("Metadata", "Timed Metadata Media").
package struct LivePhotoVideo {
  /// The key of the identifier, which the still has too.
  private static let identifierKey = "com.apple.quicktime.content.identifier"
  /// The key of the sample at the still's time.
  private static let timeKey = "com.apple.quicktime.still-image-time"
  /// QuickTime's well-known type of a signed 8-bit number.
  private static let signedByte: UInt32 = 65

  private let video: [UInt8]
  private let index: MovieBox
  private let header: MovieBox
  /// The ticks per second of the movie's time.
  private let timescale: Int64
  /// The number of the video track.
  private let pictures: UInt32

  /// Parses the video in `bytes`, a whole MOV.
  ///
  /// - Throws: `badData` if it has no index, or no video track.
  package init(_ bytes: [UInt8]) throws(OvercrankError) {
    let boxes = MovieBox.boxes(in: bytes, 0..<bytes.count)
    guard let index = boxes.first(where: { $0.type == "moov" }) else {
      throw OvercrankError(.badData, "the Live Photo's video has no index.")
    }
    let children = MovieBox.boxes(in: bytes, index.content)
    guard let header = children.first(where: { $0.type == "mvhd" }), header.content.count >= 100,
      let track = children.first(where: { $0.type == "trak" && Self.hasPictures($0, in: bytes) }),
      let trackHeader = MovieBox.boxes(in: bytes, track.content).first(where: { $0.type == "tkhd" }),
      trackHeader.content.count >= 24
    else { throw OvercrankError(.badData, "the Live Photo's video has no frames.") }
    // Two times come first, of 8 bytes each in version 1 and of 4 in version 0.
    timescale = Int64(
      bytes[header.content].bigEndian(at: bytes[header.content.lowerBound] == 1 ? 20 : 12, count: 4))
    pictures = UInt32(
      bytes[trackHeader.content].bigEndian(
        at: bytes[trackHeader.content.lowerBound] == 1 ? 20 : 12, count: 4))
    video = bytes
    self.index = index
    self.header = header
  }

  /// Returns whether a video's index has this identifier; `nil` if the file has no whole index, as one that is cut
  /// off.
  package static func video(_ file: InputFile, has identifier: String) -> Bool? {
    index(of: file)?.contains(Array(identifier.utf8))
  }

  /// Returns whether a file is the video of a Live Photo by this program.
  package static func isOwn(_ file: InputFile) -> Bool {
    guard let index = index(of: file) else { return false }
    return [identifierKey, "Overcrank"].allSatisfy { index.contains(Array($0.utf8)) }
  }

  /// Returns a video's index, or the start of one that is too long for three seconds; `nil` if it has no whole one.
  private static func index(of file: InputFile) -> [UInt8]? {
    var place: Int64 = 0
    while let head = try? file.bytes(at: place, count: 16),
      let box = MovieBox(head: head[...], offset: 0, end: Int(clamping: file.size - place)),
      Int64(box.size) <= file.size - place
    {
      if box.type == "moov" {
        return try? file.bytes(at: place, count: min(box.size, mostIndexBytes))
      }
      place += Int64(box.size)
    }
    return nil
  }

  /// The most bytes in the index of a video of three seconds.
  private static let mostIndexBytes = 1 << 20

  private static func hasPictures(_ track: MovieBox, in bytes: [UInt8]) -> Bool {
    guard let media = MovieBox.boxes(in: bytes, track.content).first(where: { $0.type == "mdia" }),
      let handler = MovieBox.boxes(in: bytes, media.content).first(where: { $0.type == "hdlr" })
    else { return false }
    return bytes[handler.content].dropFirst(8).starts(with: "vide".utf8)
  }

  /// Returns the video with its identifier and the still's time.
  ///
  /// Its existing data stay in place; the sample and the new index follow.
  ///
  /// - Parameters:
  ///   - identifier: the still's ``PhotoTags/contentIdentifier``.
  ///   - presentation: the time of the still in the video, from its first picture on.
  ///   - duration: the time for which the still is shown.
  package func bytes(
    identifier: String, stillAt presentation: Duration, for duration: Duration
  ) throws(OvercrankError) -> [UInt8] {
    guard let start = ticks(presentation), let length = ticks(duration).map({ max(1, $0) }),
      let number = UInt32(exactly: video[header.content].suffix(4).bigEndian(at: 0, count: 4)), number > 0,
      number < UInt32.max, let place = UInt32(exactly: video.count + 8)
    else { throw OvercrankError(.outOfRange, "the Live Photo's video is too long.") }
    var bytes = video
    var sampleAt = place
    if index.offset + index.size == video.count {
      bytes.removeLast(index.size)
      sampleAt -= UInt32(clamping: index.size)
    } else {
      bytes.replaceSubrange(index.typeOffset..<index.typeOffset + 4, with: "free".utf8)
    }
    // A value is a box whose type is the number of its key.
    let sample = MovieBox.number(UInt32(9)) + MovieBox.number(UInt32(1)) + [0]
    bytes += MovieBox.bytes("mdat", sample)

    var content: [UInt8] = []
    var keys = MovieKeys()
    for box in MovieBox.boxes(in: video, index.content) {
      let whole = Array(video[box.offset..<box.offset + box.size])
      switch box.type {
      case "mvhd": content += Array(whole.dropLast(4)) + MovieBox.number(number + 1)
      case "meta": keys = MovieKeys(whole) ?? keys
      default: content += whole
      }
    }
    keys.add(Self.identifierKey, .text, Array(identifier.utf8))
    content += track(number, from: start, for: length, sampleOf: sample.count, at: sampleAt) + keys.bytes
    return bytes + MovieBox.bytes("moov", content)
  }

  private func ticks(_ duration: Duration) -> UInt32? {
    UInt32(exactly: (duration / .seconds(1) * Double(timescale)).rounded())
  }
}

// MARK: The track

extension LivePhotoVideo {
  /// Returns the track of the sample that begins at `start`.
  private func track(
    _ number: UInt32, from start: UInt32, for length: UInt32, sampleOf size: Int, at place: UInt32
  ) -> [UInt8] {
    let one: [UInt8] = [0, 1, 0, 0]
    let matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000].flatMap { MovieBox.number(UInt32($0)) }
    let end = start.addingReportingOverflow(length).partialValue
    var head = zeros(3) + [1] + zeros(8) + MovieBox.number(number)
    head += zeros(4) + MovieBox.number(end) + zeros(16)
    head += matrix + zeros(8)
    // Empty until the still's time.
    var edits = start > 0 ? [MovieBox.number(start) + MovieBox.number(Int32(-1)) + one] : []
    edits.append(MovieBox.number(length) + zeros(4) + one)
    let list = zeros(4) + MovieBox.number(UInt32(edits.count)) + edits.joined()
    let media =
      MovieBox.bytes(
        "mdhd",
        zeros(12) + MovieBox.number(UInt32(clamping: timescale)) + MovieBox.number(length)
          + [0x55, 0xc4, 0, 0]) + handler("mhlr", "meta")
      + MovieBox.bytes("minf", information(length, size, place))
    return MovieBox.bytes(
      "trak",
      MovieBox.bytes("tkhd", head) + MovieBox.bytes("edts", MovieBox.bytes("elst", list))
        // The track that it describes.
        + MovieBox.bytes("tref", MovieBox.bytes("cdsc", MovieBox.number(pictures)))
        + MovieBox.bytes("mdia", media))
  }

  private func information(_ length: UInt32, _ size: Int, _ place: UInt32) -> [UInt8] {
    let grey = MovieBox.number(UInt16(0x8000))
    let general = MovieBox.bytes("gmin", zeros(4) + [0, 0x40] + grey + grey + grey + zeros(4))
    let data = MovieBox.bytes("dref", zeros(4) + one32 + MovieBox.bytes("url ", zeros(3) + [1]))
    let samples =
      MovieBox.bytes("stsd", zeros(4) + one32 + description)
      + MovieBox.bytes("stts", zeros(4) + one32 + one32 + MovieBox.number(length))
      + MovieBox.bytes("stsc", zeros(4) + one32 + one32 + one32 + one32)
      + MovieBox.bytes("stsz", zeros(4) + MovieBox.number(UInt32(clamping: size)) + one32)
      + MovieBox.bytes("stco", zeros(4) + one32 + MovieBox.number(place))
    return MovieBox.bytes("gmhd", general) + handler("dhlr", "url ") + MovieBox.bytes("dinf", data)
      + MovieBox.bytes("stbl", samples)
  }

  /// The format of the sample: an 8-bit number with the name of the key.
  private var description: [UInt8] {
    let key =
      MovieBox.bytes("keyd", Array("mdta".utf8) + Array(Self.timeKey.utf8))
      + MovieBox.bytes("dtyp", zeros(4) + MovieBox.number(Self.signedByte))
    let table = MovieBox.number(UInt32(clamping: key.count + 8)) + one32 + key
    return MovieBox.bytes("mebx", zeros(6) + [0, 1] + MovieBox.bytes("keys", table))
  }

  private func handler(_ component: String, _ type: String) -> [UInt8] {
    MovieBox.bytes("hdlr", zeros(4) + Array((component + type).utf8) + zeros(13))
  }

  private var one32: [UInt8] { MovieBox.number(UInt32(1)) }

  private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
