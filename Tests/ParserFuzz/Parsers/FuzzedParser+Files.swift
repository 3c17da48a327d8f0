import Capture
import Foundation
import Media
import Retime
import SystemPackage
import Takes
import Timebase

extension FuzzedParser {
  // MARK: Journals

  /// `OVCRANK1`, the size of the header and its checksum.
  private static let prefixSize = 16
  private static let entrySize = 40

  /// The first byte says whether the checksums are corrected; without this, almost no input would pass them.
  func feedJournal(_ bytes: [UInt8]) throws(Broken) {
    guard let kind = bytes.first else { return }
    let journal = kind & 1 == 0 ? Self.sealed(Array(bytes.dropFirst())) : Array(bytes.dropFirst())
    let master = workFolder.appending(path: "cut.master.mov").path
    let take = workFolder.appending(path: "cut.take.json").path
    for path in [master, take, master + ".part", master + ".part.journal"] { unlink(path) }
    do {
      try Data(Self.part).write(to: URL(filePath: master + ".part"))
      try Data(journal).write(to: URL(filePath: master + ".part.journal"))
    } catch {
      throw Broken("no room to work in: \(error)")
    }
    guard let recovered = try? CutOffMaster(FilePath(master)).recover(replacing: false) else {
      try promise(access(master, F_OK) != 0, "a refused journal left a master behind")
      return
    }
    if let kept = recovered.keptPart { unlink(kept.string) }
    let counts = recovered.frames
    let lost = counts.lost.driver + counts.lost.corrupt + counts.lost.ring + counts.lost.disk
    try promise(
      counts.sent == counts.written + lost,
      "\(counts.sent) frames sent, \(counts.written) written, \(lost) lost")
  }

  /// Frames in the journals of the corpus: 64 of 64 bytes, with the ends of a JPEG.
  package static let part: [UInt8] = (0..<64).flatMap { number in
    [0xff, 0xd8] + [UInt8](repeating: UInt8(number), count: 60) + [0xff, 0xd9]
  }

  /// `journal` with correct numbers of entries and checksums.
  package static func sealed(_ journal: [UInt8]) -> [UInt8] {
    guard journal.count > prefixSize else { return journal }
    var journal = journal
    let size = (0..<4).reduce(0) { $0 | Int(journal[8 + $1]) << (8 * $1) }
    let header = prefixSize..<min(journal.count, prefixSize + size)
    put(UInt32(header.count), in: &journal, at: 8)
    put(crc32(journal[header]), in: &journal, at: 12)
    var place = header.upperBound
    var index: UInt32 = 0
    while place + entrySize <= journal.count {
      put(index, in: &journal, at: place)
      // A frame within the part is treated as undamaged.
      let count = (0..<4).reduce(0) { $0 | Int(journal[place + 12 + $1]) << (8 * $1) }
      let offset = (0..<8).reduce(0) { $0 | Int(journal[place + 16 + $1]) << (8 * $1) }
      if offset >= 0, offset <= part.count, count <= part.count - offset {
        let frame = part[offset..<offset + count]
        put(crc32(Array(frame.prefix(32) + frame.suffix(32))[...]), in: &journal, at: place + 32)
      }
      put(crc32(journal[place..<place + 36]), in: &journal, at: place + 36)
      (place, index) = (place + entrySize, index &+ 1)
    }
    return journal
  }

