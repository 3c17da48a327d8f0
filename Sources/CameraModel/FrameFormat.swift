public import Timebase

/// What a stream's frames look like, and what their times mean.
///
/// This is all that a file of frames depends on; how a camera delivers them is no part of it.
public struct FrameFormat: Hashable, Sendable {
  /// The pixel format.
  public var pixelFormat: PixelFormat
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int
  /// Seconds per frame that the driver gave back; `nil` where it knows none.
  public var acceptedInterval: FrameInterval?
  /// The clock of the frames' timestamps.
  public var clock: FrameClock
  /// How colours are to be read.
  public var colorimetry: Colorimetry

  /// A format of these parts; without more, nothing is known of its clock and colours.
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
  /// The accepted interval; `nil` where the driver knows none, or one of over a day, which says nothing of a film.
  package var nominalInterval: Duration? {
    guard let interval = acceptedInterval?.rate?.interval, interval <= Self.longestInterval else {
      return nil
    }
    return Duration(seconds: interval)
  }

  /// A day: a driver that claims 4294967295 seconds does not know. It keeps sums of intervals within
  /// 64 bits.
  private static let longestInterval = Fraction(24 * 3600)

  /// How many pixels a frame has; `Int.max` where its sides pass that.
  package var pixelCount: Int { width.multiplied(clamping: height) }
}

/// The clock that frames are stamped with.
public enum FrameClock: String, Codable, Hashable, Sendable {
  /// `CLOCK_MONOTONIC`, by the driver.
  case monotonic
  /// Copied by the driver from elsewhere, as v4l2loopback does from its writer.
  case copied
  /// The driver does not say.
  case unknown
  /// `CLOCK_MONOTONIC` when a frame was taken from the driver, as its own timestamps cannot be true.
  case dequeue
}
