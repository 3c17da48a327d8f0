import AudioModel
import FrameJudge
import Glibc
import Testing
import Timebase

@testable import Capture

@Suite("The detector of sudden sounds")
struct OnsetDetectorTests {
  private static let rate = 48_000

  private func amplitude(_ decibels: Double) -> Double { pow(10, decibels / 20) }

  /// Samples of noise with this RMS level.
  private func noise(_ seconds: Double, _ decibels: Double, seed: UInt64 = 1, rate: Int = rate) -> [Double] {
    var random = SplitMix(state: seed)
    // A uniform distribution from -a to a has an RMS level of a / sqrt(3).
    let reach = amplitude(decibels) * 3.0.squareRoot()
    return (0..<Int(clamping: (seconds * Double(rate)).rounded())).map { _ in reach * random.signed }
  }

  private func onsets(
    _ samples: [Double], level: Double = OnsetSettings().level, rate: Int = rate, channels: Int = 1
  ) -> [Int64] {
    var detector = OnsetDetector(level: level, band: OnsetSettings().band, rate: rate, channels: channels)
    var onsets: [Int64] = []
    // The detector hears blocks of any size.
    var (start, size) = (0, 1)
    while start < samples.count / channels {
      let count = min(size, samples.count / channels - start)
      onsets += detector.hear(count, from: Int64(start)) { samples[start * channels + $0] }
      start += count
      size = size % 700 + 101
    }
    return onsets
  }

  /// Adds the click of the simulated microphone: 5 ms of 2 kHz at -6 dBFS.
  private func addClick(_ samples: inout [Double], at place: Int, rate: Int = rate) {
    for index in 0..<rate / 200 {
      samples[place + index] += amplitude(-6) * sin(2 * .pi * 2000 * Double(index) / Double(rate))
    }
  }

  @Test(
    "finds each of 100 clicks within a millisecond, also 11 dB above the noise",
    arguments: [
      (-60, 48_000), (-26, 48_000), (-20, 48_000), (-26, 16_000), (-26, 44_100), (-20, 96_000),
    ] as [(Double, Int)])
  func clicks(_ decibels: Double, _ rate: Int) {
    var samples = noise(37, decibels, rate: rate)
    var random = SplitMix(state: 7)
    let places = (0..<100).map { number in
      rate + number * rate * 35 / 100 + Int(clamping: random.signed.magnitude * Double(rate) / 20)
    }
    for place in places { addClick(&samples, at: place, rate: rate) }
    let found = onsets(samples, rate: rate)
    #expect(found.count == 100)
    for (onset, place) in zip(found, places) {
      let error = Double(onset - Int64(place)) / Double(rate)
      #expect(error.magnitude < 0.001, "\(error * 1000) ms")
    }
  }

  /// The samples a second, and the seconds: ten minutes in all at the lower rate, which takes less time.
  private static let spans = [(rate, 40.0), (16_000, 200)]

  @Test("hears no click in noise, steady or swelling", arguments: spans)
  func noises(_ rate: Int, _ seconds: Double) {
    var samples = noise(seconds / 2, -30, rate: rate)
    #expect(onsets(samples, rate: rate) == [])
    for index in samples.indices { samples[index] *= 1 + 0.9 * sin(.pi * Double(index) / Double(rate)) }
    #expect(onsets(samples, rate: rate) == [])
    #expect(onsets(Array(repeating: 0, count: 10 * rate), rate: rate) == [])
    // The steps of a converter alone are not noise.
    #expect(onsets(noise(10, -90, rate: rate), rate: rate) == [])
  }

  @Test("hears no click in syllables with formants, which rise from pulse to pulse", arguments: spans)
  func speech(_ rate: Int, _ seconds: Double) {
    let rates = Double(rate)
    var random = SplitMix(state: 3)
    var samples = noise(seconds, -60, rate: rate)
    var start = rate
    while start < samples.count - rate {
      let length = Int(clamping: (0.18 + 0.1 * random.signed) * rates)
      let pitch = 150 + 60 * random.signed
      let formants = [650 + 150 * random.signed, 1500 + 500 * random.signed, 2700 + 300 * random.signed]
      let rise = (0.045 + 0.015 * random.signed) * rates
      let volume = amplitude(-28 + 6 * random.signed)
      let isVoiced = random.signed > -0.5
      let decay = exp(-.pi * 90 / rates)
      let swings = formants.map { 2 * decay * cos(2 * .pi * $0 / rates) }
      var (last, before, phase) = ([0.0, 0, 0], [0.0, 0, 0], 0.0)
      for index in 0..<length {
        phase += pitch / rates
        let excitation = isVoiced ? (phase >= 1 ? 1 : 0) : 0.1 * random.signed
        if phase >= 1 { phase -= 1 }
        var value = 0.0
        for (number, swing) in swings.enumerated() {
          let next = excitation + swing * last[number] - decay * decay * before[number]
          (last[number], before[number]) = (next, last[number])
          value += next / Double(number + 1)
        }
        let envelope = min(1, Double(index) / rise) * min(1, Double(length - index) / (rates / 20))
        samples[start + index] += volume * value * envelope
      }
      start += length + (random.signed > 0.6 ? rate * 5 / 12 : rate / 24)
    }
    #expect(onsets(samples, rate: rate) == [])
  }

