import FrameJudge
import Glibc
import Testing

@testable import Takes

/// A camera that sees flashes, with exposures that last until the next.
struct FlashedCamera {
  var interval = 1e9 / 240
  var height = 720
  /// Nanoseconds from row to row.
  var line: Double
  /// The true time of its first frame, in nanoseconds.
  var start = 0.0
  /// Parts by which its clock runs fast.
  var deviation = 0.0
  /// The rows at the top that see no flash.
  var overlay = 80

  /// Returns what the rows tell of flashes at `moments`, in true nanoseconds.
  func seen(_ moments: [Double]) -> SeenFlashes {
    let ends = moments.map { moment in
      let place = (moment - start) * (1 + deviation) / interval
      var frame = Int(place.rounded(.down))
      var row = line > 0 ? Int((place - Double(frame)) * interval / line) : height
      if row < overlay {
        // The rows that see it are those of the frame before.
        frame -= 1
        row = height
      }
      guard row < height - 1 else {
        return FlashEnd(
          lit: .init(frame: frame, row: height - 1), dark: .init(frame: frame + 1, row: overlay))
      }
      return FlashEnd(lit: .init(frame: frame, row: row), dark: .init(frame: frame, row: row + 1))
    }
    return SeenFlashes(ends, height: height, interval: interval, clockError: 0) { Double($0) * interval }
  }
}

@Suite("Alignment by flashes")
struct FlashAlignmentTests {
  /// The results for many seeds.
  private struct Outcome {
    var (held, near, rateHeld, lineHeld, lineKnown) = (0, 0, 0, 0, 0)
    var widest = 0.0
  }

  /// Aligns two cameras by `count` flashes, for each of 100 seeds.
  private func outcome(
    _ count: Int, lines: (ClosedRange<Double>, ClosedRange<Double>), deviation: Double = 0,
    every period: Double? = nil
  ) throws -> Outcome {
    var outcome = Outcome()
    for seed in 1...100 {
      var numbers = SplitMix(state: UInt64(seed))
      let (interval, height) = (1e9 / 240, 720.0)
      var reference = FlashedCamera(line: .random(in: lines.0, using: &numbers) * interval / height)
      var camera = FlashedCamera(line: .random(in: lines.1, using: &numbers) * interval / height)
      camera.start = .random(in: -50e6...50e6, using: &numbers)
      camera.deviation = deviation * Double.random(in: -1...1, using: &numbers)
      reference.deviation = 0
      let first = 100e6 + Double.random(in: 0...interval, using: &numbers)
      let moments = (0..<count).map { index in
        if let period { return first + Double(index) * period }
        return 100e6 + (Double(index) + .random(in: 0..<0.9, using: &numbers)) * 2e9 / Double(count)
      }
      let result = try FlashAlignment.estimate(camera.seen(moments), on: reference.seen(moments))
      let error = (result.estimate.offset - camera.start).magnitude
      if error <= result.estimate.uncertainty { outcome.held += 1 }
      if error < 200e3 { outcome.near += 1 }
      outcome.widest = max(outcome.widest, result.estimate.uncertainty)
      let rate = (1 / (1 + camera.deviation) - 1) * 1e6
      if let bound = result.estimate.rateUncertainty, (result.estimate.rate - rate).magnitude <= bound {
        outcome.rateHeld += 1
      }
      for (line, truth) in [(result.line, camera.line), (result.referenceLine, reference.line)] {
        guard let line else { continue }
        outcome.lineKnown += 1
        if (line - truth).magnitude <= 0.125 * interval / height { outcome.lineHeld += 1 }
      }
    }
    return outcome
  }

  @Test("by eight flashes is within 0.2 ms for rolling shutters, and finds line times and rate")
  func rolling() throws {
    let outcome = try outcome(8, lines: (0.85...0.98, 0.85...0.98), deviation: 60e-6)
    #expect(outcome.near >= 90 && outcome.held >= 95, "\(outcome)")
    #expect(outcome.rateHeld >= 90 && outcome.lineKnown >= 50, "\(outcome)")
    #expect(outcome.lineHeld >= outcome.lineKnown * 95 / 100, "\(outcome)")
  }

  @Test(
    "holds its stated uncertainty, whatever the shutters and the flashes",
    arguments: [1, 2, 3, 5, 8], [(0.3, 0.98), (0.85, 0.98), (0.0, 0.0)])
  func stated(count: Int, line: (least: Double, most: Double)) throws {
    let outcome = try outcome(count, lines: (line.least...line.most, line.least...line.most))
    #expect(outcome.held >= 95, "\(outcome)")
  }

  @Test("by one rolling and one global shutter states what the global one leaves open", arguments: [1, 3, 8])
  func mixed(count: Int) throws {
    let outcome = try outcome(count, lines: (0...0, 0.3...0.98))
    #expect(outcome.held >= 95, "\(outcome)")
  }

  @Test("of whole frames gets no better by a strobe in step with the cameras")
  func strobe() throws {
    for count in [2, 8] {
      let outcome = try outcome(count, lines: (0...0, 0...0), every: 24e9 / 240)
      #expect(outcome.held >= 95 && outcome.widest > 3e6, "\(outcome)")
    }
  }

  @Test("is refused for other numbers of flashes, and other times between them")
  func refused() {
    let camera = FlashedCamera(line: 5000)
    let seen = camera.seen([1e9, 1.31e9, 1.72e9])
    #expect(throws: FlashAlignment.Failure.counts(own: 2, other: 3)) {
      try FlashAlignment.estimate(camera.seen([1e9, 1.31e9]), on: seen)
    }
    #expect(throws: FlashAlignment.Failure.counts(own: 0, other: 0)) {
      try FlashAlignment.estimate(camera.seen([]), on: camera.seen([]))
    }
    #expect(throws: FlashAlignment.Failure.different) {
      try FlashAlignment.estimate(camera.seen([1e9, 1.41e9, 1.72e9]), on: seen)
    }
  }
}
