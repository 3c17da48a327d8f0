public import Timebase

/// A rate as a profile writes it: `240`, `119.88` or `61612/513`.
public struct ProfileRate: Hashable, Sendable, Codable {
  /// Frames per second.
  public var rate: FrameRate
  /// The rate as a frame interval, in a driver's terms.
  public var interval: FrameInterval

  /// Reads the number from its text, so that 119.88 stays exact.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    let rate: FrameRate
    do throws(QuantityError) {
      rate = try FrameRate(text: text)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(error)"))
    }
    guard let interval = FrameInterval(rate) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(text) has more digits than a driver uses"))
    }
    (self.rate, self.interval) = (rate, interval)
  }

  /// Encodes the rate as a number of frames per second.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(rate.framesPerSecond.doubleValue)
  }
}
