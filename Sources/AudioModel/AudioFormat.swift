import Timebase

/// What one number of PCM audio looks like; the lowest byte comes first.
public enum SampleFormat: String, Hashable, Sendable, CaseIterable, Codable {
  /// 16 bits with a sign.
  case s16
  /// 24 bits with a sign, in three bytes.
  case s24
  /// 32 bits with a sign.
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

/// What the audio of a microphone looks like: interleaved PCM.
///
/// A *sample* is what all channels hear at one moment.
public struct AudioFormat: Hashable, Sendable, Codable {
  /// What each number looks like.
  public let numbers: SampleFormat
  /// Samples a second by the device's own account; how many there are in truth is for
  /// ``AudioClockFit`` to find.
  public let rate: Int
  /// How many numbers a sample has.
  public let channels: Int

  /// The rates that devices can have; libasound's own limits are 4000 and 768000.
  public static let rates = 4000...768_000
  /// How many channels a sample can have.
  public static let channelCounts = 1...64

  /// A format of these parts; `nil` where the rate or the number of channels is beyond what devices have.
  public init?(_ numbers: SampleFormat, rate: Int, channels: Int) {
    guard Self.rates.contains(rate), Self.channelCounts.contains(channels) else { return nil }
    self.numbers = numbers
    self.rate = rate
    self.channels = channels
  }

  private enum CodingKeys: String, CodingKey { case numbers = "format", rate, channels }

  /// Reads a format.
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

  /// Bytes of a sample: of one moment, all channels together.
  public var sampleBytes: Int { numbers.byteCount * channels }

  /// How long so many samples last by the device's own account.
  public func duration(of samples: Int) -> Duration {
    .nanoseconds(Int64(clamping: Double(samples) * 1e9 / Double(rate)))
  }

  /// How many samples there are in `duration` by the device's own account.
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
