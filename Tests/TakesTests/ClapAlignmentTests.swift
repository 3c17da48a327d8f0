import FrameJudge
import Media
import Testing

@testable import Takes

@Suite("Alignment by audio")
struct ClapAlignmentTests {
  private static func heard(
    _ moments: [Double], _ gain: Double, tone: Bool = false, seconds: Double = 4, _ numbers: inout SplitMix
  ) -> SourceAudio {
    let rate = 8000.0
    var samples = (0..<Int(rate * seconds)).map { _ in
      Float((Double.random(in: 0..<1, using: &numbers) - 0.5) * 0.02)
    }
    for moment in moments {
      for index in samples.indices {
        let time = Double(index) / rate - moment
        guard time >= 0, time < 0.02 else { continue }
        // A tone of 700 Hz, or one that rises.
        let phase = tone ? 700 * time : 400 * time + 40_000 * time * time
        let swing = phase.truncatingRemainder(dividingBy: 1) - 0.5
        samples[index] += Float(gain * (1 - time / 0.02) * swing)
      }
    }
    return SourceAudio(samples: samples, rate: rate)
  }

  @Test("finds a clap within a tenth of a millisecond, a tone within 3 ms, and both within its stated error")
  func clap() throws {
    var held = 0
    for seed in 1...100 {
      var numbers = SplitMix(state: UInt64(seed))
      let offset = Double.random(in: -1...1, using: &numbers)
      let clap = 1.5 + Double.random(in: 0..<1, using: &numbers)
      let isTone = seed.isMultiple(of: 2)
      let reference = Self.heard([clap], 0.8, tone: isTone, &numbers)
      let camera = Self.heard([clap - offset], 0.5, tone: isTone, &numbers)
      let estimate = try ClapAlignment.estimate(camera, on: reference)
      let error = (estimate.offset - offset * 1e9).magnitude
      #expect(error < (isTone ? 3e6 : 1e5), "seed \(seed): \(error)")
      if error <= estimate.uncertainty { held += 1 }
    }
    #expect(held >= 95)
  }

  @Test("finds a clap within a millisecond if one microphone hears echoes and noise")
  func echoes() throws {
    var held = 0
    for seed in 1...100 {
      var numbers = SplitMix(state: UInt64(seed))
      let offset = Double.random(in: -1...1, using: &numbers)
      let clap = 1.5 + Double.random(in: 0..<1, using: &numbers)
      let reference = Self.heard([clap], 0.8, &numbers)
      let clean = Self.heard([clap - offset], 0.5, &numbers)
      let echoes = (0..<4).map { _ in
        (
          delay: Int.random(in: 16...240, using: &numbers),
          part: Float.random(in: -0.5...0.5, using: &numbers)
        )
      }
      let samples = clean.samples.indices.map { index in
        let noise = Float.random(in: -0.05...0.05, using: &numbers)
        return echoes.reduce(clean.samples[index] + noise) { sum, echo in
          index >= echo.delay ? sum + echo.part * clean.samples[index - echo.delay] : sum
        }
      }
      let estimate = try ClapAlignment.estimate(
        SourceAudio(samples: samples, rate: clean.rate), on: reference)
      let error = (estimate.offset - offset * 1e9).magnitude
      #expect(error < 1e6, "seed \(seed): \(error)")
      if error <= estimate.uncertainty { held += 1 }
    }
    #expect(held >= 95)
  }

  @Test("by several claps finds the rate of the clocks, within its stated error")
  func rate() throws {
    var held = 0
    for seed in 1...60 {
      var numbers = SplitMix(state: UInt64(seed))
      let offset = Double.random(in: -0.5...0.5, using: &numbers)
      let rate = Double.random(in: -80e-6...80e-6, using: &numbers)
      let claps = [0.8, 1.7, 3.3].map { $0 + Double.random(in: -0.2...0.2, using: &numbers) }
      let reference = Self.heard(claps, 0.8, &numbers)
      // A clock that is slow counts less.
      let camera = Self.heard(claps.map { ($0 - offset) / (1 + rate) }, 0.5, &numbers)
      let estimate = try ClapAlignment.estimate(camera, on: reference)
      let bound = try #require(estimate.rateUncertainty)
      let error = (estimate.offset - offset * 1e9).magnitude
      #expect(error < 2e5 && estimate.uncertainty < 5e5, "seed \(seed): \(error), \(estimate)")
      #expect(bound < 110, "seed \(seed): \(estimate)")
      if error <= estimate.uncertainty, (estimate.rate - rate * 1e6).magnitude <= bound { held += 1 }
    }
    #expect(held >= 57)
  }

  @Test(
    "finds the very sample if both takes have the sound of one microphone", arguments: [0, 1, -5000, 7777])
  func shared(shift: Int) throws {
    for count in 1...3 {
      var numbers = SplitMix(state: UInt64(count))
      let whole = Self.heard([2, 2.9, 3.3].prefix(count).map(\.self), 0.8, seconds: 6, &numbers)
      let camera = SourceAudio(samples: Array(whole.samples[8000 + shift..<40_000 + shift]), rate: whole.rate)
      let reference = SourceAudio(samples: Array(whole.samples[8000..<40_000]), rate: whole.rate)
      let estimate = try ClapAlignment.estimate(camera, on: reference)
      #expect((estimate.offset - Double(shift) / whole.rate * 1e9).magnitude < 1, "\(count): \(estimate)")
    }
  }

  @Test("finds a clap at the very beginning and end of the audio", arguments: [0.007, 3.992])
  func edges(moment: Double) throws {
    var numbers = SplitMix(state: 7)
    let reference = Self.heard([moment], 0.8, &numbers)
    let camera = Self.heard([2], 0.5, &numbers)
    let estimate = try ClapAlignment.estimate(camera, on: reference)
    #expect((estimate.offset - (moment - 2) * 1e9).magnitude < 1e6, "\(estimate)")
  }

  @Test("does not take two noises for one if they are further apart than clocks drift until then")
  func farApart() throws {
    var numbers = SplitMix(state: 1)
    /// A loud clap, and quiet ones.
    func heard(_ moments: [Double]) -> SourceAudio {
      let loud = Self.heard([1], 0.8, seconds: 30, &numbers)
      let quiet = Self.heard(moments, 0.4, seconds: 30, &numbers)
      return SourceAudio(samples: zip(loud.samples, quiet.samples).map(+), rate: loud.rate)
    }
    // The last noise shows how long the audio is; 4 ms would be a drift of it all, but not of a second.
    let camera = heard([2, 29])
    let estimate = try ClapAlignment.estimate(camera, on: heard([2.004]))
    #expect(estimate.offset.magnitude < 1e5 && estimate.rateUncertainty == nil, "\(estimate)")
    let both = try ClapAlignment.estimate(camera, on: heard([2, 29.004]))
    #expect(both.rateUncertainty != nil && (both.rate - 4000 / 28.0).magnitude < 20, "\(both)")
  }

  @Test("is refused for silence, and for a noise that repeats")
  func refused() {
    var numbers = SplitMix(state: 1)
    let silent = SourceAudio(samples: Array(repeating: 0, count: 32_000), rate: 8000)
    let clap = Self.heard([1], 0.8, &numbers)
    #expect(throws: ClapAlignment.Failure.silent) { try ClapAlignment.estimate(silent, on: clap) }
    let ticking = Self.heard([1, 1.5, 2, 2.5, 3, 3.5], 0.8, &numbers)
    #expect(throws: ClapAlignment.Failure.repeated) { try ClapAlignment.estimate(ticking, on: ticking) }
  }
}
