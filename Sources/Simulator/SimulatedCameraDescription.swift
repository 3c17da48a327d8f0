public import CameraModel
public import Timebase

/// The modes of a simulated camera.
public struct SimulatedCameraDescription: Hashable, Sendable {
  /// A format and size with its intervals.
  public struct Mode: Hashable, Sendable {
    /// The pixel format.
    public var format: PixelFormat
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The intervals, in the order of the driver's list.
    public var intervals: [FrameInterval]
    /// The range of rates for a mode that accepts any rate in it; `nil` if only `intervals` count.
    public var rateRange: ClosedRange<FrameRate>?

    /// Creates a mode.
    public init(
      format: PixelFormat, width: Int, height: Int, intervals: [FrameInterval],
      rateRange: ClosedRange<FrameRate>? = nil
    ) {
      self.format = format
      self.width = width
      self.height = height
      self.intervals = intervals
      self.rateRange = rateRange
    }
  }

  /// The modes, in the order of the driver's list.
  public var modes: [Mode]

  /// Creates a camera with these modes.
  public init(modes: [Mode]) { self.modes = modes }

  /// The default camera, `sim:`.
  public static let `default` = SimulatedCameraDescription(modes: [
    Mode(
      format: .mjpeg, width: 1280, height: 720, intervals: [FrameInterval(1, 240), FrameInterval(1, 120)]),
    Mode(
      format: .mjpeg, width: 1920, height: 1080, intervals: [FrameInterval(1, 120), FrameInterval(1, 60)]),
    Mode(format: .yuyv, width: 640, height: 480, intervals: [FrameInterval(1, 240), FrameInterval(1, 120)]),
  ])

  /// Returns whether there is such a mode; intervals are compared by value.
  public func has(format: PixelFormat, width: Int, height: Int, interval: FrameInterval) -> Bool {
    guard let rate = interval.rate else { return false }
    return modes.contains { mode in
      mode.format == format && mode.width == width && mode.height == height
        && (mode.rateRange?.contains(rate) == true || mode.intervals.contains { $0.rate == rate })
    }
  }

  /// Returns the names of the three nearest modes, the nearest first: by format, then width, height and rate.
  func nearest(format: PixelFormat, width: Int, height: Int, interval: FrameInterval) -> [String] {
    let asked = interval.rate?.framesPerSecond ?? Fraction(0)
    let choices = modes.flatMap { mode in
      mode.intervals.map { offered in
        (
          name: "\(mode.format) \(mode.width)x\(mode.height) at \(offered.rate.map { "\($0)" } ?? "no") fps",
          distance: (
            mode.format == format ? 0 : 1, (mode.width - width).magnitude, (mode.height - height).magnitude,
            ((offered.rate?.framesPerSecond ?? Fraction(0)) - asked).magnitude
          )
        )
      }
    }
    return choices.sorted { $0.distance < $1.distance }.prefix(3).map(\.name)
  }
}
