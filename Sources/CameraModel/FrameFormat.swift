public import Timebase

/// The layout of a stream's frames, and the meaning of their timestamps.
///
/// A file of frames depends on nothing else; how a camera delivers them is not part of it.
public struct FrameFormat: Hashable, Sendable {
  /// The pixel format.
  public var pixelFormat: PixelFormat
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int
  /// Seconds per frame that the driver accepted; `nil` if it reports none.
  public var acceptedInterval: FrameInterval?
  /// The clock of the frames' timestamps.
  public var clock: FrameClock
  /// The coding of colours.
  public var colorimetry: Colorimetry

  /// Creates a format of these parts; by default, clock and colours are unknown.
  public init(
    _ pixelFormat: PixelFormat, width: Int, height: Int, acceptedInterval: FrameInterval? = nil,
    clock: FrameClock = .unknown, colorimetry: Colorimetry = Colorimetry()
  ) {
    self.pixelFormat = pixelFormat
    self.width = width
    self.height = height
    self.acceptedInterval = acceptedInterval
    self.clock = clock
    self.colorimetry = colorimetry
  }
}

extension FrameFormat {
  /// The accepted interval; `nil` if the driver reports none, or one longer than a day, which is meaningless.
  package var nominalInterval: Duration? {
    guard let interval = acceptedInterval?.rate?.interval, interval <= Self.longestInterval else {
      return nil
    }
    return Duration(seconds: interval)
  }

  /// A day: a driver that claims 4294967295 seconds does not know. The limit keeps sums of intervals within
  /// 64 bits.
  private static let longestInterval = Fraction(24 * 3600)

  /// The number of pixels in a frame; `Int.max` if it overflows.
  package var pixelCount: Int { width.multiplied(clamping: height) }
}

/// The clock of frames' timestamps.
public enum FrameClock: String, Codable, Hashable, Sendable {
  /// `CLOCK_MONOTONIC`, set by the driver.
  case monotonic
  /// Copied by the driver from another source, as v4l2loopback does from its writer.
  case copied
  /// The driver does not say.
  case unknown
  /// `CLOCK_MONOTONIC` when a frame was dequeued, as the driver's own timestamps cannot be right.
  case dequeue
}
