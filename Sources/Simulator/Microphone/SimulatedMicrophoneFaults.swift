package import AudioModel
package import Timebase

/// A simulated microphone's audio format and faults; times count from its start.
package struct SimulatedMicrophoneFaults: Hashable, Sendable {
  /// The audio format that the device reports.
  package var format: AudioFormat
  /// The deviation of the actual sample rate from the reported one, in parts per million; positive if faster.
  package var drift = 0.0
  /// The times of losses that the device does not report.
  package var dropped: [Range<Duration>] = []
  /// The times of losses that the device reports as overruns.
  package var overrun: [Range<Duration>] = []
  /// The delay of delivery; reported times stay correct.
  package var delay = Duration.zero
  /// The time at which the microphone is unplugged; `nil` if never.
  package var disconnect: Duration?
  /// Whether the microphone also works beside a camera in virtual time.
  package var isInVirtualTime = false

  /// Creates a microphone without faults: 48000 Hz, stereo, 16 bits.
  package init() {
    guard let format = AudioFormat(.s16, rate: 48_000, channels: 2) else {
      preconditionFailure("it is within what devices have")
    }
    self.format = format
  }

  private enum Key: String, CaseIterable {
    case drift, drop, overrun, late, disconnect, rate, channels, format, clock
  }

  /// Reads an address: `sim:`, optionally followed by a comma and pairs, as in `sim:,drift=500ppm,late=20ms`.
  ///
  /// - Throws: `QuantityError` with the values that a pair accepts.
  package init(address text: String) throws(QuantityError) {
    self.init()
    guard text.hasPrefix(SimulatedCameraAddress.prefix) else {
      throw QuantityError(text, expected: "a simulated microphone, such as sim: or sim:,drift=500ppm")
    }
    let rest = text.dropFirst(SimulatedCameraAddress.prefix.count)
    guard !rest.isEmpty else { return }
    guard rest.first == "," else {
      throw QuantityError(text, expected: "sim: alone, or with settings after a comma: sim:,drift=500ppm")
    }
    var seen: Set<Key> = []
    for pair in rest.dropFirst().split(separator: ",", omittingEmptySubsequences: false) {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let key = Key(rawValue: String(parts[0])) else {
        let keys = Key.allCases.map { $0.rawValue + "=" }.joined(separator: ", ")
        throw QuantityError(
          String(pair), expected: "a setting of a simulated microphone; the settings are \(keys)")
      }
      guard seen.insert(key).inserted else {
        throw QuantityError(String(pair), expected: "allowed: \(key.rawValue)= can be given only once")
      }
      try set(key, to: String(parts[1]), pair)
    }
  }

  private mutating func set(_ key: Key, to value: String, _ pair: Substring) throws(QuantityError) {
    do throws(QuantityError) {
      switch key {
      case .drift: drift = try Self.millionths(value)
      case .drop: dropped = try Self.ranges(value)
      case .overrun: overrun = try Self.ranges(value)
      case .late: delay = try Duration(text: value)
      case .disconnect: disconnect = try Duration(text: value)
      case .rate: format = try self.format(rate: Int(value), value)
      case .channels: format = try self.format(channels: Int(value), value)
      case .format: format = try self.format(numbers: SampleFormat(rawValue: value), value)
      case .clock:
        guard value == "virtual" else { throw QuantityError(value, expected: "the word virtual") }
        isInVirtualTime = true
      }
    } catch {
      throw QuantityError(String(pair), expected: "\(key.rawValue)= with \(error.expectation)")
    }
  }

  private func format(rate: Int?, _ text: String) throws(QuantityError) -> AudioFormat {
    guard let rate, let format = AudioFormat(format.numbers, rate: rate, channels: format.channels) else {
      throw QuantityError(text, expected: "samples per second, from 4000 to 768000")
    }
    return format
  }

  private func format(channels: Int?, _ text: String) throws(QuantityError) -> AudioFormat {
    guard let channels, let format = AudioFormat(format.numbers, rate: format.rate, channels: channels) else {
      throw QuantityError(text, expected: "a number of channels, from 1 to 64")
    }
    return format
  }

  private func format(numbers: SampleFormat?, _ text: String) throws(QuantityError) -> AudioFormat {
    guard let numbers, let format = AudioFormat(numbers, rate: format.rate, channels: format.channels) else {
      throw QuantityError(text, expected: "s16, s24, s32 or float")
    }
    return format
  }

  private static func millionths(_ text: String) throws(QuantityError) -> Double {
    guard text.hasSuffix("ppm"), let drift = Double(text.dropLast(3)), drift.magnitude <= 10_000 else {
      throw QuantityError(text, expected: "millionths up to 10000, such as 500ppm or -500ppm")
    }
    return drift
  }

  private static func ranges(_ text: String) throws(QuantityError) -> [Range<Duration>] {
    var ranges: [Range<Duration>] = []
    for part in text.split(separator: "+", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false)
      guard ends.count == 2, let start = try? Duration(text: String(ends[0])),
        let end = try? Duration(text: String(ends[1])), start < end
      else { throw QuantityError(text, expected: "times in order, such as 1s-1.1s or 1s-1.1s+2s-2.5s") }
      ranges.append(start..<end)
    }
    return ranges
  }
}
