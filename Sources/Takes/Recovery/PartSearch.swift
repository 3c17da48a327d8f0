import Media
import Platform
import SystemPackage

/// A search for the frames in a part by their content, for those that are not in a journal.
struct PartSearch {
  /// The part.
  let file: InputFile
  /// The format of the frames in it.
  let format: MasterFormat
  /// The size of a frame's picture; `nil` to take that of the first that is found.
  private(set) var size: (width: Int, height: Int)?
  /// Whether there is audio between the frames, which cannot be told from the bytes of a raw frame.
  private let holdsAudio: Bool
  /// The frames of a NUT file, once they have been searched for.
  private var packets: [Frame]?

  init(file: InputFile, format: MasterFormat, size: (width: Int, height: Int)?, holdsAudio: Bool = false) {
    self.holdsAudio = holdsAudio
    self.file = file
    self.format = format
    self.size = size
  }

  /// The place of a frame in the part.
  struct Frame: Hashable {
    var offset: Int64
    var byteCount: Int
    var end: Int64 { offset + Int64(byteCount) }
  }

  /// The content of a range of the part.
  struct Findings {
    /// The whole frames, in order.
    var frames: [Frame] = []
    /// The number of pieces between them that are not frames.
    var pieces = 0
    /// Bytes that belong neither to a frame nor to the container, and are not blank.
    var unknown: Int64 = 0
    /// Bytes of a frame that is cut off by the end of the part.
    var cutOff: Int64 = 0
  }

  /// The bytes that are read at once, and the maximum size of a JPEG.
  private static let (window, longest) = (1 << 18, 1 << 28)
  /// The unit in which a disk may lose data.
  private static let page = 4096
  /// The most bytes that NUT puts before a frame, and before the first one.
  private static let (framing, head) = (256, 4096)

  /// Returns the place at which the first frame may begin, after the container's header.
  func start() throws(OvercrankError) -> Int64 {
    guard format.container == .mov else { return 0 }
    let head = try bytes(at: 0, count: 256)
    var place = 0
    // Boxes begin with their lengths; the last contains the frames, and its length is written at the end.
    while place + 8 <= head.count {
      let length = head[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      let isContent = head[place + 4..<place + 8].elementsEqual("mdat".utf8)
      if isContent { return Int64(place + (length == 1 ? 16 : 8)) }
      // A recording that was killed before its first frame ends here.
      guard length >= 8 else { return Int64(place) }
      place += length
    }
    return 0
  }

  /// Searches `range`.
  mutating func frames(in range: Range<Int64>) throws(OvercrankError) -> Findings {
    if format.codec == .mjpeg { return try pictures(in: range) }
    return try format.container == .nut ? packets(in: range) : rawFrames(in: range)
  }

  private func bytes(at offset: Int64, count: Int) throws(OvercrankError) -> [UInt8] {
    try file.path.checkRecoveryContinues()
    return try file.bytes(at: offset, count: count)
  }
}

extension PartSearch {
  /// Finds JPEGs by their markers.
  private mutating func pictures(in range: Range<Int64>) throws(OvercrankError) -> Findings {
    var found = Findings()
    var (cursor, end) = (range.lowerBound, range.lowerBound)
    while let start = try nextStart(in: cursor..<range.upperBound) {
      let (content, walk) = try jpeg(in: start..<range.upperBound)
      switch walk {
      case .whole(let count, let width, let height)
      where size.map { $0 == (width, height) } ?? true && !lacksPage(content.prefix(count), at: start):
        size = (width, height)
        found.frames.append(Frame(offset: start, byteCount: count))
        try enter(between: end..<start, &found)
        cursor = start + Int64(count)
        end = cursor
      case .unfinished where start + Int64(content.count) == file.size:
        try enter(between: end..<start, &found)
        found.cutOff = range.upperBound - start
        return found
      default:
        found.pieces += 1
        cursor = start + 2
      }
    }
    try enter(between: end..<range.upperBound, &found)
    return found
  }

  /// Returns the place of the next SOI that is followed by another marker; `nil` if there is none.
  private func nextStart(in range: Range<Int64>) throws(OvercrankError) -> Int64? {
    var place = range.lowerBound
    while range.upperBound - place >= 3 {
      let count = Int(min(Int64(Self.window), range.upperBound - place))
      let bytes = try bytes(at: place, count: count)
      guard bytes.count == count else { return nil }
      if let start = bytes.indices.dropLast(2).first(where: { index in
        bytes[index] == 0xff && bytes[index + 1] == 0xd8 && bytes[index + 2] == 0xff
      }) {
        return place + Int64(start)
      }
      place += Int64(count - 2)
    }
    return nil
  }

  /// Reads the JPEG at the beginning of `range`, perhaps with some bytes after it.
  private func jpeg(in range: Range<Int64>) throws(OvercrankError) -> (bytes: [UInt8], walk: JPEGWalk) {
    var limit = Self.window
    while true {
      let count = Int(min(Int64(limit), range.upperBound - range.lowerBound))
      let bytes = try bytes(at: range.lowerBound, count: count)
      let walk = JPEGWalk(bytes.span)
      guard walk == .unfinished, count == limit, limit < Self.longest else { return (bytes, walk) }
      limit *= 2
    }
  }