  @Test("hears no click in chords whose notes take 15 ms to rise", arguments: spans)
  func music(_ rate: Int, _ seconds: Double) {
    let rates = Double(rate)
    var random = SplitMix(state: 5)
    var samples = noise(seconds, -60, rate: rate)
    var start = rate
    while start < samples.count - 2 * rate {
      for _ in 0..<3 {
        let pitch = 110 * pow(2, (18 + 18 * random.signed).rounded() / 12)
        let volume = amplitude(-24 + 5 * random.signed)
        let length = Int(clamping: (0.7 + 0.5 * random.signed) * rates)
        for index in 0..<length {
          let time = Double(index) / rates
          // Six harmonics, each from the two before it.
          let angle = 2 * .pi * pitch * time
          let double = 2 * cos(angle)
          var (before, tone, tones) = (0.0, sin(angle), 0.0)
          for harmonic in 1...6 {
            tones += tone / Double(harmonic)
            (before, tone) = (tone, double * tone - before)
          }
          let envelope = min(1, time / 0.015) * exp(-3 * Double(index) / Double(length))
          samples[start + index] += volume * tones * envelope * min(1, Double(length - index) / (rates / 24))
        }
      }
      start += Int(clamping: (0.25 + 0.15 * random.signed) * rates)
    }
    #expect(onsets(samples, rate: rate) == [])
  }

  @Test("hears one sound and not its echoes, and the next one after a quarter of a second")
  func echoes() {
    var samples = noise(4, -60)
    for (place, decibels) in [(60_000, -6.0), (62_000, -12), (64_000, -18), (80_000, -6)] {
      var random = SplitMix(state: 9)
      for index in 0..<2400 {
        samples[place + index] += amplitude(decibels) * random.signed * exp(-Double(index) / 400)
      }
    }
    let found = onsets(samples)
    #expect(found.count == 2)
    #expect(found.first.map { ($0 - 60_000).magnitude < 48 } == true)
    #expect(found.last.map { ($0 - 80_000).magnitude < 48 } == true)
  }

  @Test("hears a sound in one channel of several, and only as loud as its level asks")
  func levels() {
    var samples = noise(4, -40)
    addClick(&samples, at: 100_000)
    let stereo = zip(samples, noise(4, -40, seed: 2)).flatMap { [$0, $1] }
    #expect(onsets(stereo, channels: 2).count == 1)
    #expect(onsets(samples, level: 25).count == 1)
    #expect(onsets(samples, level: 45) == [])
  }

  @Test("hears no click where samples are missing, and neither in numbers that are none")
  func missing() {
    var detector = OnsetDetector(level: 12, band: 1000...10_000, rate: Self.rate, channels: 1)
    let tone = (0..<4 * Self.rate).map { 0.3 * sin(2 * .pi * 3000 * Double($0) / Double(Self.rate)) }
    var found: [Int64] = []
    for start in stride(from: 0, to: tone.count, by: 4800) {
      // Each block is as far from the next as half a period of the tone and more.
      let position = Int64(start) + Int64(start / 4800) * 56
      found += detector.hear(4800, from: position) { tone[start + $0] }
    }
    #expect(detector.isReady && found == [])
    found += detector.hear(9600, from: 1 << 40) { $0 == 100 ? .nan : $0 == 5000 ? .infinity : 0 }
    #expect(found == [])
  }

  @Test(
    "reads its settings",
    arguments: [
      ("audio", 12, 0, 1000, 10_000), ("audio=20", 20, 0, 1000, 10_000),
      ("audio=15.5dB", 15.5, 0, 1000, 10_000),
      ("audio=9,distance:3m,band:2k-8k", 9, 3, 2000, 8000), ("audio=distance:50cm", 12, 0.5, 1000, 10_000),
      ("audio=band:300-1.2k", 12, 0, 300, 1200),
    ] as [(String, Double, Double, Double, Double)])
  func settings(_ text: String, _ level: Double, _ distance: Double, _ low: Double, _ high: Double) throws {
    let source = try #require(try TriggerSources.source(text) as? AudioTrigger)
    #expect(source.settings.level == level && source.settings.distance == distance)
    #expect(source.settings.band == low...high)
    #expect(source.description == text && source.needsMicrophone)
  }

  @Test("takes 2.9 ms a metre off")
  func flight() throws {
    let flight = try OnsetSettings(text: "distance:10m").flight
    #expect(flight > .milliseconds(29) && flight < .milliseconds(29.3))
    #expect(OnsetSettings().flight == .zero)
  }

  @Test(
    "refuses other settings",
    arguments: [
      "audio=", "audio=loud", "audio=5", "audio=81", "audio=-20dBFS", "audio=12,9", "audio=12,", "audio=nan",
      "audio=distance:3", "audio=distance:-1m", "audio=distance:2000m", "audio=band:2k", "audio=band:8k-2k",
      "audio=band:1-5", "audio=band:2k-8k,band:2k-8k", "audio=pitch:1",
    ])
  func refuses(_ text: String) { #expect(throws: QuantityError.self) { try TriggerSources.source(text) } }
}

extension SplitMix {
  /// The next number from -1 to 1.
  fileprivate var signed: Double { mutating get { Double.random(in: -1...1, using: &self) } }
}
