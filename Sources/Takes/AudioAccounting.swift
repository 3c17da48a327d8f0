public import AudioModel
public import Timebase

/// The accounting of a take's audio: how many samples the master holds, when they were heard, and which of
/// them are silence in place of what was lost.
///
/// A pure value, fed in the order in which samples are written.
public struct AudioAccounting: Hashable, Sendable {
  /// What it was recorded from.
  public let input: AudioInput
  /// When each sample of the master was heard, on the clock of the frames; the first is 0.
  public private(set) var fit: AudioClockFit
  /// Samples in the master, with the silence in place of those that were lost.
  public private(set) var sampleCount: Int64 = 0
  /// What was lost, in order.
  public private(set) var gaps: [Gap] = []

  /// Samples that were lost, in whose place the master has silence.
  public struct Gap: Hashable, Sendable {
    /// The number of the first in the master.
    public var start: Int64
    /// How many there are.
    public var count: Int64
  }

  /// An accounting without an entry.
  public init(_ input: AudioInput) {
    self.input = input
    fit = AudioClockFit(nominalRate: input.format.rate)
  }

  /// Enters `count` samples that were written, the first of which was heard at `time` by the device's clock.
  package mutating func enterWritten(_ count: Int64, at time: Instant) {
    fit.enter(AudioMark(time: time, sampleCount: sampleCount))
    sampleCount += count
  }

  /// Enters `count` samples of silence in place of what was lost.
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
    /// What each number in the master looks like.
    public var format: SampleFormat
    /// Numbers of a sample.
    public var channels: Int
    /// Samples a second by the device's own account, and the master's.
    public var nominalRate: Int
    /// Samples a second of the clock of the frames; `nil` where none was heard.
    public var measuredRate: Double?
    /// How much later than the first frame the master's first sample was heard.
    public var offset: Duration
    /// Samples in the master.
    public var samples: Int64
    /// What was lost, in whose place the master is silent.
    public var lost: [Loss]

    /// Samples that were lost.
    public struct Loss: Codable, Hashable, Sendable {
      /// When the first was to be heard, on the clock of the frames.
      public var time: Instant
      /// How many there are.
      public var samples: Int64

      enum CodingKeys: String, CodingKey {
        case samples
        case time = "time_ns"
      }
    }

    /// How much faster than it says the microphone is, in millionths; `nil` where it is not known.
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
  /// What `accounting` comes to in a take whose first frame was captured at `start`.
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

  /// Reads the audio of a take.
  ///
  /// - Throws: `DecodingError` where no microphone has such audio.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: CodingKeys.self)
    let format = try keys.decode(SampleFormat.self, forKey: .format)
    let channels = try keys.decode(Int.self, forKey: .channels)
    let rate = try keys.decode(Int.self, forKey: .nominalRate)
    let measured = try keys.decodeIfPresent(Double.self, forKey: .measuredRate)
    // Half and twice the rate are far beyond what any clock is off.
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

  /// Writes the audio; what is unknown is `null`.
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

/// What a take's audio is recorded from.
public struct AudioInput: Hashable, Sendable, Codable {
  /// The microphone's name, such as `hw:1,0`.
  public var device: String
  /// What it delivers, and what the master holds.
  public var format: AudioFormat

  /// The microphone `device`, which delivers `format`.
  public init(device: String, format: AudioFormat) {
    self.device = device
    self.format = format
  }
}
