import AudioModel
import Testing
import Timebase

/// Marks of a device whose clock is off, each delayed by a seeded random amount.
struct Marks {
  var rate: Double
  var start = Instant(nanoseconds: 5_000_000_000)
  /// The greatest delay of a mark, in seconds.
  var scatter = 0.0
  private var state: UInt64 = 1

  init(rate: Double, scatter: Double = 0) {
    self.rate = rate
    self.scatter = scatter
  }

  /// Returns the mark of the instant `seconds` after the start.
  mutating func mark(at seconds: Double) -> AudioMark {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let noise = Double(state >> 40) / Double(1 << 24) * scatter
    return AudioMark(
      time: start + .seconds(seconds + noise), sampleCount: Int64((seconds * rate).rounded(.down)))
  }
}

@Suite("The clock fitted to an audio device's marks")
struct AudioClockFitTests {
  @Test(
    "gives the rate and each sample's time, whatever the drift",
    arguments: [-500.0, -50, 0, 50, 500], [48_000, 44_100, 192_000])
  func exact(drift: Double, nominal: Int) throws {
    let rate = Double(nominal) * (1 + drift / 1e6)
    var marks = Marks(rate: rate)
    var fit = AudioClockFit(nominalRate: nominal)
    for step in 0...6000 { fit.enter(marks.mark(at: Double(step) / 100)) }
    #expect((fit.drift - drift).magnitude < 1)
    for seconds in [0.0, 1, 30, 60, 600] {
      let time = try #require(fit.time(of: seconds * rate))
      #expect((time - (marks.start + .seconds(seconds))) / .seconds(1) < 1e-3)
      #expect((time - (marks.start + .seconds(seconds))) / .seconds(1) > -1e-3)
      let sample = try #require(fit.sample(at: time))
      #expect((sample - seconds * rate).magnitude < 0.01)
    }
  }

