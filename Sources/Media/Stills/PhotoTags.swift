import Timebase

/// A picture file's tags on how it was taken: EXIF 2.32 (CIPA DC-008-2019).
public struct PhotoTags: Hashable, Sendable {
  /// A calendar time, in EXIF's notation.
  public struct Moment: Hashable, Sendable {
    /// The local time, such as `2019:01:01 12:59:00`.
    public var time: String
    /// The digits of the second's fraction.
    public var fraction: String
    /// The offset of local time from UTC, such as `+01:00`.
    public var offset: String

    /// Creates a moment from its parts.
    public init(time: String, fraction: String, offset: String) {
      self.time = time
      self.fraction = fraction
      self.offset = offset
    }
  }

  /// The time of capture; `nil` if unknown.
  public var moment: Moment?
  /// The camera's name; `nil` if it has none.
  public var camera: String?
  /// The program that wrote it.
  public var software: String?
  /// The exposure time; `nil` if unknown.
  public var exposure: Duration?
  /// Whether the camera's light was on; `nil` if unknown.
  public var isLit: Bool?
  /// The identifier that links the still of a Live Photo to its video, usually a UUID; `nil` for none.
  public var contentIdentifier: String?
  /// The label from the user; `nil` if there is none.
  public var label: String?
  /// Further information for which EXIF has no field, such as the frame's number and a gain.
  public var comment: String?

  /// Creates an empty set of tags.
  public init() {}
}

extension PhotoTags {
  /// Returns the directories as a TIFF file without a picture.
  ///
  /// - Parameters:
  ///   - width: the picture's pixels per row.
  ///   - height: its number of rows.
  ///   - thumbnail: a small JPEG of it; `nil` for none.
  func exif(width: Int, height: Int, thumbnail: [UInt8]?) -> [UInt8] {
    var main = mainDirectory
    main.set(0x0112, short: 1)  // Orientation: as stored
    main.setResolution()
    main.set(0x0213, short: 1)  // YCbCrPositioning: centred, as in JFIF
    main.set(0x8769, long: 0)  // ExifIFD, whose offset depends on this directory's size
    var photo = photoDirectory
    photo.set(0x9101, undefined: [1, 2, 3, 0])  // ComponentsConfiguration: Y, Cb, Cr
    photo.set(0xa002, long: width)  // PixelXDimension
    photo.set(0xa003, long: height)  // PixelYDimension
    let photoPlace = TIFFHeader.byteCount + main.byteCount
    main.set(0x8769, long: photoPlace)
    let smallPlace = photoPlace + photo.byteCount
    let head = TIFFHeader.signature + littleEndian(UInt32(TIFFHeader.byteCount))
    guard let thumbnail else {
      return head + main.bytes(at: TIFFHeader.byteCount) + photo.bytes(at: photoPlace)
    }
    var small = TIFFDirectory()
    small.set(0x0103, short: 6)  // Compression: JPEG
    small.setResolution()
    small.set(0x0201, long: 0)  // JPEGInterchangeFormat
    small.set(0x0202, long: thumbnail.count)
    small.set(0x0201, long: smallPlace + small.byteCount)
    main.next = smallPlace
    return head + main.bytes(at: TIFFHeader.byteCount) + photo.bytes(at: photoPlace)
      + small.bytes(at: smallPlace) + thumbnail
  }

  /// Returns `tiff` with these tags in addition to its own; unchanged if it is not such a file.
  func added(to tiff: [UInt8]) -> [UInt8] {
    guard tiff.starts(with: TIFFHeader.signature) else { return tiff }
    let photo = photoDirectory
    let padding = [UInt8](repeating: 0, count: tiff.count % 2)
    var main = mainDirectory
    // It replaces the encoder's, which may lie at odd offsets.
    main.setResolution()
    main.set(0x8769, long: tiff.count + padding.count)
    return main.added(to: tiff + padding + photo.bytes(at: tiff.count + padding.count))
  }

  private var mainDirectory: TIFFDirectory {
    var directory = TIFFDirectory()
    directory.set(label: label)
    directory.set(0x0110, ascii: camera)  // Model
    directory.set(0x0131, ascii: software)  // Software
    directory.set(0x0132, ascii: moment?.time)  // DateTime
    return directory
  }

