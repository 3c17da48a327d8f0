/// A JPEG's marker segments, one after another (ITU-T T.81, annex B): the one reader of them that all
/// who look into a JPEG share.
///
/// Nothing in it allocates, so it may run on the capture thread.
package struct JPEGMarkers {
  /// The second byte of a marker (ITU-T T.81, table B.1).
  package struct Marker: RawRepresentable, Hashable, Sendable {
    /// The byte behind 0xff.
    package let rawValue: UInt8

    /// The marker of this byte.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static var startOfImage: Marker { Marker(rawValue: 0xd8) }
    package static var endOfImage: Marker { Marker(rawValue: 0xd9) }
    package static var startOfScan: Marker { Marker(rawValue: 0xda) }
    package static var baselineFrame: Marker { Marker(rawValue: 0xc0) }
    package static var huffmanTables: Marker { Marker(rawValue: 0xc4) }
    package static var quantizationTables: Marker { Marker(rawValue: 0xdb) }
    package static var restartInterval: Marker { Marker(rawValue: 0xdd) }

    /// The restart marker behind the interval of this number.
    package static func restart(_ number: Int) -> Marker { Marker(rawValue: 0xd0 + UInt8(number % 8)) }

    /// Whether it is one of the eight restart markers.
    package var isRestart: Bool { (0xd0...0xd7).contains(rawValue) }

    /// Whether a frame header follows: SOF0 to SOF15, among which are DHT, JPG and DAC.
    package var isFrame: Bool {
      (0xc0...0xcf).contains(rawValue) && rawValue != 0xc4 && rawValue != 0xc8 && rawValue != 0xcc
    }

    /// Whether it stands alone, without a length: TEM, a restart, or an end of the image.
    fileprivate var standsAlone: Bool { rawValue == 0x01 || isRestart || self == .endOfImage }
  }

  /// A marker and what belongs to it.
  package struct Segment: Hashable, Sendable {
    /// The marker.
    package let marker: Marker
    /// Where it lies, from the last 0xff before the marker on.
    package let range: Range<Int>

    /// Where that lies which follows the length; empty for a marker that stands alone.
    package var payload: Range<Int> { min(range.lowerBound + 4, range.upperBound)..<range.upperBound }
  }

  /// What stands at a place.
  package enum Step: Hashable, Sendable {
    case segment(Segment)
    /// The bytes end before the segment's header does.
    case unfinished
    /// There is no marker, or none that may stand here.
    case damaged
  }

  /// Where the next segment begins.
  package private(set) var place: Int

  /// Reads from the first byte behind the start of the image; `nil` where `bytes` begin with none.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= 2, bytes[0] == 0xff, bytes[1] == Marker.startOfImage.rawValue else { return nil }
    place = 2
  }

  /// Reads the segment that is next in `bytes`; its payload may reach beyond them.
  package mutating func next(in bytes: Span<UInt8>) -> Step {
    guard place < bytes.count else { return .unfinished }
    guard bytes[place] == 0xff else { return .damaged }
    // Any number of 0xff may stand before a marker.
    while place + 1 < bytes.count, bytes[place + 1] == 0xff { place += 1 }
    guard place + 1 < bytes.count else { return .unfinished }
    let marker = Marker(rawValue: bytes[place + 1])
    let start = place
    if marker.standsAlone {
      place = start + 2
    } else {
      // Stuffing outside of data, or the next picture.
      guard marker.rawValue != 0, marker != .startOfImage else { return .damaged }
      guard let length = Self.word(in: bytes, at: start + 2) else { return .unfinished }
      guard length >= 2 else { return .damaged }
      place = start + 2 + length
    }
    return .segment(Segment(marker: marker, range: start..<place))
  }

  /// Steps over the data of a scan, whose segment was read last, to the marker behind it; `false` where
  /// `bytes` end before that.
  package mutating func skipScan(in bytes: Span<UInt8>) -> Bool {
    while place + 1 < bytes.count {
      guard bytes[place] == 0xff else {
        place += 1
        continue
      }
      // In the data, 0xff is followed by 0x00 or a restart marker.
      let next = Marker(rawValue: bytes[place + 1])
      guard next.rawValue == 0 || next.isRestart else { return true }
      place += 2
    }
    return false
  }

  /// The two bytes at `index` as a number.
  package static func word(in bytes: Span<UInt8>, at index: Int) -> Int? {
    index + 1 < bytes.count ? Int(bytes[index]) << 8 | Int(bytes[index + 1]) : nil
  }
}

extension JPEGMarkers {
  /// Whether `bytes` start with SOI and have an EOI, by which a frame that was cut off in transfer is told.
  package static func haveBothEnds(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 4, bytes[0] == 0xff, bytes[1] == Marker.startOfImage.rawValue else { return false }
    // The end is looked for from behind, past what some cameras pad or leave there. In the picture's data
    // every 0xff is followed by a zero or a restart marker, so nothing else looks like it.
    var place = bytes.count - 2
    while place >= 2 {
      if bytes[place] == 0xff, bytes[place + 1] == Marker.endOfImage.rawValue { return true }
      place -= 1
    }
    return false
  }

  /// The whole segments of `jpeg` up to its first scan's header; none where it is no JPEG.
  package static func header(of jpeg: [UInt8]) -> [Segment] {
    let bytes = jpeg.span
    guard var markers = JPEGMarkers(bytes) else { return [] }
    var found: [Segment] = []
    while case .segment(let segment) = markers.next(in: bytes), segment.range.upperBound <= jpeg.count {
      if segment.marker == .endOfImage { break }
      found.append(segment)
      if segment.marker == .startOfScan { break }
    }
    return found
  }
}
