package import Platform
import Timebase

extension PhotoTags {
  /// Reads the tags of the picture in `file`; `nil` if it has none that are little-endian, as ours are.
  package init?(of file: InputFile, as format: StillFormat) {
    let exif: Range<Int64>?
    switch format {
    case .jpeg: exif = JPEGApplicationData.range(of: JPEGApplicationData.exif, in: file)
    case .png: exif = PNGNotes.exif(in: file)
    case .tiff: exif = 0..<file.size
    }
    guard let exif else { return nil }
    self.init { offset, count in
      guard count <= Self.mostBytes, Int64(offset) <= Int64(exif.count) - Int64(count) else { return nil }
      return try? file.bytes(at: exif.lowerBound + Int64(offset), count: count)
    }
  }

  /// The size of the largest value that is read.
  private static let mostBytes = 1 << 16

  private init?(_ bytes: (_ offset: Int, _ count: Int) -> [UInt8]?) {
    guard let main = TIFFDirectory(firstOf: bytes) else { return nil }
    self.init()
    label = main.text(0x010e)
    camera = main.text(0x0110)
    software = main.text(0x0131)
    guard let place = main.fields[0x8769]?.bytes.littleEndian(at: 0, count: 4),
      let photo = TIFFDirectory(at: Int(clamping: place), in: bytes)
    else { return }
    moment = photo.text(0x9003).map {
      Moment(time: $0, fraction: photo.text(0x9291) ?? "", offset: photo.text(0x9011) ?? "")
    }
    if let terms = photo.fields[0x829a]?.bytes, terms.count == 8 {
      let denominator = Int64(clamping: terms.littleEndian(at: 4, count: 4))
      if denominator > 0 {
        exposure = Duration(
          seconds: Fraction(Int64(clamping: terms.littleEndian(at: 0, count: 4)), denominator))
      }
    }
    isLit = photo.fields[0x9209].map { $0.bytes.littleEndian(at: 0, count: 2) & 1 == 1 }
    contentIdentifier = photo.fields[0x927c].flatMap { Self.identifier(inAppleNote: $0.bytes) }
    comment = photo.fields[0x9286].map { String(decoding: $0.bytes.dropFirst(8), as: UTF8.self) }
  }

  /// Returns the identifier in a maker note as ``appleNote(_:)`` writes it.
  private static func identifier(inAppleNote note: [UInt8]) -> String? {
    guard note.starts(with: "Apple iOS".utf8), note.bigEndian(at: 16, count: 2) == 0x11 else { return nil }
    let place = Int(clamping: note.bigEndian(at: 24, count: 4))
    return String(decoding: note.dropFirst(place).prefix { $0 != 0 }, as: UTF8.self)
  }
}

extension StillFormat {
  /// Returns whether a picture ends before its tags could be read, so that its maker is unknown.
  package func isCutOffBeforeTags(_ file: InputFile) -> Bool {
    let head = (try? file.bytes(at: 0, count: 8)) ?? []
    switch self {
    case .jpeg:
      guard let header = JPEGApplicationData.header(of: file) else {
        return [0xff, 0xd8].starts(with: head.prefix(2))
      }
      return header.segments.last?.marker != .startOfScan && Int64(header.bytes.count) == file.size
    case .png: return PNGNotes.isCutOffBeforePicture(file)
    case .tiff:
      return head.isEmpty || head.starts(with: "II*\0".utf8) && PhotoTags(of: file, as: self) == nil
    }
  }
}

extension TIFFDirectory {
  /// Returns the text of a tag; `nil` if there is none.
  fileprivate func text(_ tag: UInt16) -> String? {
    fields[tag].map { String(decoding: $0.bytes.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

extension PhotoTags {
  /// The place of a picture in a burst.
  public struct BurstPlace: Hashable, Sendable {
    /// Its number, counted from 1.
    public var number: Int
    /// The number of the burst's pictures.
    public var count: Int

    /// Creates the place of picture `number` of `count`.
    public init(_ number: Int, of count: Int) {
      self.number = number
      self.count = count
    }
  }

  /// The place in its burst, which is a part of the ``comment``; `nil` for a single picture.
  public var burst: BurstPlace? {
    get {
      guard let match = comment?.firstMatch(of: /, burst (\d{1,6}) of (\d{1,6})/),
        let number = Int(match.output.1), let count = Int(match.output.2)
      else { return nil }
      return BurstPlace(number, of: count)
    }
    set {
      let words = comment?.replacing(/, burst \d+ of \d+/, with: "") ?? ""
      comment = words + (newValue.map { ", burst \($0.number) of \($0.count)" } ?? "")
    }
  }
}

extension StillFormat {
  /// Returns `file`, a picture of this format with tags, with another label; `nil` if it has no tags, or no
  /// room for the label.
  ///
  /// - Parameter label: the label; `nil` for none.
  package func labelling(_ file: [UInt8], _ label: String?) -> [UInt8]? {
    func labelled(_ exif: ArraySlice<UInt8>) -> [UInt8]? {
      TIFFDirectory.changing(Array(exif)) { $0.set(label: label) }
    }
    switch self {
    case .jpeg:
      let name = JPEGApplicationData.exif
      guard let exif = JPEGApplicationData.range(of: name, in: JPEGMarkers.header(of: file), of: file),
        let changed = labelled(file[exif])
      else { return nil }
      return JPEGApplicationData.adding(name, changed, to: file)
    case .png: return PNGNotes.changingEXIF(of: file, labelled)
    case .tiff: return labelled(file[...])
    }
  }
}

extension JPEGApplicationData {
  /// Returns the range of the data of this name in a JPEG; `nil` if there are none.
  static func range(of name: [UInt8], in file: InputFile) -> Range<Int64>? {
    header(of: file).flatMap { range(of: name, in: $0.segments, of: $0.bytes) }.map {
      Int64($0.lowerBound)..<Int64($0.upperBound)
    }
  }

  /// Returns the segments before a JPEG's first scan, and the bytes that have them; `nil` if it is no JPEG.
  static func header(of file: InputFile) -> (segments: [JPEGMarkers.Segment], bytes: [UInt8])? {
    var count = 1 << 14
    while let bytes = try? file.bytes(at: 0, count: count) {
      let segments = JPEGMarkers.header(of: bytes)
      let isAll = segments.last?.marker == .startOfScan || bytes.count < count || count >= mostBytes
      if isAll { return segments.isEmpty ? nil : (segments, bytes) }
      count *= 8
    }
    return nil
  }

  /// Two segments of the largest size, and some more.
  private static let mostBytes = 1 << 20

  /// Returns the range of the data of this name in the segments of `jpeg`; `nil` if there are none.
  static func range(
    of name: [UInt8], in segments: [JPEGMarkers.Segment], of jpeg: [UInt8]
  ) -> Range<Int>? {
    segments.first { $0.marker == marker && jpeg[$0.payload].starts(with: name) }.map {
      $0.payload.lowerBound + name.count..<$0.payload.upperBound
    }
  }
}