  /// The tags of any file format; in a TIFF, the encoder adds the picture's size and components.
  private var photoDirectory: TIFFDirectory {
    var directory = TIFFDirectory()
    if let terms = exposure?.inSeconds, terms.numerator > 0 {
      let fits = max(terms.numerator, terms.denominator) <= UInt32.max
      let nearest =
        fits ? (terms.numerator, terms.denominator) : (exposure?.wholeMicroseconds ?? 0, 1_000_000)
      directory.set(0x829a, rational: nearest.0, nearest.1)  // ExposureTime
    }
    directory.set(0x9000, undefined: Array("0232".utf8))  // ExifVersion
    directory.set(0x9003, ascii: moment?.time)  // DateTimeOriginal
    directory.set(0x9004, ascii: moment?.time)  // DateTimeDigitized
    for tag in [0x9010, 0x9011, 0x9012] as [UInt16] { directory.set(tag, ascii: moment?.offset) }
    for tag in [0x9290, 0x9291, 0x9292] as [UInt16] { directory.set(tag, ascii: moment?.fraction) }
    if let isLit { directory.set(0x9209, short: isLit ? 1 : 0) }  // Flash
    if let contentIdentifier {  // MakerNote
      directory.set(0x927c, undefined: Self.appleNote(contentIdentifier))
    }
    if let comment {  // UserComment
      directory.set(0x9286, undefined: Array("ASCII\0\0\0".utf8) + comment.utf8.filter { $0 < 0x7f })
    }
    directory.set(0xa000, undefined: Array("0100".utf8))  // FlashpixVersion
    directory.set(0xa001, short: 1)  // ColorSpace: sRGB
    return directory
  }
}

extension PhotoTags {
  /// Returns the note of Apple's phones with an identifier, by which its Photos finds the video of a Live
  /// Photo: a separate, big-endian directory, with offsets from the note's first byte (exiftool's
  /// Image::ExifTool::Apple).
  private static func appleNote(_ identifier: String) -> [UInt8] {
    let text = identifier.utf8.filter { (0x20..<0x7f).contains($0) } + [0]
    let name = "Apple iOS".utf8 + [0, 0, 1] + "MM".utf8
    // There is one field, ContentIdentifier, in ASCII; the text follows the directory.
    let place = name.count + 2 + 12 + 4
    return name + [0, 1, 0x00, 0x11, 0, 2] + MovieBox.number(UInt32(clamping: text.count))
      + MovieBox.number(UInt32(clamping: place)) + [0, 0, 0, 0] + text
  }
}

extension TIFFDirectory {
  /// Sets 72 pixels per inch, the standard's value for an unknown resolution.
  fileprivate mutating func setResolution() {
    set(0x011a, rational: 72, 1)
    set(0x011b, rational: 72, 1)
    set(0x0128, short: 2)
  }
}

extension Duration {
  fileprivate var wholeMicroseconds: Int64 { wholeNanoseconds / 1000 }
}

extension StillFormat {
  /// Returns `file`, a picture of this format, with `tags`.
  ///
  /// - Parameters:
  ///   - tags: the tags on how it was taken.
  ///   - file: the picture.
  ///   - width: its pixels per row.
  ///   - height: its number of rows.
  ///   - thumbnail: a small JPEG of it, which a TIFF cannot hold; `nil` for none.
  public func adding(
    _ tags: PhotoTags, to file: [UInt8], width: Int, height: Int, thumbnail: [UInt8]? = nil
  ) -> [UInt8] {
    switch self {
    case .jpeg:
      let exif = tags.exif(width: width, height: height, thumbnail: thumbnail)
      let whole = JPEGApplicationData.adding(JPEGApplicationData.exif, exif, to: file)
      // Without its thumbnail, it fits into a segment.
      return whole
        ?? JPEGApplicationData.adding(
          JPEGApplicationData.exif, tags.exif(width: width, height: height, thumbnail: nil), to: file) ?? file
    case .png:
      return PNGNotes.adding(exif: tags.exif(width: width, height: height, thumbnail: thumbnail), to: file)
    case .tiff: return tags.added(to: file)
    }
  }
}

/// The additional data of programs in a JPEG: APP1 segments, each with a name.
enum JPEGApplicationData {
  /// The number of the segments' marker, APP1.
  static let marker = JPEGMarkers.Marker(rawValue: 0xe1)
  /// The name of EXIF.
  static let exif = Array("Exif\0\0".utf8)
  /// The name of XMP (ISO 16684-1).
  static let xmp = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

  /// Returns `jpeg` with a segment of this name at the start, replacing any existing ones; `nil` if the
  /// segment would be too large. Data that is not a JPEG is returned unchanged.
  static func adding(_ name: [UInt8], _ data: [UInt8], to jpeg: [UInt8]) -> [UInt8]? {
    let length = 2 + name.count + data.count
    guard length <= Int(UInt16.max) else { return nil }
    let segments = JPEGMarkers.header(of: jpeg)
    guard let first = segments.first else { return jpeg }
    let isJFIF = first.marker.rawValue == 0xe0
    var bytes = Array(jpeg[..<(isJFIF ? first.range.upperBound : 2)])
    bytes += [0xff, 0xe1, UInt8(length >> 8), UInt8(length & 0xff)] + name + data
    for segment in segments.dropFirst(isJFIF ? 1 : 0) {
      if segment.marker == marker, jpeg[segment.payload].starts(with: name) { continue }
      bytes += jpeg[segment.range]
    }
    // The scan's header is the last segment; its data follow.
    return bytes + jpeg[(segments.last?.range.upperBound ?? 2)...]
  }
}
