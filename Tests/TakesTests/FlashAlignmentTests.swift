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
  ///
  /// - Parameter clock: the clock of its timestamps; `nil` for one without errors.
  func seen(_ moments: [Double], by clock: FrameClockFit? = nil) -> SeenFlashes {
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
    let counted = clock?.interval ?? interval
    return SeenFlashes(
      ends, height: height, interval: counted, clockError: clock?.uncertainty ?? 0,
      rateError: clock?.rateUncertainty ?? 0
    ) { Double($0) * counted }
  }
}

@Suite("Alignment by flashes")
struct FlashAlignmentTests {
  /// The results for many seeds.
  private struct Outcome {
    var (held, near, rateHeld, lineHeld, lineKnown) = (0, 0, 0, 0, 0)
    var widest = 0.0
  }

  /// The seeds of each outcome.
  private static let seedCount = 60

  /// Aligns two cameras by `count` flashes, for each of the seeds.
  private func outcome(
    _ count: Int, lines: (ClosedRange<Double>, ClosedRange<Double>), deviation: Double = 0,
    every period: Double? = nil
  ) throws -> Outcome {
    var outcome = Outcome()
    for seed in 1...Self.seedCount {
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

  /// Whether so many of the seeds are at least `part` of 100.
  private static func isShare(_ count: Int, _ part: Int) -> Bool { count * 100 >= part * seedCount }

  @Test(
    "is within 0.2 ms for rolling shutters, and finds line times and rate",
    arguments: [(3, 60), (5, 85), (8, 95)])
  func rolling(count: Int, near: Int) throws {
    let outcome = try outcome(count, lines: (0.85...0.98, 0.85...0.98), deviation: 60e-6)
    #expect(Self.isShare(outcome.near, near) && Self.isShare(outcome.held, 95), "\(outcome)")
    #expect(Self.isShare(outcome.rateHeld, 95), "\(outcome)")
    #expect(outcome.lineHeld >= outcome.lineKnown * 95 / 100, "\(outcome)")
    if count == 8 { #expect(Self.isShare(outcome.lineKnown, 50), "\(outcome)") }
  }

  @Test(
    "holds its stated uncertainty, whatever the shutters and the flashes",
    arguments: [1, 2, 3, 5, 8], [(0.3, 0.98), (0.85, 0.98), (0.0, 0.0)])
  func stated(count: Int, line: (least: Double, most: Double)) throws {
    let outcome = try outcome(count, lines: (line.least...line.most, line.least...line.most))
    #expect(Self.isShare(outcome.held, 95), "\(outcome)")
  }

  @Test("by one rolling and one global shutter states what the global one leaves open", arguments: [1, 3, 8])
  func mixed(count: Int) throws {
    let outcome = try outcome(count, lines: (0...0, 0.3...0.98))
    #expect(Self.isShare(outcome.held, 95), "\(outcome)")
  }

  @Test("of whole frames gets no better by a strobe in step with the cameras")
  func strobe() throws {
    for count in [2, 8] {
      let outcome = try outcome(count, lines: (0...0, 0...0), every: 24e9 / 240)
      #expect(Self.isShare(outcome.held, 95) && outcome.widest > 3e6, "\(outcome)")
    }
  }

  @Test("counts the error of a clock whose timestamps are late at random")
  func unsteady() throws {
    var (held, rateHeld) = (0, 0)
    for seed in 1...Self.seedCount {
      var numbers = SplitMix(state: UInt64(seed))
      let moments = (0..<5).map { 100e6 + (Double($0) + .random(in: 0..<0.9, using: &numbers)) * 0.4e9 }
      let starts = (0...1).map { _ in Double.random(in: 0...4e6, using: &numbers) }
      var cameras = starts.map { FlashedCamera(line: 5000, start: $0) }
      cameras[1].deviation = .random(in: -60e-6...60e-6, using: &numbers)
      let seen = try cameras.map { camera in
        let stamps = (0..<560).map {
          Int64(Double($0) * camera.interval + .random(in: 0...1e6, using: &numbers))
        }
        let fit = try #require(FrameClockFit(sequences: stamps.indices.map(Int64.init), timestamps: stamps))
        return camera.seen(moments, by: fit)
      }
      let estimate = try FlashAlignment.estimate(seen[1], on: seen[0]).estimate
      if (estimate.offset - cameras[1].start + cameras[0].start).magnitude <= estimate.uncertainty {
        held += 1
      }
      let (rate, bound) = (1e6 / (1 + cameras[1].deviation) - 1e6, try #require(estimate.rateUncertainty))
      if (estimate.rate - rate).magnitude <= bound { rateHeld += 1 }
    }
    #expect(Self.isShare(held, 95) && Self.isShare(rateHeld, 95), "\(held), \(rateHeld)")
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
