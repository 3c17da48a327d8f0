public import AudioModel
public import Timebase

/// The accounting of a take's audio: the number of samples in the master, the times at which they were heard,
/// and those that are silence in place of lost ones.
///
/// A plain value, fed in the order in which samples are written.
public struct AudioAccounting: Hashable, Sendable {
  /// The source of the audio.
  public let input: AudioInput
  /// The time of each sample of the master, on the clock of the frames; the first sample is 0.
  public private(set) var fit: AudioClockFit
  /// The number of samples in the master, including the silence in place of lost ones.
  public private(set) var sampleCount: Int64 = 0
  /// The runs of lost samples, in order.
  public private(set) var gaps: [Gap] = []

  /// A run of lost samples, in place of which the master has silence.
  public struct Gap: Hashable, Sendable {
    /// The number of the first in the master.
    public var start: Int64
    /// The number of samples.
    public var count: Int64
  }

  /// Creates an empty accounting.
  public init(_ input: AudioInput) {
    self.input = input
    fit = AudioClockFit(nominalRate: input.format.rate)
  }

  /// Records `count` samples that were written, the first of which was heard at `time` on the device's clock.
  package mutating func enterWritten(_ count: Int64, at time: Instant) {
    fit.enter(AudioMark(time: time, sampleCount: sampleCount))
    sampleCount += count
  }

  /// Records `count` samples of silence in place of lost ones.
  package mutating func enterLost(_ count: Int64) {
    guard count > 0 else { return }
    if let last = gaps.last, last.start + last.count == sampleCount {
      gaps[gaps.count - 1].count += count
    } else {
      gaps.append(Gap(start: sampleCount, count: count))
    }
    sampleCount += count
  }
}

extension Take {
  /// The audio of a take.
  public struct Audio: Codable, Hashable, Sendable {
    /// The microphone's name.
    public var device: String
    /// The format of each number in the master.
    public var format: SampleFormat
    /// Numbers per sample.
    public var channels: Int
    /// The nominal samples per second of the device, and of the master.
    public var nominalRate: Int
    /// Samples per second on the clock of the frames; `nil` if no sample was heard.
    public var measuredRate: Double?
    /// The time from the first frame to the master's first sample.
    public var offset: Duration
    /// Samples in the master.
    public var samples: Int64
    /// The runs of lost samples, in place of which the master is silent.
    public var lost: [Loss]

    /// A run of lost samples.
    public struct Loss: Codable, Hashable, Sendable {
      /// The time at which the first would have been heard, on the clock of the frames.
      public var time: Instant
      /// The number of samples.
      public var samples: Int64

      enum CodingKeys: String, CodingKey {
        case samples
        case time = "time_ns"
      }
    }

    /// The deviation of the microphone's rate from its nominal one, in parts per million; `nil` if unknown.
    public var drift: Double? { measuredRate.map { ($0 / Double(nominalRate) - 1) * 1e6 } }

    enum CodingKeys: String, CodingKey {
      case device, format, channels, samples, lost
      case nominalRate = "nominal_rate"
      case measuredRate = "measured_rate"
      case drift = "drift_ppm"
      case offset = "offset_ns"
    }
  }
}

extension Take.Audio {
  /// Creates the audio of `accounting` in a take whose first frame was captured at `start`.
  package init(_ accounting: AudioAccounting, from start: Instant) {
    let (input, fit) = (accounting.input, accounting.fit)
    self.init(
      device: input.device, format: input.format.numbers, channels: input.format.channels,
      nominalRate: input.format.rate, measuredRate: fit.isEmpty ? nil : fit.rate,
      offset: fit.time(of: 0).map { $0 - start } ?? .zero, samples: accounting.sampleCount,
      lost: accounting.gaps.map { gap in
        let unheard = start + .seconds(Double(gap.start) / Double(input.format.rate))
        return Loss(time: fit.time(of: Double(gap.start)) ?? unheard, samples: gap.count)
      })
  }

  /// Decodes the audio of a take.
  ///
  /// - Throws: `DecodingError` if no microphone can have such audio.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: CodingKeys.self)
    let format = try keys.decode(SampleFormat.self, forKey: .format)
    let channels = try keys.decode(Int.self, forKey: .channels)
    let rate = try keys.decode(Int.self, forKey: .nominalRate)
    let measured = try keys.decodeIfPresent(Double.self, forKey: .measuredRate)
    // No clock is off by as much as half or twice the rate.
    guard AudioFormat(format, rate: rate, channels: channels) != nil,
      measured.map({ $0 >= Double(rate) / 2 && $0 <= Double(rate) * 2 }) ?? true
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .nominalRate, in: keys,
        debugDescription: "no microphone has \(channels) channels at \(rate) Hz, measured as \(measured ?? 0)"
      )
    }
    self.init(
      device: try keys.decode(String.self, forKey: .device), format: format, channels: channels,
      nominalRate: rate, measuredRate: measured,
      offset: .nanoseconds(try keys.decode(Int64.self, forKey: .offset)),
      samples: try keys.decode(Int64.self, forKey: .samples),
      lost: try keys.decode([Loss].self, forKey: .lost))
  }

  /// Encodes the audio; unknown values are `null`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(device, forKey: .device)
    try keys.encode(format, forKey: .format)
    try keys.encode(channels, forKey: .channels)
    try keys.encode(nominalRate, forKey: .nominalRate)
    try keys.encode(measuredRate, forKey: .measuredRate)
    try keys.encode(drift, forKey: .drift)
    try keys.encode(offset.wholeNanoseconds, forKey: .offset)
    try keys.encode(samples, forKey: .samples)
    try keys.encode(lost, forKey: .lost)
  }
}

/// The source of a take's audio.
public struct AudioInput: Hashable, Sendable, Codable {
  /// The microphone's name, such as `hw:1,0`.
  public var device: String
  /// The format that it delivers, and that the master holds.
  public var format: AudioFormat

  /// Creates the source `device`, which delivers `format`.
  public init(device: String, format: AudioFormat) {
    self.device = device
    self.format = format
  }
}