  /// Finds consecutive frames of one size.
  private func rawFrames(in range: Range<Int64>) throws(OvercrankError) -> Findings {
    var found = Findings()
    var place = range.lowerBound
    guard let count = frameBytes, count > 0, !holdsAudio else { return try rest(of: range, found) }
    while range.upperBound - place >= Int64(count) {
      let content = try bytes(at: place, count: count)
      guard content.count == count, !isIndex(content), !lacksPage(content, at: place) else { break }
      found.frames.append(Frame(offset: place, byteCount: count))
      place += Int64(count)
    }
    return try rest(of: place..<range.upperBound, found)
  }

  /// Finds the frames of a NUT file, which puts a mark before each.
  private mutating func packets(in range: Range<Int64>) throws(OvercrankError) -> Findings {
    var found = Findings()
    let framing = Int64(range.lowerBound == 0 ? min(Self.head, frameBytes ?? Self.head) : Self.framing)
    guard range.upperBound - range.lowerBound > framing else { return found }
    let packets = packets ?? allPackets()
    self.packets = packets
    var end = range.lowerBound
    for frame in packets where frame.offset >= end && frame.end <= range.upperBound {
      if frame.offset - end > (end == 0 ? Int64(Self.head) : Int64(Self.framing)) {
        try enter(between: end..<frame.offset, &found)
      }
      found.frames.append(frame)
      end = frame.end
    }
    let isFraming = range.upperBound - end <= framing && range.upperBound < file.size
    return isFraming ? found : try rest(of: end..<range.upperBound, found)
  }

  /// Returns every whole frame of a NUT file, as found by libav; none if only the journal tells whether a frame is
  /// whole, because their sizes vary.
  private func allPackets() -> [Frame] {
    var frames: [Frame] = []
    guard var video = try? Demuxer(file.path), let count = frameBytes else { return [] }
    while !Task.isCancelled, let packet = try? video.nextPacket() {
      guard let place = packet.position, packet.byteCount == count,
        packet.withBytes({ !lacksPage($0, at: place) })
      else { continue }
      frames.append(Frame(offset: place, byteCount: count))
    }
    return frames
  }

  /// Bytes of an uncompressed frame; `nil` for others.
  var frameBytes: Int? {
    size.flatMap { format.codec.byteCount(width: $0.width, height: $0.height) }
  }

  /// Classifies the bytes after the last frame: the index, which is written last, a frame that is cut off, or
  /// something else.
  private func rest(of range: Range<Int64>, _ found: Findings) throws(OvercrankError) -> Findings {
    var found = found
    let (length, isAtEnd) = (range.upperBound - range.lowerBound, range.upperBound == file.size)
    let most = Int64(frameBytes ?? 0) + (format.container == .nut ? Int64(Self.framing) : 0)
    if isAtEnd, length < most, try !isUnused(range), try !isIndex(bytes(at: range.lowerBound, count: 8)) {
      found.cutOff = length
    } else {
      try enter(between: range, &found)
    }
    return found
  }

  /// Returns the number of bytes in `range`, or 0 if nothing was written there.
  func unknown(in range: Range<Int64>) throws(OvercrankError) -> Int64 {
    try isUnused(range) ? 0 : range.upperBound - range.lowerBound
  }

  /// Adds the bytes of `range`, which contains no frame, to `found`.
  private func enter(between range: Range<Int64>, _ found: inout Findings) throws(OvercrankError) {
    if range.upperBound == file.size, try isIndex(bytes(at: range.lowerBound, count: 8)) { return }
    found.unknown += try unknown(in: range)
  }

  /// Returns whether `bytes` begin the container's own index or repeated header.
  private func isIndex(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 8 else { return false }
    guard format.container == .nut else { return bytes[4..<8].elementsEqual("moov".utf8) }
    // The start codes of a main header and of an index: nut.txt of libav.
    return bytes.starts(with: [0x4e, 0x4d, 0x7a, 0x56]) || bytes.starts(with: [0x4e, 0x58, 0xdd, 0x67])
  }

  /// Returns whether nothing was written to `range`, or nothing of it reached the disk.
  private func isUnused(_ range: Range<Int64>) throws(OvercrankError) -> Bool {
    var place = range.lowerBound
    while place < range.upperBound {
      let bytes = try bytes(at: place, count: Int(min(Int64(Self.window), range.upperBound - place)))
      guard !bytes.isEmpty, bytes.allSatisfy({ $0 == 0 }) else { return bytes.isEmpty }
      place += Int64(bytes.count)
    }
    return true
  }

  /// Returns whether a page of a frame at `offset` is all zeros, like one that did not reach the disk.
  private func lacksPage(_ frame: some RandomAccessCollection<UInt8>, at offset: Int64) -> Bool {
    let lead = (Self.page - Int(offset % Int64(Self.page))) % Self.page
    var rest = frame.dropFirst(lead)
    while rest.count >= Self.page {
      if rest.prefix(Self.page).allSatisfy({ $0 == 0 }) { return true }
      rest = rest.dropFirst(Self.page)
    }
    return false
  }
}
