import FrameJudge
import Testing

@testable import Takes

@Suite("The clock behind a take's timestamps")
struct FrameClockFitTests {
  @Test(
    "is found within 50 us, and its rate within 2 ppm, despite late timestamps, lost frames and clocks that run off"
  )
  func seeds() throws {
    var (held, rateHeld) = (0, 0)
    for seed in 1...100 {
      var numbers = SplitMix(state: UInt64(seed))
      func fit(_ start: Double, _ deviation: Double, _ jitter: Double) throws -> (FrameClockFit, Double) {
        var (sequences, stamps): ([Int64], [Int64]) = ([], [])
        let interval = 1e9 / 240 / (1 + deviation * 1e-6)
        for number in 0..<4800 where number == 0 || Double.random(in: 0..<1, using: &numbers) > 0.01 {
          sequences.append(Int64(number))
          stamps.append(
            Int64(start + Double(number) * interval + jitter * Double.random(in: 0..<1, using: &numbers)))
        }
        let fit = try #require(FrameClockFit(sequences: sequences, timestamps: stamps))
        let rateError = (fit.interval / interval - 1).magnitude * 1e6
        #expect(rateError < 2, "seed \(seed)")
        if rateError <= fit.rateUncertainty { rateHeld += 1 }
        return (fit, Double(stamps[0]))
      }
      let phase = Double.random(in: 0..<1, using: &numbers) * 4e6
      let deviations = (
        (Double.random(in: 0..<1, using: &numbers) - 0.5) * 600,
        (Double.random(in: 0..<1, using: &numbers) - 0.5) * 600
      )
      let (one, oneStart) = try fit(1e12, deviations.0, 1e6)
      let (other, otherStart) = try fit(1e12 + phase, deviations.1, seed.isMultiple(of: 2) ? 1e6 : 0)
      let error = (otherStart + other.first - oneStart - one.first - phase).magnitude
      #expect(error < 50_000, "seed \(seed)")
      let bound = one.uncertainty * one.uncertainty + other.uncertainty * other.uncertainty
      if error <= bound.squareRoot() { held += 1 }
    }
    #expect(held >= 95 && rateHeld >= 190)
  }

  @Test("is unknown for too few frames, numbers that do not rise, and a camera that paused")
  func unknown() {
    #expect(FrameClockFit(sequences: [0, 1], timestamps: [0, 10]) == nil)
    #expect(FrameClockFit(sequences: [0, 2, 1], timestamps: [0, 10, 20]) == nil)
    let pause = (0..<100).map { Int64($0) * 10_000_000 + ($0 >= 50 ? 500_000_000 : 0) }
    #expect(FrameClockFit(sequences: (0..<100).map { Int64($0) }, timestamps: pause) == nil)
    let short = (0..<100).map { Int64($0) * 10_000_000 + ($0 >= 50 ? 15_000_000 : 0) }
    #expect(FrameClockFit(sequences: (0..<100).map { Int64($0) }, timestamps: short) == nil)
  }
}
