public import Platform
public import CameraModel
import Media

/// The pictures that a simulated camera sends in one mode, composed by frame number and without a clock.
///
/// Everything but the frame's number is prerendered by the initialiser, which takes a good part of a second;
/// composing a frame is then a few copies and allocates nothing. For a clock, lost frames and faults, see
/// ``SimulatedCamera``.
public struct SimulatedPicture: ~Copyable, @unchecked Sendable {
  // Unchecked: it is the only owner of its memory, and composing a frame requires exclusive access.

  /// The supported formats whose frames stand alone. H264 is supported too, and other streams from a file:
  /// ``SceneConditions/recording``.
  public static let formats: [PixelFormat] = [
    .mjpeg, .yuyv, .uyvy, .nv12, .yuv420, .rgb24, .bgr24, .grey, .apple420v, .apple420f,
  ]

  private enum Kind: ~Copyable {
    case jpeg(JPEGPicture)
    case raw(RawPicture)
    case h264(H264Picture)
    case recorded(RecordedPicture)
  }

  private let kind: Kind

  /// Prerenders this mode's frames.
  ///
  /// - Parameters:
  ///   - format: The pixel format.
  ///   - width: The number of pixels in a row.
  ///   - height: The number of rows.
  ///   - huffmanTables: Whether JPEGs contain their Huffman tables; many cameras omit them.
  ///   - conditions: The light, the start of the motion, and the noise.
  ///   - isStopped: Called repeatedly during drawing; `true` cancels it.
  /// - Throws: `OvercrankError` with `noMode` if `format` is not one of ``formats`` or the size is not
  ///   supported, and `cancelled` if cancelled.
  public init(
    format: PixelFormat, width: Int, height: Int, huffmanTables: Bool = true,
    conditions: SceneConditions = SceneConditions(), isStopped: @escaping () -> Bool = { false }
  ) throws(OvercrankError) {
    guard (1...16_384).contains(width), (1...16_384).contains(height) else {
      throw OvercrankError(
        .noMode, "a simulated camera has no frames of \(width)x\(height), only 1x1 to 16384x16384")
    }
    let stop = DrawingStop(isStopped)
    do throws(OvercrankError) {
      if format == .mjpeg || format == .jpeg {
        kind = .jpeg(
          try JPEGPicture(
            width: width, height: height, huffmanTables: huffmanTables, conditions: conditions, stop))
        return
      }
      if let stream = format.stream, let recording = conditions.recording {
        kind = .recorded(try RecordedPicture(recording, as: stream, width: width, height: height))
        return
      }
      if format == .h264 {
        kind = .h264(try H264Picture(width: width, height: height, conditions: conditions, stop))
        return
      }
      if let picture = try RawPicture(
        format: format, width: width, height: height, conditions: conditions, stop)
      {
        kind = .raw(picture)
        return
      }
    } catch {
      guard error.code != .cancelled else { throw OvercrankError(.cancelled, error.description) }
      guard error.code != .noMode, conditions.recording == nil else { throw error }
      throw OvercrankError(.failed, "a simulated camera's JPEGs were not created: \(error)")
    }
    let names = (Self.formats + [.h264]).map(\.description).joined(separator: ", ")
    throw OvercrankError(
      .noMode,
      format.stream == nil
        ? "a simulated camera cannot draw \(format); it can draw \(names)"
        : "a simulated camera cannot draw \(format); it can draw \(names). With stream=FILE, it sends frames of a file."
    )
  }

  /// The maximum size of a frame in bytes; the exact size for an uncompressed format.
  public var largestFrame: Int {
    switch kind {
    case .jpeg(let picture): picture.largestByteCount
    case .raw(let picture): picture.byteCount
    case .h264(let picture): picture.largestByteCount
    case .recorded(let picture): picture.largestByteCount
    }
  }

  /// Composes frame `number` and lends its bytes to `body`.
  ///
  /// - Parameters:
  ///   - number: The number of the frame.
  ///   - white: The rows that a flash whitens, below strip and number; only for conditions with flashes.
  ///   - body: Called with the bytes.
  public mutating func compose(
    frame number: UInt32, white: [Range<Int>] = [], _ body: (Span<UInt8>) -> Void
  ) {
    let bytes = compose(number, white: white)
    body(bytes.assumingMemoryBound(to: UInt8.self).span)
  }

  /// Composes frame `number` with white in the rows `white`; its bytes are valid until the next call.
  mutating func compose(_ number: UInt32, white: [Range<Int>]) -> UnsafeRawBufferPointer {
    switch kind {
    case .jpeg(let picture): picture.compose(number, white: white)
    case .raw(let picture): picture.compose(number, white: white)
    case .h264(let picture): picture.compose(number)
    case .recorded(let picture): picture.compose(number)
    }
  }

  /// The number of bytes at a frame's start that precede the picture: a JPEG's headers.
  var headerByteCount: Int {
    switch kind {
    case .jpeg(let picture): picture.headerByteCount
    default: 0
    }
  }
}

extension PixelFormat {
  /// NV12 in limited range, as Apple calls it: `kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange`.
  static let apple420v = PixelFormat(rawValue: 0x7630_3234)
  /// NV12 in full range, as Apple calls it: `kCVPixelFormatType_420YpCbCr8BiPlanarFullRange`.
  static let apple420f = PixelFormat(rawValue: 0x6630_3234)
}
