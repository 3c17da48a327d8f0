internal import CLibAV
internal import CPixels
internal import Glibc

/// How the numbers of a sensor become a picture: without what it gives in the dark, balanced, in the colours of sRGB and
/// with its transfer.
public struct RawDevelopment: Hashable, Sendable {
  /// What the sensor gives without light, as a part of its range: 0 to below 1.
  public var black: Double
  /// What red, green and blue are multiplied by, so that grey becomes grey; above 0.
  public var gains: [Double]
  /// Three rows of three, that make linear sRGB of the balanced colours of the sensor; `nil` takes them for that.
  public var matrix: [Double]?

  /// Black levels that leave something of the range.
  public static let blacks = 0.0...0.9
  /// What colours may be multiplied by.
  public static let gainRange = 1.0 / 16...16.0

  /// A development; what lies beyond ``blacks`` and ``gainRange`` is held to them.
  public init(black: Double = 0, gains: [Double] = [1, 1, 1], matrix: [Double]? = nil) {
    self.black = min(max(black, Self.blacks.lowerBound), Self.blacks.upperBound)
    let known = gains.count == 3 ? gains : [1, 1, 1]
    self.gains = known.map { min(max($0, Self.gainRange.lowerBound), Self.gainRange.upperBound) }
    self.matrix = matrix.flatMap { $0.count == 9 && $0.allSatisfy(\.isFinite) ? $0 : nil }
  }
}

/// The samples of a picture for those of a sensor, for each of 16 bits.
///
/// Sendable because nothing writes to it after it was made.
final class RawCurve: @unchecked Sendable {
  let samples: UnsafeMutablePointer<UInt16>

  private static let developed = RawCurve(isLinear: true, isDeep: false)
  private static let developedDeep = RawCurve(isLinear: true, isDeep: true)
  private static let kept = RawCurve(isLinear: false, isDeep: false)
  private static let keptDeep = RawCurve(isLinear: false, isDeep: true)

  /// sRGB's transfer (IEC 61966-2-1) where `isLinear`, else the same number; in 16 bits where `isDeep`, else in 8.
  static func curve(isLinear: Bool, isDeep: Bool) -> RawCurve {
    isLinear ? isDeep ? developedDeep : developed : isDeep ? keptDeep : kept
  }

  private init(isLinear: Bool, isDeep: Bool) {
    samples = .allocate(capacity: 1 << 16)
    var value = 0
    while value < 1 << 16 {
      if isLinear {
        let light = Double(value) / 65535
        let shown = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
        samples[value] = UInt16(clamping: (shown * (isDeep ? 65535 : 255)).rounded())
      } else {
        samples[value] = UInt16(clamping: isDeep ? value : (value + 128 - value >> 8) >> 8)
      }
      value += 1
    }
  }

  deinit { samples.deallocate() }
}

extension cpixels_development {
  init(_ development: RawDevelopment?, redColumn: Int, redRow: Int, _ curve: RawCurve) {
    self.init()
    red_column = Int32(redColumn)
    red_row = Int32(redRow)
    self.curve = UnsafePointer(curve.samples)
    gains = (1, 1, 1)
    guard let development else { return }
    black = Int32(clamping: (development.black * 65535).rounded())
    let scale = 1 / (1 - development.black)
    let lit = development.gains.map { Float($0 * scale) }
    gains = (lit[0], lit[1], lit[2])
    guard let rows = development.matrix?.map({ Float($0) }) else { return }
    has_matrix = true
    matrix = (rows[0], rows[1], rows[2], rows[3], rows[4], rows[5], rows[6], rows[7], rows[8])
  }
}

extension PixelLayout {
  /// Where in each square of four pixels of a mosaic red lies; `nil` of others.
  var redPlace: (column: Int, row: Int)? {
    switch format {
    case AV_PIX_FMT_BAYER_RGGB8, AV_PIX_FMT_BAYER_RGGB16LE: (0, 0)
    case AV_PIX_FMT_BAYER_GRBG8, AV_PIX_FMT_BAYER_GRBG16LE: (1, 0)
    case AV_PIX_FMT_BAYER_GBRG8, AV_PIX_FMT_BAYER_GBRG16LE: (0, 1)
    case AV_PIX_FMT_BAYER_BGGR8, AV_PIX_FMT_BAYER_BGGR16LE: (1, 1)
    default: nil
    }
  }

  /// The bits of a sample of a sensor, a mosaic's too.
  var sensorBits: Int32 {
    guard isMosaic else { return bitsPerSample }
    return format.rawValue >= AV_PIX_FMT_BAYER_BGGR16LE.rawValue ? 16 : 8
  }

  /// Whether its samples can be developed as a sensor's: a mosaic, or luma alone, in this machine's order.
  var isRaw: Bool {
    redPlace != nil
      || isGray && (sensorBits == 8 || (9...16).contains(sensorBits) && description.hasSuffix("le"))
  }
}

extension VideoTrack {
  /// Whether its frames are the numbers of a sensor as ``RawDevelopment`` takes them: a mosaic, or grey.
  public var isRaw: Bool {
    switch codec {
    case .raw, .packed: pixels?.isRaw ?? false
    default: false
    }
  }

  /// Whether nothing says that light was made into numbers otherwise than in proportion.
  ///
  /// No sensor's mosaic is anything else, whatever its driver states: many state sRGB. Cameras that send grey may have
  /// processed it, and say so; drivers of sensors state no transfer (`V4L2_COLORSPACE_RAW`). Grey of 8 bits of which
  /// nothing is stated at all is a picture that another program wrote, and so is grey in a file that states a range itself,
  /// as Y4M does: masters have it in their metadata.
  public var isLinear: Bool {
    guard isRaw else { return false }
    if pixels?.isGray != true || color.transfer == .linear { return true }
    let rangeOfFile = parameters?.values.color_range ?? AVCOL_RANGE_UNSPECIFIED
    guard rangeOfFile == AVCOL_RANGE_UNSPECIFIED else { return false }
    return color.transfer == .unspecified && (color.range != .unspecified || sensorBits > 8)
  }

  /// Whether there is luma alone.
  public var isGrey: Bool { pixels?.isGray == true }

  /// The bits that the sensor's samples have, of a raw film.
  public var sensorBits: Int {
    if case .packed(let packing) = codec {
      switch packing.form {
      case .mipi(let bits), .words(let bits): return bits
      default: break
      }
    }
    return pixels.map { Int($0.sensorBits) } ?? 8
  }
}
