/// A reader of a JPEG's marker segments, in order (ITU-T T.81, annex B), shared by all code that examines
/// JPEGs.
///
/// It does not allocate, so it may run on the capture thread.
package struct JPEGMarkers {
  /// The second byte of a marker (ITU-T T.81, table B.1).
  package struct Marker: RawRepresentable, Hashable, Sendable {
    /// The byte after 0xff.
    package let rawValue: UInt8

    /// Creates the marker of this byte.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static var startOfImage: Marker { Marker(rawValue: 0xd8) }
    package static var endOfImage: Marker { Marker(rawValue: 0xd9) }
    package static var startOfScan: Marker { Marker(rawValue: 0xda) }
    package static var baselineFrame: Marker { Marker(rawValue: 0xc0) }
    package static var huffmanTables: Marker { Marker(rawValue: 0xc4) }
    package static var quantizationTables: Marker { Marker(rawValue: 0xdb) }
    package static var restartInterval: Marker { Marker(rawValue: 0xdd) }

    /// Returns the restart marker after the interval of this number.
    package static func restart(_ number: Int) -> Marker { Marker(rawValue: 0xd0 + UInt8(number % 8)) }

    /// Whether it is one of the eight restart markers.
    package var isRestart: Bool { (0xd0...0xd7).contains(rawValue) }

    /// Whether a frame header follows: SOF0 to SOF15, except for DHT, JPG and DAC in that range.
    package var isFrame: Bool {
      (0xc0...0xcf).contains(rawValue) && rawValue != 0xc4 && rawValue != 0xc8 && rawValue != 0xcc
    }

    /// Whether it has no length and no payload: TEM, a restart, or the end of the image.
    fileprivate var standsAlone: Bool { rawValue == 0x01 || isRestart || self == .endOfImage }
  }

  /// A marker and its data.
  package struct Segment: Hashable, Sendable {
    /// The marker.
    package let marker: Marker
    /// The range of the segment, from the last 0xff before the marker on.
    package let range: Range<Int>

    /// The range after the length; empty for a marker without one.
    package var payload: Range<Int> { min(range.lowerBound + 4, range.upperBound)..<range.upperBound }
  }

  /// The result of reading one segment.
  package enum Step: Hashable, Sendable {
    case segment(Segment)
    /// The bytes end before the segment's header.
    case unfinished
    /// There is no marker, or one that is invalid here.
    case damaged
  }

  /// The offset of the next segment.
  package private(set) var place: Int

  /// Starts at the first byte after the start of the image; `nil` if `bytes` do not begin with one.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= 2, bytes[0] == 0xff, bytes[1] == Marker.startOfImage.rawValue else { return nil }
    place = 2
  }

  /// Reads the next segment in `bytes`; its payload may extend past them.
  package mutating func next(in bytes: Span<UInt8>) -> Step {
    guard place < bytes.count else { return .unfinished }
    guard bytes[place] == 0xff else { return .damaged }
    // Any number of 0xff may precede a marker.
    while place + 1 < bytes.count, bytes[place + 1] == 0xff { place += 1 }
    guard place + 1 < bytes.count else { return .unfinished }
    let marker = Marker(rawValue: bytes[place + 1])
    let start = place
    if marker.standsAlone {
      place = start + 2
    } else {
      // This is stuffing outside of data, or the next picture.
      guard marker.rawValue != 0, marker != .startOfImage else { return .damaged }
      guard let length = Self.word(in: bytes, at: start + 2) else { return .unfinished }
      guard length >= 2 else { return .damaged }
      place = start + 2 + length
    }
    return .segment(Segment(marker: marker, range: start..<place))
  }

  /// Skips the data of a scan, whose segment was read last, up to the marker after it. Returns `false` if
  /// `bytes` end first.
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

  /// Returns the two bytes at `index` as a number.
  package static func word(in bytes: Span<UInt8>, at index: Int) -> Int? {
    index + 1 < bytes.count ? Int(bytes[index]) << 8 | Int(bytes[index + 1]) : nil
  }
}

extension JPEGMarkers {
  /// Returns whether `bytes` start with SOI and contain an EOI, which a frame cut off in transfer lacks.
  package static func haveBothEnds(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 4, bytes[0] == 0xff, bytes[1] == Marker.startOfImage.rawValue else { return false }
    // The search for the end starts at the back, past any padding that some cameras leave. In the picture's
    // data, every 0xff is followed by a zero or a restart marker, so nothing else looks like an end.
    var place = bytes.count - 2
    while place >= 2 {
      if bytes[place] == 0xff, bytes[place + 1] == Marker.endOfImage.rawValue { return true }
      place -= 1
    }
    return false
  }

  /// Returns the complete segments of `jpeg` up to its first scan's header; none if it is not a JPEG.
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
