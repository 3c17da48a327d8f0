import Timebase

/// The format of one number of PCM audio, in little-endian order.
public enum SampleFormat: String, Hashable, Sendable, CaseIterable, Codable {
  /// Signed 16 bits.
  case s16
  /// Signed 24 bits, in three bytes.
  case s24
  /// Signed 32 bits.
  case s32
  /// IEEE 754's 32 bits, from -1 to 1.
  case float

  /// Bytes of one number.
  public var byteCount: Int {
    switch self {
    case .s16: 2
    case .s24: 3
    case .s32, .float: 4
    }
  }
}

/// The format of a microphone's audio: interleaved PCM.
///
/// A *sample* is what all channels hear at one moment.
public struct AudioFormat: Hashable, Sendable, Codable {
  /// The format of each number.
  public let numbers: SampleFormat
  /// The nominal samples per second; ``AudioClockFit`` finds the real rate.
  public let rate: Int
  /// The numbers per sample.
  public let channels: Int

  /// The possible rates of devices; libasound's own limits are 4000 and 768000.
  public static let rates = 4000...768_000
  /// The possible numbers of channels.
  public static let channelCounts = 1...64

  /// Creates a format of these parts; `nil` if no device has this rate or number of channels.
  public init?(_ numbers: SampleFormat, rate: Int, channels: Int) {
    guard Self.rates.contains(rate), Self.channelCounts.contains(channels) else { return nil }
    self.numbers = numbers
    self.rate = rate
    self.channels = channels
  }

  private enum CodingKeys: String, CodingKey { case numbers = "format", rate, channels }

  /// Decodes a format.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: CodingKeys.self)
    let numbers = try keys.decode(SampleFormat.self, forKey: .numbers)
    let rate = try keys.decode(Int.self, forKey: .rate)
    let channels = try keys.decode(Int.self, forKey: .channels)
    guard let format = Self(numbers, rate: rate, channels: channels) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "no device has \(channels) channels at \(rate) Hz"
        ))
    }
    self = format
  }

  /// Bytes of a sample, with all channels.
  public var sampleBytes: Int { numbers.byteCount * channels }

  /// Returns the nominal duration of `samples`.
  public func duration(of samples: Int) -> Duration {
    .nanoseconds(Int64(clamping: Double(samples) * 1e9 / Double(rate)))
  }

  /// Returns the nominal number of samples in `duration`.
  public func sampleCount(in duration: Duration) -> Int {
    Int(clamping: (duration / .seconds(1) * Double(rate)).rounded())
  }
}

extension AudioFormat: CustomStringConvertible {
  /// `48000 Hz, stereo, s16`.
  public var description: String {
    let words = channels == 1 ? "mono" : channels == 2 ? "stereo" : "\(channels) channels"
    return "\(rate) Hz, \(words), \(numbers.rawValue)"
  }
}
