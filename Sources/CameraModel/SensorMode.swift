public import Timebase

/// An entry of a sensor's own list: one bus format at one size.
public struct SensorMode: Hashable, Sendable {
  /// The bus format's name, such as `SRGGB10_1X10`.
  public var code: String
  /// The size in pixels, or the range of sizes.
  public var size: FrameSize
  /// The intervals that it lists at this size, or at the largest of the range.
  public var intervals: [FrameInterval]

  /// Creates a mode of `code` at `size`.
  package init(code: String, size: FrameSize, intervals: [FrameInterval]) {
    self.code = code
    self.size = size
    self.intervals = intervals
  }
}

extension SensorMode: Codable {
  enum CodingKeys: String, CodingKey {
    case code, intervals
    case min = "min_size"
    case max = "max_size"
  }

  /// Decodes a mode of a sensor.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: CodingKeys.self)
    // All that the driver reports is kept, including zero.
    let min = try keys.decode(Dimensions.self, forKey: .min)
    let max = try keys.decode(Dimensions.self, forKey: .max)
    self.init(
      code: try keys.decode(String.self, forKey: .code),
      size: min == max ? .discrete(width: max.width, height: max.height) : .continuous(min: min, max: max),
      intervals: try keys.decode([FrameInterval].self, forKey: .intervals))
  }

  /// Encodes a mode of a sensor, its size as the two ends of a range, which are equal for a single size.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(code, forKey: .code)
    let min =
      switch size {
      case .discrete: size.largest
      case .stepwise(let min, _, _), .continuous(let min, _): min
      }
    try keys.encode(min, forKey: .min)
    try keys.encode(size.largest, forKey: .max)
    try keys.encode(intervals, forKey: .intervals)
  }
}
