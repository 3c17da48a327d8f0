internal import CLibAV
internal import CPixels
internal import Glibc

/// The conversion of a sensor's values to a picture: with the black level subtracted, white-balanced, in the
/// colours of sRGB and with its transfer.
public struct RawDevelopment: Hashable, Sendable {
  /// The sensor's value without light, as a fraction of its range: 0 to below 1.
  public var black: Double
  /// The factors on red, green and blue that make grey neutral; above 0.
  public var gains: [Double]
  /// Three rows of three, which convert the sensor's balanced colours to linear sRGB; `nil` if they are the
  /// same.
  public var matrix: [Double]?

  /// The accepted black levels, which leave part of the range.
  public static let blacks = 0.0...0.9
  /// The accepted factors on colours.
  public static let gainRange = 1.0 / 16...16.0

  /// Creates a development; values beyond ``blacks`` and ``gainRange`` are clamped.
  public init(black: Double = 0, gains: [Double] = [1, 1, 1], matrix: [Double]? = nil) {
    self.black = min(max(black, Self.blacks.lowerBound), Self.blacks.upperBound)
    let known = gains.count == 3 ? gains : [1, 1, 1]
    self.gains = known.map { min(max($0, Self.gainRange.lowerBound), Self.gainRange.upperBound) }
    self.matrix = matrix.flatMap { $0.count == 9 && $0.allSatisfy(\.isFinite) ? $0 : nil }
  }
}

/// A table of the picture's sample for each 16-bit sample of a sensor.
///
/// Sendable because it is not modified after its initialization.
final class RawCurve: @unchecked Sendable {
  let samples: UnsafeMutablePointer<UInt16>

  private static let developed = RawCurve(isLinear: true, isDeep: false)
  private static let developedDeep = RawCurve(isLinear: true, isDeep: true)
  private static let kept = RawCurve(isLinear: false, isDeep: false)
  private static let keptDeep = RawCurve(isLinear: false, isDeep: true)

  /// Returns the curve of sRGB's transfer (IEC 61966-2-1) if `isLinear`, or else the identity; to 16 bits if
  /// `isDeep`, or else 8.
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
  /// The position of red in each square of four pixels of a mosaic; `nil` for other layouts.
  var redPlace: (column: Int, row: Int)? {
    switch format {
    case AV_PIX_FMT_BAYER_RGGB8, AV_PIX_FMT_BAYER_RGGB16LE: (0, 0)
    case AV_PIX_FMT_BAYER_GRBG8, AV_PIX_FMT_BAYER_GRBG16LE: (1, 0)
    case AV_PIX_FMT_BAYER_GBRG8, AV_PIX_FMT_BAYER_GBRG16LE: (0, 1)
    case AV_PIX_FMT_BAYER_BGGR8, AV_PIX_FMT_BAYER_BGGR16LE: (1, 1)
    default: nil
    }
  }

  /// The bits per sample of a sensor's picture, including mosaics.
  var sensorBits: Int32 {
    guard isMosaic else { return bitsPerSample }
    return format.rawValue >= AV_PIX_FMT_BAYER_BGGR16LE.rawValue ? 16 : 8
  }

  /// Whether its samples can be developed like a sensor's: a mosaic, or luma alone, in this machine's byte
  /// order.
  var isRaw: Bool {
    redPlace != nil
      || isGray && (sensorBits == 8 || (9...16).contains(sensorBits) && description.hasSuffix("le"))
  }
}

extension VideoTrack {
  /// Whether its frames are a sensor's values, as ``RawDevelopment`` takes them: a mosaic, or grey.
  public var isRaw: Bool {
    switch codec {
    case .raw, .packed: pixels?.isRaw ?? false
    default: false
    }
  }

  /// Whether its values are proportional to light, as far as is known.
  ///
  /// A sensor's mosaic always is, whatever its driver states: many state sRGB. Cameras that send grey may
  /// have processed it, and then say so; sensor drivers state no transfer (`V4L2_COLORSPACE_RAW`). 8-bit grey
  /// without any colour information is a picture that another program wrote, and so is grey in a file that
  /// states a range itself, as Y4M does: masters have it in their metadata.
  public var isLinear: Bool {
    guard isRaw else { return false }
    if pixels?.isGray != true || color.transfer == .linear { return true }
    let rangeOfFile = parameters?.values.color_range ?? AVCOL_RANGE_UNSPECIFIED
    guard rangeOfFile == AVCOL_RANGE_UNSPECIFIED else { return false }
    return color.transfer == .unspecified && (color.range != .unspecified || sensorBits > 8)
  }

  /// Whether there is only luma.
  public var isGrey: Bool { pixels?.isGray == true }

  /// The bits per sample of the sensor, for a raw source.
  public var sensorBits: Int {
    if case .packed(let packing) = codec {
      switch packing.form {
      case .mipi(let bits), .words(let bits): return bits
      case .stream(let stream): return stream.bits
      default: break
      }
    }
    return pixels.map { Int($0.sensorBits) } ?? 8
  }
}
