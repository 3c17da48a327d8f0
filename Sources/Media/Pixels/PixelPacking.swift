internal import CLibAV

/// The layout of an uncompressed frame's pixels if libav has no pixel format for it, or none that it reads
/// back from a file: named by V4L2's four-character code.
///
/// Frames are stored unchanged, and unpacked to ``unpacked`` for viewing. Some webcams' own compression is a packing, too.
public struct PixelPacking: Hashable, Sendable, CustomStringConvertible {
  enum Form: Hashable, Sendable {
    /// The bytes of libav's layout, for which libav has no tag.
    case plain
    /// MIPI CSI-2's RAW10, RAW12 and RAW14: the high eight bits of a few samples, then their low bits
    /// together.
    case mipi(bits: Int)
    /// Little-endian 16-bit words of which this many low bits are used.
    case words(bits: Int)
    /// Samples as a stream of bits, in groups that begin at a byte.
    case stream(SampleStream)
    /// Pixels whose components are bits of one number.
    case fields(PixelFields)
    /// Packed words of 16 bits of which the highest are used: Y Cb Y Cr for two pixels, or Y Cb Cr for each.
    case packedWords(isHalf: Bool)
    /// Packed 4:2:2 as Cr Y Cb Y.
    case vyuy
    /// Packed 4:1:1: Cb Y Cr Y Cb Y Cr Y Y Y Y Y.
    case y41p
    /// Two rows of luma, then one of interleaved chroma.
    case m420
    /// A plane of luma, and one of interleaved chroma with as many rows.
    case semiplanar422(isRedFirst: Bool)
    /// Three planes, with Cr before Cb.
    case redFirst
    /// Pixels that a row codes one after another.
    case rows(RowCoding)
    /// A plane of little-endian 16-bit words of which this many low bits are luma, then one of depth.
    case wordsAndDepth(bits: Int)
    /// A webcam's own order of bytes.
    case webcam(WebcamLayout)
    /// A webcam's own compression: frames have no fixed size.
    case compressed
  }

  /// V4L2's code, such as `pRAA`.
  public let fourcc: String
  let form: Form
  /// The layout that frames are unpacked to.
  public let unpacked: PixelLayout

  /// Creates the packing that V4L2 calls `fourcc`; `nil` for any other code.
  public init?(fourcc: String) {
    guard let packing = Self.byName[fourcc] else { return nil }
    self = packing
  }

  /// Creates the packing of a file's track with this codec tag.
  init?(tag: UInt32) {
    guard let packing = Self.byTag[tag] else { return nil }
    self = packing
  }

  init(_ fourcc: String, _ form: Form, _ unpacked: PixelLayout) {
    self.fourcc = fourcc
    self.form = form
    self.unpacked = unpacked
  }

  /// V4L2's code.
  public var description: String { fourcc }

  /// The codec tag in a container: V4L2's code, except for codes that mean other formats to libav.
  var tag: UInt32 {
    (Self.tags[fourcc] ?? fourcc).utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static let tags = [
    "VYUY": "VYU2", "AYUV": "AYU2", "Y41P": "Y4P2", "YUV4": "YU42", "YVU9": "YVU2", "YUVA": "YUA2",
    "Y216": "Y262", "JPGL": "JPL2",
  ]

  /// Whether libav nevertheless reads it by that tag.
  var isReadByLibAV: Bool { fourcc == "YV12" }

  /// Whether frames are compressed and have no fixed size.
  var isCompressed: Bool { form == .compressed }

  /// Returns the planes of a frame of this size without padding, in order; `nil` if the size is impossible, or if frames
  /// are compressed.
  public func planes(width: Int, height: Int) -> [PixelLayout.Plane]? {
    guard let planes = unpacked.planes(width: width, height: height) else { return nil }
    let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
    let rows: [(bytes: Int, count: Int)] =
      switch form {
      case .plain, .redFirst: planes.map { ($0.bytesPerRow, $0.rows) }
      case .mipi(let bits):
        // Samples come in groups that end at a byte boundary: 4 in 5 bytes, 2 in 3, 4 in 7.
        bits == 12 ? [(halfWidth * 3, height)] : [((width + 3) / 4 * bits / 2, height)]
      case .words: [(2 * width, height)]
      case .stream(let stream): [(stream.byteCount(of: width), height)]
      case .fields(let fields): [(fields.byteCount * width, height)]
      case .packedWords(let isHalf): [(isHalf ? 8 * halfWidth : 6 * width, height)]
      case .vyuy: [(4 * halfWidth, height)]
      case .y41p: [((width + 7) / 8 * 12, height)]
      case .m420: [(2 * halfWidth, height + halfHeight)]
      case .semiplanar422: [(width, height), (2 * halfWidth, height)]
      case .rows(let coding): [(coding.byteCount(of: width), height)]
      // Drivers give the stride of both planes together.
      case .wordsAndDepth: [(4 * width, height)]
      case .webcam(let layout): layout.bytesPerRow(width: width, height: height).map { [($0, height)] } ?? []
      case .compressed: []
      }
    guard !rows.isEmpty else { return nil }
    var offset = 0
    return rows.map { row in
      defer { offset += row.bytes * row.count }
      return PixelLayout.Plane(offset: offset, bytesPerRow: row.bytes, rows: row.count)
    }
  }

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.fourcc, $0) })
  private static let byTag = Dictionary(uniqueKeysWithValues: all.map { ($0.tag, $0) })
}