  @Test("follows the marks that are least late", arguments: [0.001, 0.004, 0.020])
  func late(scatter: Double) throws {
    var marks = Marks(rate: 48_024, scatter: scatter)
    var fit = AudioClockFit(nominalRate: 48_000)
    for step in 0...12_000 { fit.enter(marks.mark(at: Double(step) / 100)) }
    #expect((fit.drift - 500).magnitude < 5)
    let error = try (#require(fit.time(of: 48_024 * 60)) - (marks.start + .seconds(60))) / .seconds(1)
    // The least late of 25 evenly distributed marks is late by a twenty-sixth of the scatter on average.
    #expect(error > -0.0001 && error < scatter / 15 + 0.0001)
  }

  @Test("states the error of its drift", arguments: [0.0005, 0.004, 0.020], [3.0, 10])
  func stated(scatter: Double, seconds: Double) {
    var marks = Marks(rate: 48_024, scatter: scatter)
    var (within, errors) = (0, [Double]())
    for _ in 0..<100 {
      var fit = AudioClockFit(nominalRate: 48_000)
      for step in 0...Int(seconds * 100) { fit.enter(marks.mark(at: Double(step) / 100)) }
      errors.append(fit.driftError)
      if (fit.drift - 500).magnitude < 3 * fit.driftError { within += 1 }
    }
    #expect(within > 90, "\(within) of 100")
    // The stated error must be small, too: over ten seconds, it adds up to less than a tenth of the scatter.
    if seconds >= 10 { #expect(errors.allSatisfy { $0 < scatter * 1e6 / 100 }) }
    #expect(AudioClockFit(nominalRate: 48_000).driftError == .infinity)
  }

  @Test("keeps its precision over three days")
  func long() throws {
    var marks = Marks(rate: 47_976)
    var fit = AudioClockFit(nominalRate: 48_000)
    for step in 0...(3 * 24 * 3600) { fit.enter(marks.mark(at: Double(step))) }
    #expect((fit.rate - 47_976).magnitude < 0.001)
    let end = 3.0 * 24 * 3600
    let error = try (#require(fit.time(of: 47_976 * end)) - (marks.start + .seconds(end))) / .seconds(1)
    #expect(error.magnitude < 1e-4)
  }

  @Test("stays close to the nominal rate until there are enough marks")
  func short() throws {
    var fit = AudioClockFit(nominalRate: 48_000)
    #expect(fit.isEmpty)
    #expect(fit.time(of: 0) == nil && fit.sample(at: Instant(nanoseconds: 0)) == nil)
    fit.enter(AudioMark(time: Instant(nanoseconds: 1_000_000_000), sampleCount: 480))
    #expect(fit.rate == 48_000)
    #expect(fit.time(of: 0) == Instant(nanoseconds: 990_000_000))
    // Two marks ten milliseconds apart, one of them half a millisecond late.
    fit.enter(AudioMark(time: Instant(nanoseconds: 1_010_500_000), sampleCount: 960))
    #expect((fit.rate - 48_000).magnitude < 48)
  }

  @Test("accepts any numbers")
  func hostile() {
    var fit = AudioClockFit(nominalRate: 0)
    for time in [Int64.min, 0, .max] {
      for count in [Int64.min, -1, 0, .max] {
        fit.enter(AudioMark(time: Instant(nanoseconds: time), sampleCount: count))
        _ = (fit.rate, fit.span, fit.time(of: .infinity), fit.time(of: .nan), fit.sample(at: .distantPast))
      }
    }
  }
}

@Suite("Missing audio samples")
struct AudioTimelineTests {
  /// Returns the verdict on each of `marks`, and the number of samples missing at the end.
  private func run(_ marks: [AudioMark]) -> (verdicts: [AudioTimeline.Verdict], missing: Int64) {
    var timeline = AudioTimeline(nominalRate: 48_000)
    return (marks.map { timeline.enter($0) }, timeline.missing)
  }

  @Test("are not reported while marks follow the clock", arguments: [-500.0, 0, 500], [0, 0.004, 0.02])
  func steady(drift: Double, scatter: Double) {
    var marks = Marks(rate: 48_000 * (1 + drift / 1e6), scatter: scatter)
    let (verdicts, missing) = run((0..<6000).map { marks.mark(at: Double($0) / 100) })
    #expect(missing == 0)
    // Some marks are waiting, but none is lost.
    #expect(!verdicts.contains { if case .lost = $0 { true } else { false } })
    #expect(scatter > 0 || !verdicts.contains(.waiting))
  }

  @Test(
    "are counted by how much later the marks are from then on",
    arguments: [-500.0, 0, 500], [0.002, 0.01, 0.1, 3])
  func hole(drift: Double, seconds: Double) throws {
    let rate = 48_000 * (1 + drift / 1e6)
    let lost = Int64((seconds * rate).rounded())
    for start in [0.3, 1, 20] {
      var source = Marks(rate: rate)
      let marks = stride(from: 0.0, to: start + 2 + seconds, by: 0.01).compactMap { time -> AudioMark? in
        if time > start, time < start + seconds { return nil }
        var mark = source.mark(at: time)
        if time > start { mark.sampleCount -= lost }
        return mark
      }
      let (verdicts, missing) = run(marks)
      #expect((missing - lost).magnitude <= Int64(4 + 0.0006 * (seconds + 1) * rate), "at \(start) s")
      let first = try #require(verdicts.firstIndex(of: .waiting))
      #expect(Double(first) * 0.01 >= start - 0.011 && Double(first) * 0.01 <= start + 0.011)
    }
  }

  @Test("are not reported for a mark that is late, along with a few after it")
  func late() {
    var source = Marks(rate: 48_000)
    let marks = (0..<1000).map { step -> AudioMark in
      var mark = source.mark(at: Double(step) / 100)
      if (500..<520).contains(step) { mark.time = mark.time + .milliseconds(200 - 10 * (step - 500)) }
      return mark
    }
    let (verdicts, missing) = run(marks)
    #expect(missing == 0)
    #expect(verdicts[500] == .waiting)
    #expect(verdicts[520] == .regular)
  }

  @Test("are not reported while a restarted device settles")
  func restart() {
    var (timeline, source) = (AudioTimeline(nominalRate: 48_000), Marks(rate: 48_000))
    for step in 0..<300 { _ = timeline.enter(source.mark(at: Double(step) / 100)) }
    timeline.noteBreak()
    #expect(timeline.enter(source.mark(at: 3)) == .waiting)
    for step in 301..<330 { _ = timeline.enter(source.mark(at: Double(step) / 100)) }
    #expect(timeline.enter(source.mark(at: 3.31)) == .regular)
    #expect(timeline.missing == 0)
  }
}
