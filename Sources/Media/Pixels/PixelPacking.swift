internal import CLibAV

/// The layout of an uncompressed frame's pixels if libav has no pixel format for it, or none that it reads
/// back from a file: named by V4L2's four-character code.
///
/// Frames are stored unchanged, and unpacked to ``unpacked`` for viewing.
public struct PixelPacking: Hashable, Sendable, CustomStringConvertible {
  enum Form: Hashable, Sendable {
    /// MIPI CSI-2's RAW10, RAW12 and RAW14: the high eight bits of a few samples, then their low bits
    /// together.
    case mipi(bits: Int)
    /// Little-endian 16-bit words of which this many low bits are used.
    case words(bits: Int)
    /// Packed 4:2:2 as Cr Y Cb Y.
    case vyuy
    /// A plane of luma, and one of interleaved chroma with as many rows.
    case semiplanar422(isRedFirst: Bool)
    /// Planar 4:2:0 with Cr before Cb.
    case yvu420
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

  private init(_ fourcc: String, _ form: Form, _ unpacked: PixelLayout) {
    self.fourcc = fourcc
    self.form = form
    self.unpacked = unpacked
  }

  /// V4L2's code.
  public var description: String { fourcc }

  /// The codec tag in a container: V4L2's code, except for VYUY, which libav would read as YUYV.
  var tag: UInt32 {
    (form == .vyuy ? "VYU2" : fourcc).utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Whether libav nevertheless reads it by that tag.
  var isReadByLibAV: Bool { form == .yvu420 }

  /// Returns the planes of a frame of this size without padding, in order; `nil` if the size is impossible.
  public func planes(width: Int, height: Int) -> [PixelLayout.Plane]? {
    guard unpacked.planes(width: width, height: height) != nil else { return nil }
    let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
    let rows: [(bytes: Int, count: Int)] =
      switch form {
      case .mipi(let bits):
        // Samples come in groups that end at a byte boundary: 4 in 5 bytes, 2 in 3, 4 in 7.
        bits == 12 ? [(halfWidth * 3, height)] : [((width + 3) / 4 * bits / 2, height)]
      case .words: [(2 * width, height)]
      case .vyuy: [(4 * halfWidth, height)]
      case .semiplanar422: [(width, height), (2 * halfWidth, height)]
      case .yvu420: [(width, height), (halfWidth, halfHeight), (halfWidth, halfHeight)]
      }
    var offset = 0
    return rows.map { row in
      defer { offset += row.bytes * row.count }
      return PixelLayout.Plane(offset: offset, bytesPerRow: row.bytes, rows: row.count)
    }
  }

  private static let all: [PixelPacking] = {
    var all = [
      PixelPacking("VYUY", .vyuy, .uyvy422), PixelPacking("YV12", .yvu420, .yuv420p),
      PixelPacking("NV16", .semiplanar422(isRedFirst: false), .yuv422p),
      PixelPacking("NV61", .semiplanar422(isRedFirst: true), .yuv422p),
    ]
    for (fourcc, bits) in [("Y10P", 10), ("Y12P", 12), ("Y14P", 14)] {
      all.append(PixelPacking(fourcc, .mipi(bits: bits), PixelLayout(AV_PIX_FMT_GRAY16LE)))
    }
    // The order of colours by V4L2's codes: 10, 12 and 14 bits in words, then the same as packed by MIPI.
    let orders: [(PixelLayout, [String], [String])] = [
      (PixelLayout(AV_PIX_FMT_BAYER_BGGR16LE), ["BG10", "BG12", "BG14"], ["pBAA", "pBCC", "pBEE"]),
      (PixelLayout(AV_PIX_FMT_BAYER_GBRG16LE), ["GB10", "GB12", "GB14"], ["pGAA", "pGCC", "pGEE"]),
      (PixelLayout(AV_PIX_FMT_BAYER_GRBG16LE), ["BA10", "BA12", "GR14"], ["pgAA", "pgCC", "pgEE"]),
      (PixelLayout(AV_PIX_FMT_BAYER_RGGB16LE), ["RG10", "RG12", "RG14"], ["pRAA", "pRCC", "pREE"]),
    ]
    for (layout, words, packed) in orders {
      for (index, bits) in [10, 12, 14].enumerated() {
        all.append(PixelPacking(words[index], .words(bits: bits), layout))
        all.append(PixelPacking(packed[index], .mipi(bits: bits), layout))
      }
    }
    return all
  }()

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.fourcc, $0) })
  private static let byTag = Dictionary(uniqueKeysWithValues: all.map { ($0.tag, $0) })
}
