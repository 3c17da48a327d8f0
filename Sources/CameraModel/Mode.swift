public import Timebase

/// One pixel format at one frame size and one frame interval, in which a camera can capture.
public struct Mode: Hashable, Sendable {
  /// The pixel format's four characters.
  public var fourcc: String
  /// Pixels across.
  public var width: UInt32
  /// Pixels down.
  public var height: UInt32
  /// Seconds per frame, in the driver's terms if it lists this interval.
  public var interval: FrameInterval
  /// The rate that the user measured in this mode, in frames per second; `nil` if it was not measured.
  public var measuredFramesPerSecond: Double?
  /// The way in which the picture is read from the sensor.
  public var readout: Readout
  /// `full` or `limited`; `nil` if unknown.
  public var range: String?

  /// Creates a mode of these parts.
  public init(
    fourcc: String, width: UInt32, height: UInt32, interval: FrameInterval, readout: Readout = Readout(),
    range: String? = nil
  ) {
    self.fourcc = fourcc
    self.width = width
    self.height = height
    self.interval = interval
    self.readout = readout
    self.range = range
  }

  /// The pixel format; `nil` if the four characters are not a valid code.
  public var pixelFormat: PixelFormat? { PixelFormat(fourcc: fourcc) }
  /// Frames per second; `nil` if a term of the interval is zero.
  public var rate: FrameRate? { interval.rate }
}

extension Mode: Codable {
  enum CodingKeys: String, CodingKey {
    case fourcc, width, height, interval, fps, range
    case measuredFramesPerSecond = "measured_fps"
  }

  /// Decodes a mode; `fps` follows from the interval and is ignored.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      fourcc: try keys.decode(String.self, forKey: .fourcc),
      width: try keys.decode(UInt32.self, forKey: .width),
      height: try keys.decode(UInt32.self, forKey: .height),
      interval: try keys.decode(FrameInterval.self, forKey: .interval),
      readout: try Readout(from: decoder),
      range: try keys.decodeIfPresent(String.self, forKey: .range))
    measuredFramesPerSecond = try keys.decodeIfPresent(Double.self, forKey: .measuredFramesPerSecond)
  }

  /// Encodes the mode; unknown values are `null`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(fourcc, forKey: .fourcc)
    try keys.encode(width, forKey: .width)
    try keys.encode(height, forKey: .height)
    try keys.encode(interval, forKey: .interval)
    try keys.encode(rate?.framesPerSecond.doubleValue, forKey: .fps)
    try keys.encode(measuredFramesPerSecond, forKey: .measuredFramesPerSecond)
    try keys.encode(range, forKey: .range)
    try readout.encode(to: encoder)
  }
}

extension Mode: CustomStringConvertible {
  /// `1280x720 MJPG at 240 fps`, with binning and range if they are known.
  public var description: String {
    let words =
      "\(width)x\(height) \(fourcc.printable.withoutTrailingSpaces) at \(rate?.description ?? "unknown") fps"
    let measured = measuredFramesPerSecond.map { "measured \(FrameRate.text($0)) fps" }
    return
      ([words] + [measured].compactMap { $0 } + readout.facts
      + [range.map { "\($0) range" }].compactMap { $0 })
      .joined(separator: ", ")
  }
}