  private static func put(_ number: UInt32, in bytes: inout [UInt8], at place: Int) {
    for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: number >> UInt32(8 * index)) }
  }

  private static func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 0 ? 0 : 0xedb8_8320) }
    }
  }

  // MARK: Movies

  private static let speeds = ["1/8", "8", "1", "3/7", "100", "1/10000"].compactMap { try? Speed(text: $0) }

  /// The first byte chooses the speed.
  func feedMovie(_ bytes: [UInt8]) throws(Broken) {
    guard let kind = bytes.first else { return }
    let movie = workFolder.appending(path: "fuzzed.mov")
    do { try Data(bytes.dropFirst()).write(to: movie) } catch { throw Broken("no room to work in: \(error)") }
    let speed = Self.speeds[Int(kind) % Self.speeds.count]
    let before = Array(bytes.dropFirst())
    let isDone = (try? InPlaceRetimer(FilePath(movie.path), speed: speed).retime()) != nil
    guard let after = try? Data(contentsOf: movie) else { throw Broken("the movie is gone") }
    if isDone { try promise(after.count >= before.count - 16 * 1024, "a movie was cut short") }
  }

  // MARK: Phones' videos

  /// The first byte says whether the rest is the video or its sidecar.
  func feedPhone(_ bytes: [UInt8]) throws(Broken) {
    guard let kind = bytes.first else { return }
    let (video, sidecar) = (workFolder.appending(path: "phone.mov"), workFolder.appending(path: "phone.AAE"))
    for path in [video, sidecar] { unlink(path.path) }
    do { try Data(bytes.dropFirst()).write(to: kind & 1 == 0 ? video : sidecar) } catch {
      throw Broken("no room to work in: \(error)")
    }
    let tags = SlowMotionTags(FilePath(video.path))
    for rate in [tags.androidRate, tags.samsungRate].compactMap(\.self) {
      try promise(rate > Fraction(0) && rate <= FrameRate.highest, "a rate of \(rate)")
    }
    for stretches in [tags.samsungStretches, tags.appleStretches].compactMap(\.self) {
      var end = Duration.zero
      for stretch in stretches {
        try promise(stretch.start >= end && stretch.end > stretch.start, "stretches that overlap")
        try promise(Speed(stretch.speed) != nil, "a speed of \(stretch.speed)")
        end = stretch.end
      }
    }
    let pace = CapturePace(of: FilePath(video.path))
    try promise(pace.speed > Fraction(0), "a film that plays at \(pace.speed)")
  }

  // MARK: JPEGs

  func feedJPEG(_ bytes: [UInt8]) throws(Broken) {
    bytes.withUnsafeBytes { _ = JPEGMarkers.haveBothEnds($0) }
    try walk(bytes)
    for segment in JPEGMarkers.header(of: bytes) {
      try promise(
        segment.range.upperBound <= bytes.count && segment.payload.upperBound <= segment.range.upperBound,
        "a segment lies outside of its JPEG")
    }
    if let added = try? JPEGHuffmanTables.added(to: bytes) {
      try promise(added.count >= bytes.count, "tables were taken out")
    }
    for reduction in [1, 8] { try? decode(bytes, reduction: reduction) }
  }

  private func walk(_ bytes: [UInt8]) throws(Broken) {
    let walk = Self.walk(bytes)
    guard case .whole(let count, _, _) = walk else { return }
    try promise((4...bytes.count).contains(count), "a JPEG of \(count) of \(bytes.count) bytes")
    try promise(
      Self.walk(Array(bytes.prefix(count))) == walk, "a JPEG without what follows it is another")
  }

  private static func walk(_ bytes: [UInt8]) -> JPEGWalk { JPEGWalk(bytes.span) }

  private func decode(_ bytes: [UInt8], reduction: Int) throws {
    var decoder = try JPEGDecoder(reduction: reduction)
    _ = try bytes.withUnsafeBytes { try decoder.decode($0) }
  }

  // MARK: Lines

  /// The first byte gives the size of the pieces in which the input arrives.
  func feedLines(_ bytes: [UInt8]) throws(Broken) {
    guard let first = bytes.first else { return }
    let (input, piece) = (bytes.dropFirst(), Int(first % 64) + 1)
    var (whole, lines) = (InputLines(), InputLines())
    let expected = whole.take(input)
    var heard: [String] = []
    var rest = input
    while !rest.isEmpty {
      heard += lines.take(rest.prefix(piece))
      rest = rest.dropFirst(piece)
    }
    try promise(heard == expected, "the same lines are others in pieces of \(piece) bytes")
    try promise(heard.count == input.count { $0 == UInt8(ascii: "\n") }, "\(heard.count) lines")
    for line in heard {
      // A byte that is not UTF-8 becomes three.
      try promise(line.utf8.count <= 3 * InputLines.longest, "a line of \(line.utf8.count) bytes")
      try promise(!line.utf8.contains(UInt8(ascii: "\n")), "two lines in one")
    }
  }

  // MARK: Sockets

  /// Bytes through a trigger's socket from either side.
  func feedSocket(_ bytes: [UInt8]) throws(Broken) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return }
    let sent = bytes.prefix(4096)
    _ = sent.withUnsafeBytes { write(ends[0], $0.baseAddress, $0.count) }
    close(ends[0])
    while let line = SocketLine.read(from: ends[1]) {
      try promise(line.utf8.count <= 4000, "a line of \(line.utf8.count) bytes")
      if let reply = try? JSONDecoder().decode(TriggerReply.self, from: Data(line.utf8)) {
        let again = (try? JSONEncoder().encode(reply)).flatMap {
          try? JSONDecoder().decode(TriggerReply.self, from: $0)
        }
        try promise(again == reply, "a reply is another when it is read again")
      }
      if let reply = try? JSONDecoder().decode(ModeReply.self, from: Data(line.utf8)) {
        let again = (try? JSONEncoder().encode(reply)).flatMap {
          try? JSONDecoder().decode(ModeReply.self, from: $0)
        }
        try promise(again == reply, "a mode's reply is another when it is read again")
      }
      if let request = try? SocketRequest(line: line) {
        try promise(
          (try? SocketRequest(line: request.description)) == request, "\(request) is another request")
      }
    }
    close(ends[1])
  }
}
