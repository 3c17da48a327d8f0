/// A pixel format by its four-character code; V4L2's `V4L2_PIX_FMT_*`.
///
/// Drivers may use codes that no header defines: every value is kept.
public struct PixelFormat: RawRepresentable, Hashable, Sendable {
  /// The kernel's code: first character in the lowest byte, bit 31 for big-endian variants.
  public let rawValue: UInt32

  /// Creates the format with the kernel's code `rawValue`.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  private static let bigEndian: UInt32 = 1 << 31

  /// Reads `MJPG`, `Y16 ` (also without its trailing space) or `Y16 -BE`; `nil` if `fourcc` is not such a
  /// code.
  public init?(fourcc: String) {
    var name = fourcc
    var flag: UInt32 = 0
    if name.hasSuffix("-BE") {
      name.removeLast(3)
      flag = Self.bigEndian
    }
    let bytes = Array(name.utf8)
    guard (1...4).contains(bytes.count), bytes.allSatisfy({ (0x20...0x7e).contains($0) }) else { return nil }
    var value: UInt32 = 0
    for index in 0..<4 {
      value |= UInt32(index < bytes.count ? bytes[index] : 0x20) << (8 * UInt32(index))
    }
    self.init(rawValue: value | flag)
  }

  /// Motion JPEG.
  public static let mjpeg = PixelFormat(ascii: "MJPG")
  /// JPEG stills, one per frame; treated like ``mjpeg``.
  public static let jpeg = PixelFormat(ascii: "JPEG")
  /// Packed 4:2:2, luma first.
  public static let yuyv = PixelFormat(ascii: "YUYV")
  /// Packed 4:2:2, chroma first.
  public static let uyvy = PixelFormat(ascii: "UYVY")
  /// Planar 4:2:0, interleaved chroma.
  public static let nv12 = PixelFormat(ascii: "NV12")
  /// Planar 4:2:0, interleaved chroma in a memory plane of its own.
  public static let nv12m = PixelFormat(ascii: "NM12")
  /// Planar 4:2:0, three planes.
  public static let yuv420 = PixelFormat(ascii: "YU12")
  /// Packed 24-bit, red first.
  public static let rgb24 = PixelFormat(ascii: "RGB3")
  /// Packed 24-bit, blue first.
  public static let bgr24 = PixelFormat(ascii: "BGR3")
  /// H.264 in Annex B, with start codes.
  package static let h264 = PixelFormat(ascii: "H264")
  /// 8-bit luma only.
  public static let grey = PixelFormat(ascii: "GREY")

  private init(ascii name: StaticString) {
    var value: UInt32 = 0
    for index in 0..<4 { value |= UInt32((name.utf8Start + index).pointee) << (8 * UInt32(index)) }
    self.init(rawValue: value)
  }
}

extension PixelFormat: CustomStringConvertible {
  /// The four characters with spaces, and with `-BE` for a big-endian variant; unprintable ones as `?`.
  public var description: String {
    var text = ""
    for index in 0..<4 {
      let byte = UInt8(truncatingIfNeeded: (rawValue & ~Self.bigEndian) >> (8 * UInt32(index)))
      text.append((0x20...0x7e).contains(byte) ? Character(Unicode.Scalar(byte)) : "?")
    }
    return rawValue & Self.bigEndian == 0 ? text : text + "-BE"
  }
}

extension PixelFormat {
  /// The kind of a frame's coding, which decides how heavy it is to sustain.
  public enum Family: Hashable, Sendable {
    /// One JPEG per frame.
    case jpeg
    /// Uncompressed pixels.
    case raw
    /// A vendor's own compression, each frame by itself.
    case compressed
    /// H.264 and similar: frames that depend on other frames.
    case interframe
  }

  /// The code in lowercase, as people type it.
  var lowercased: PixelFormat? { PixelFormat(fourcc: description.lowercased()) }

  private static let interframeCodes: Set<String> = [
    "H264", "AVC1", "M264", "HEVC", "H265", "VP80", "VP90", "MPG1", "MPG2", "MPG4", "H263", "DVSD", "dvsd",
    "XVID", "FWHT", "AV01", "AV1F", "VC1G", "VC1L", "MPEG", "MG2S", "VP8F", "VP9F", "S264", "S265", "SFWH",
  ]

  private static let compressedCodes: Set<String> = [
    "S910", "SONX", "P207", "M310", "905C", "S401", "S561", "JL20", "JPGL", "PJPG", "CPIA", "O511", "O518",
    "PWC1",
    "PWC2", "E625", "WNVA", "TM60", "S5CI", "MT21", "Q08C", "Q10C",
  ]

  /// The family of this format; a code that is not known as compressed counts as raw.
  public var family: Family {
    if self == .mjpeg || self == .jpeg { return .jpeg }
    if Self.compressedCodes.contains(description) { return .compressed }
    return Self.interframeCodes.contains(description) ? .interframe : .raw
  }
}
