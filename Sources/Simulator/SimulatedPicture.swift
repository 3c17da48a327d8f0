public import Platform
public import CameraModel
import Cameras
import Media

/// What a simulated camera sends in one mode, made to order by frame number and without a clock.
///
/// Everything but the frame's number is drawn and coded when the picture is made, which takes a good part of a
/// second; making a frame is then a few copies and allocates nothing. For a camera with a clock, lost frames
/// and faults see ``SimulatedCamera``.
public struct SimulatedPicture: ~Copyable, @unchecked Sendable {
  // Unchecked: it owns the memory it points to alone, and making a frame needs exclusive access.

  /// The formats that can be drawn.
  public static let formats: [PixelFormat] = [
    .mjpeg, .yuyv, .uyvy, .nv12, .yuv420, .rgb24, .bgr24, .grey,
  ]

  private enum Kind: ~Copyable {
    case jpeg(JPEGPicture)
    case raw(RawPicture)
  }

  private let kind: Kind

  /// Draws all that frames of this mode are made of.
  ///
  /// - Parameters:
  ///   - format: the pixel format.
  ///   - width: pixels in a row.
  ///   - height: rows.
  ///   - huffmanTables: Whether JPEGs carry their Huffman tables; many cameras leave them out.
  ///   - conditions: how the scene is lit, when it moves, and how noisy the sensor is.
  ///   - isStopped: is asked all the while; where it says so, the drawing stops.
  /// - Throws: `OvercrankError` with `noMode` where `format` is none of ``formats`` or the size is none, and `cancelled`
  ///   where it was stopped.
  public init(
    format: PixelFormat, width: Int, height: Int, huffmanTables: Bool = true,
    conditions: SceneConditions = SceneConditions(), isStopped: @escaping () -> Bool = { false }
  ) throws(OvercrankError) {
    guard (1...16_384).contains(width), (1...16_384).contains(height) else {
      throw OvercrankError(
        .noMode, "a simulated camera has no frames of \(width)x\(height): 1x1 to 16384x16384")
    }
    let stop = DrawingStop(isStopped)
    do throws(OvercrankError) {
      if format == .mjpeg || format == .jpeg {
        kind = .jpeg(
          try JPEGPicture(
            width: width, height: height, huffmanTables: huffmanTables, conditions: conditions, stop))
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
      throw OvercrankError(.failed, "a simulated camera's JPEGs were not made: \(error)")
    }
    let names = Self.formats.map(\.description).joined(separator: ", ")
    throw OvercrankError(.noMode, "a simulated camera cannot draw \(format); it can draw \(names)")
  }

  /// The most bytes that a frame has; what every uncompressed frame has.
  public var largestFrame: Int {
    switch kind {
    case .jpeg(let picture): picture.largestByteCount
    case .raw(let picture): picture.byteCount
    }
  }

  /// Makes frame `number` and lends its bytes to `body`.
  public mutating func compose(frame number: UInt32, _ body: (Span<UInt8>) -> Void) {
    let bytes = compose(number)
    body(bytes.assumingMemoryBound(to: UInt8.self).span)
  }

  /// Makes frame `number`; its bytes hold until the next is made.
  mutating func compose(_ number: UInt32) -> UnsafeRawBufferPointer {
    switch kind {
    case .jpeg(let picture): picture.compose(number)
    case .raw(let picture): picture.compose(number)
    }
  }

  /// The bytes at a frame's start that hold no picture: a JPEG's headers.
  var headerByteCount: Int {
    switch kind {
    case .jpeg(let picture): picture.headerByteCount
    case .raw: 0
    }
  }
}
