import Timebase

/// The settings of the detection of sudden sounds.
struct OnsetSettings: Hashable, Sendable {
  /// The decibels above the noise floor that a sound needs.
  var level = 12.0
  /// The metres from the sound to the microphone.
  var distance = 0.0
  /// The frequencies in hertz that count: where claps and shots are loud, and voices and machines are less.
  var band = 1000.0...10_000.0

  /// The speed of sound in metres per second, in air of 20 degrees.
  static let speedOfSound = 343.0

  /// The time that the sound takes to the microphone: 2.9 ms a metre.
  var flight: Duration { .seconds(distance / Self.speedOfSound) }

  private enum Key: String { case distance, band }

  /// Creates the usual settings.
  init() {}

  /// Reads a level, settings, or both: `15`, `15,distance:3m,band:2k-8k`, `distance:3m`.
  ///
  /// - Throws: `QuantityError`.
  init(text: String) throws(QuantityError) {
    var seen: Set<Key> = []
    for (place, part) in text.split(separator: ",", omittingEmptySubsequences: false).enumerated() {
      guard part.contains(":") else {
        guard place == 0 else { throw QuantityError(String(part), expected: Self.expectation) }
        level = try Self.level(text: String(part))
        continue
      }
      let pair = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let key = Key(rawValue: pair[0]), seen.insert(key).inserted else {
        throw QuantityError(String(part), expected: Self.expectation)
      }
      switch key {
      case .distance: distance = try Self.distance(text: pair[1])
      case .band: band = try Self.band(text: pair[1])
      }
    }
  }

  private static let expectation = "a level or a setting of audio, as in 12,distance:3m,band:2k-8k"

  private static func level(text: String) throws(QuantityError) -> Double {
    let number = text.hasSuffix("dB") ? text.dropLast(2) : text[...]
    guard let level = Fraction(text: number), level >= Fraction(6), level <= Fraction(80) else {
      throw QuantityError(text, expected: "a level above the noise from 6 to 80 dB, such as 12")
    }
    return level.doubleValue
  }

  private static func distance(text: String) throws(QuantityError) -> Double {
    let isCentimetres = text.hasSuffix("cm")
    guard text.hasSuffix("m"), let number = Fraction(text: text.dropLast(isCentimetres ? 2 : 1)),
      number >= Fraction(0)
    else { throw QuantityError(text, expected: "a distance such as 3m or 50cm") }
    let metres = number.doubleValue / (isCentimetres ? 100 : 1)
    guard metres <= 1000 else { throw QuantityError(text, expected: "a distance of at most 1000m") }
    return metres
  }

  private static func band(text: String) throws(QuantityError) -> ClosedRange<Double> {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { end -> Double? in
      let isThousands = end.hasSuffix("k")
      let number = Fraction(text: isThousands ? end.dropLast() : end)
      return number.map { $0.doubleValue * (isThousands ? 1000 : 1) }
    }
    guard ends.count == 2, let low = ends[0], let high = ends[1], low >= 20, high <= 100_000,
      high >= low * 1.5
    else {
      throw QuantityError(
        text, expected: "two frequencies in hertz, the second half as high again or more, such as 2k-8k")
    }
    return low...high
  }
}
