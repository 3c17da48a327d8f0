import Testing

@testable import Takes

/// Numbers that are the same each time.
struct SeededNumbers {
  private var state: UInt64

  init(_ seed: Int) {
    state = UInt64(seed) &* 0x9e37_79b9_7f4a_7c15 | 1
    for _ in 0..<10 { _ = next() }
  }

  /// The next number, from 0 to 1.
  mutating func next() -> Double {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Double(state >> 11) / 9_007_199_254_740_992
  }
}

@Suite("The clock behind a take's timestamps")
struct FrameClockFitTests {
  @Test("is found within 50 us despite late timestamps, lost frames and clocks that run off")
  func seeds() throws {
    var held = 0
    for seed in 1...100 {
      var numbers = SeededNumbers(seed)
      func fit(_ start: Double, _ deviation: Double, _ jitter: Double) throws -> (FrameClockFit, Double) {
        var (sequences, stamps): ([Int64], [Int64]) = ([], [])
        let interval = 1e9 / 240 / (1 + deviation * 1e-6)
        for number in 0..<4800 where number == 0 || numbers.next() > 0.01 {
          sequences.append(Int64(number))
          stamps.append(Int64(start + Double(number) * interval + jitter * numbers.next()))
        }
        return (try #require(FrameClockFit(sequences: sequences, timestamps: stamps)), Double(stamps[0]))
      }
      let phase = numbers.next() * 4e6
      let deviations = ((numbers.next() - 0.5) * 600, (numbers.next() - 0.5) * 600)
      let (one, oneStart) = try fit(1e12, deviations.0, 1e6)
      let (other, otherStart) = try fit(1e12 + phase, deviations.1, seed.isMultiple(of: 2) ? 1e6 : 0)
      let error = (otherStart + other.first - oneStart - one.first - phase).magnitude
      #expect(error < 50_000, "seed \(seed)")
      let bound = one.uncertainty * one.uncertainty + other.uncertainty * other.uncertainty
      if error <= bound.squareRoot() { held += 1 }
    }
    #expect(held >= 95)
  }

  @Test("is unknown for too few frames, numbers that do not rise, and a camera that paused")
  func unknown() {
    #expect(FrameClockFit(sequences: [0, 1], timestamps: [0, 10]) == nil)
    #expect(FrameClockFit(sequences: [0, 2, 1], timestamps: [0, 10, 20]) == nil)
    let pause = (0..<100).map { Int64($0) * 10_000_000 + ($0 >= 50 ? 500_000_000 : 0) }
    #expect(FrameClockFit(sequences: (0..<100).map { Int64($0) }, timestamps: pause) == nil)
  }
}

@Suite("Alignment by audio")
struct ClapAlignmentTests {
  private static func heard(
    _ moments: [Double], _ gain: Double, tone: Bool = false, _ numbers: inout SeededNumbers
  ) -> HeardAudio {
    let rate = 8000.0
    var samples = (0..<Int(rate * 4)).map { _ in Float((numbers.next() - 0.5) * 0.02) }
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
    return HeardAudio(samples: samples, rate: rate)
  }

  @Test("finds a clap within a tenth of a millisecond, and a tone within its stated error")
  func clap() throws {
    for seed in 1...20 {
      var numbers = SeededNumbers(seed)
      let offset = (numbers.next() - 0.5) * 2
      let clap = 1.5 + numbers.next()
      let isTone = seed.isMultiple(of: 2)
      let reference = Self.heard([clap], 0.8, tone: isTone, &numbers)
      let camera = Self.heard([clap - offset], 0.5, tone: isTone, &numbers)
      let estimate = try ClapAlignment.estimate(camera, on: reference)
      let error = (estimate.offset - offset * 1e9).magnitude
      #expect(error < (isTone ? 3e6 : 1e5) && error <= estimate.uncertainty, "seed \(seed): \(error)")
    }
  }

  @Test("is refused for silence, and for a noise that repeats")
  func refused() {
    var numbers = SeededNumbers(1)
    let silent = HeardAudio(samples: Array(repeating: 0, count: 32_000), rate: 8000)
    let clap = Self.heard([1], 0.8, &numbers)
    #expect(throws: ClapAlignment.Failure.silent) { try ClapAlignment.estimate(silent, on: clap) }
    let ticking = Self.heard([1, 1.5, 2, 2.5, 3, 3.5], 0.8, &numbers)
    #expect(throws: ClapAlignment.Failure.repeated) { try ClapAlignment.estimate(ticking, on: ticking) }
  }
}

@Suite("Estimates of several methods")
struct OffsetEstimateTests {
  @Test("are weighted if they agree, and the most direct one counts if they do not")
  func fused() throws {
    let clap = OffsetEstimate(.clap, offset: 3_000_000, uncertainty: 100_000)
    let near = OffsetEstimate(.stamps, offset: 3_050_000, uncertainty: 100_000)
    let (joint, methods) = try #require(OffsetEstimate.fused([near, clap]))
    #expect(methods == [.clap, .stamps])
    #expect(joint.offset == 3_025_000 && joint.method == .clap)
    #expect(joint.uncertainty > 70_000 && joint.uncertainty < 71_000)
    let far = OffsetEstimate(.stamps, offset: 10_000_000, uncertainty: 20_000)
    let (best, only) = try #require(OffsetEstimate.fused([far, clap]))
    #expect(best == clap && only == [.clap])
    #expect(OffsetEstimate.fused([]) == nil)
  }
}
