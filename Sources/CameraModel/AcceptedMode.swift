public import Timebase

/// A driver's answer to a requested mode.
public struct AcceptedMode: Hashable, Sendable {
  /// The pixel format's four characters.
  public var fourcc: String
  /// Pixels across.
  public var width: UInt32
  /// Pixels down.
  public var height: UInt32
  /// Seconds per frame; `nil` if the driver reports none.
  public var interval: FrameInterval?

  /// Creates a mode of these parts.
  public init(fourcc: String, width: UInt32, height: UInt32, interval: FrameInterval?) {
    self.fourcc = fourcc
    self.width = width
    self.height = height
    self.interval = interval
  }
}

extension AcceptedMode {
  /// Returns whether it has the size of `mode`.
  package func isSize(of mode: Mode) -> Bool { width == mode.width && height == mode.height }
}

extension AcceptedMode: Codable {
  enum CodingKeys: CodingKey { case fourcc, width, height, interval, fps }

  /// Decodes a mode; `fps` follows from the interval and is ignored.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      fourcc: try keys.decode(String.self, forKey: .fourcc),
      width: try keys.decode(UInt32.self, forKey: .width),
      height: try keys.decode(UInt32.self, forKey: .height),
      interval: try keys.decodeIfPresent(FrameInterval.self, forKey: .interval))
  }

  /// Encodes the mode; unknown values are `null`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(fourcc, forKey: .fourcc)
    try keys.encode(width, forKey: .width)
    try keys.encode(height, forKey: .height)
    try keys.encode(interval, forKey: .interval)
    try keys.encode(interval?.rate?.framesPerSecond.doubleValue, forKey: .fps)
  }
}

extension AcceptedMode: CustomStringConvertible {
  /// `1280x720 MJPG at 60 fps`.
  public var description: String {
    "\(width)x\(height) \(fourcc.printable.withoutTrailingSpaces) at \(interval?.rate?.description ?? "unknown") fps"
  }
}
