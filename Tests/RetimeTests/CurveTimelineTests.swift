import FrameJudge
import Testing
import Timebase

@testable import Retime

@Suite struct CurveTimelineTests {
  let camera = Fraction(1, 240)
  let thirty = FrameRate(whole: 30)

  func timeline(
    _ frames: [FrameTiming], _ text: String, fill: Fill = .hold, span: ClipSpan = .whole,
    rate: FrameRate = FrameRate(whole: 30)
  ) throws -> Timeline {
    Timeline(
      frames, nominalInterval: camera, speed: try SpeedCurve(text: text), outputRate: rate, fill: fill,
      span: span)
  }

  @Test func rampShowsEachFrameWhenItsTimeComes() throws {
    // Real time for a second, a ramp of a second to 1/8, and constant from there.
    let timeline = try timeline(video(720, at: Fraction(240)), "1s:1, 2s:1/8")
    let shown = timeline.shown
    #expect(shown.prefix(30).elementsEqual((0..<30).map { $0 * 8 }))
    // The ramp takes ln(8) * 8/7 = 2.3765 s, which is 71.3 frames, and then each frame is the next one.
    #expect(timeline.outputFrameCount == 341)
    #expect(shown.suffix(238).elementsEqual(482..<720) || shown.suffix(238).elementsEqual(481..<719))
    let steps = zip(shown, shown.dropFirst()).map { $1 - $0 }
    #expect(steps.allSatisfy { (0...8).contains($0) })
    #expect(steps[31..<100].first ?? 0 > steps[31..<100].last ?? 0)
  }

  /// Two frames at high speed are closer together than a slow one may appear early.
  @Test func framesStayInOrderWhereTheClipSlowsDownAtOnce() throws {
    let frames = video(40, at: Fraction(40))
    for text in ["0:82, .099s:1", "0s:100, 25ms:100, 25ms:1/100", "0s:40, ease 80ms:1/8"] {
      for fill in [Fill.hold, .blend, .skip] {
        let shown = try timeline(frames, text, fill: fill).shown
        #expect(zip(shown, shown.dropFirst()).allSatisfy { $0 <= $1 }, "\(text): \(shown)")
      }
    }
  }

  /// Cameras claim such intervals, and damaged takes have such times.
  @Test(arguments: ["1/8", "0s:1/10000, 1s:100", "0s:1, 168h:1/10000, 168h:freeze 168h"])
  func anyTimesAndIntervalsMakeAClip(text: String) throws {
    let numbers: [Int64] = [0, 1, 1 << 29, 1 << 32, .max - 1, .max]
    for times in [
      numbers, Array(numbers.reversed()), Array(repeating: 5, count: 6), [.min, .max, 0, 1, 2, 3],
    ] {
      let frames = zip(numbers, times).map {
        FrameTiming(sequence: $0, timestamp: Instant(nanoseconds: $1))
      }
      for interval in [
        Fraction(4_294_967_295), Fraction(1, 4_294_967_295), Fraction(1 << 62), Fraction(.min),
      ] {
        let timeline = Timeline(
          frames, nominalInterval: interval, lastInterval: interval, speed: try SpeedCurve(text: text),
          outputRate: thirty, span: ClipSpan(start: .nanoseconds(Int64.max - 1), end: .nanoseconds(Int64.max))
        )
        #expect(timeline.capturedFrameCount == 6)
        #expect(timeline.outputFrames(showing: 0).lowerBound == 0)
      }
    }
  }

  @Test func freezeHoldsTheFrameOfItsMoment() throws {
    let timeline = try timeline(video(480, at: Fraction(240)), "0s:1/8, 0.5s:freeze 1s")
    #expect(timeline.outputFrameCount == 480 + 30)
    #expect(timeline.shown == Array(0..<120) + Array(repeating: 120, count: 30) + Array(120..<480))
  }

  @Test(arguments: [Fill.hold, .blend, .skip])
  func partIsCutWhereItShouldBe(fill: Fill) throws {
    let frames = video(480, at: Fraction(240))
    let span = ClipSpan(start: .milliseconds(500), end: .seconds(1))
    #expect(try timeline(frames, "1/8", fill: fill, span: span).shown == Array(120..<240))
    let curve = try timeline(frames, "0s:1/8, 0.6s:1/8, 0.6s:1/16", fill: fill, span: span)
    #expect(curve.shown == Array(120..<144) + (288..<480).map { $0 / 2 })
    let nothing = Timeline(
      frames, nominalInterval: camera, speed: nil, outputRate: thirty, fill: fill, span: span)
    #expect(nothing.shown == Array(120..<240))
  }

  @Test(arguments: Fill.allCases)
  func partIsAsLongAsItShouldBeHoweverSlow(fill: Fill) throws {
    let span = ClipSpan(start: .zero, end: .milliseconds(1))
    let timeline = try timeline(video(480, at: Fraction(240)), "1/10000", fill: fill, span: span)
    #expect(timeline.outputFrameCount == 300)
  }

  @Test func lostFramesAreHeldSkippedOrFadedOver() throws {
    let frames = video(12, at: Fraction(240), losing: [3, 4, 5, 9])
    for text in ["1/8", "0s:1/8, 1s:1/8, 1s:1/2"] {
      #expect(try timeline(frames, text).shown == [0, 1, 2, 2, 2, 2, 3, 4, 5, 5, 6, 7])
      #expect(try timeline(frames, text, fill: .skip).shown == Array(0..<8))
      let blend = try timeline(frames, text, fill: .blend)
      #expect(blend.shown == [0, 1, 2, 2, 2, 2, 3, 4, 5, 5, 6, 7])
      #expect((0..<12).map { blend.share(ofNextIn: $0) } == [0, 0, 0, 64, 128, 192, 0, 0, 0, 128, 0, 0])
    }
    let unnumbered = frames.map { FrameTiming(timestamp: $0.timestamp) }
    #expect(try timeline(unnumbered, "1/8", fill: .skip).shown == Array(0..<8))
    let once = Timeline(frames, nominalInterval: camera, speed: nil, outputRate: thirty, fill: .skip)
    #expect(once.shown == Array(0..<8))
  }

  @Test func slowSourceIsFadedBetweenItsFrames() throws {
    let blend = try timeline(video(4, at: Fraction(240)), "1/32", fill: .blend)
    #expect(blend.shown == [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3])
    #expect((0..<8).map { blend.share(ofNextIn: $0) } == [0, 64, 128, 192, 0, 64, 128, 192])
    #expect((12..<16).allSatisfy { blend.share(ofNextIn: $0) == 0 })
    #expect(blend.shownFrameCount == 4)
  }

  @Test func frameNearItsPlaceIsShownAloneByFlow() throws {
    // 25 fps in a file of whole milliseconds, one of them rounded, at half the speed.
    let times: [Int64] = [0, 41, 79, 120, 160]
    let frames = times.map { FrameTiming(timestamp: Instant(nanoseconds: $0 * 1_000_000)) }
    let flow = Timeline(
      frames, speed: try SpeedCurve(text: "0s:1/2, 10s:0.5"), outputRate: FrameRate(whole: 25), fill: .flow)
    let shares = (0..<8).map { flow.share(ofNextIn: $0) }
    #expect(stride(from: 0, to: 8, by: 2).allSatisfy { shares[$0] == 0 }, "\(shares)")
    #expect(stride(from: 1, to: 8, by: 2).allSatisfy { (118...138).contains(shares[$0]) }, "\(shares)")
    #expect((0..<8).map { flow[$0] } == [0, 0, 1, 1, 2, 2, 3, 3])
  }

  @Test func fadingStandsStillInAFreeze() throws {
    let blend = try timeline(video(4, at: Fraction(240)), "0s:1/16, 4ms:freeze 100ms", fill: .blend)
    // Frame 0 is held for three more output frames.
    #expect(blend.shown.prefix(6) == [0, 0, 0, 0, 0, 1])
    #expect((0..<6).map { blend.share(ofNextIn: $0) } == [0, 0, 0, 0, 128, 0])
  }

  @Test(arguments: [UInt64](1...60))
  func anySourceAlongAnyCurveKeepsOrderAndTime(seed: UInt64) throws {
    var generator = SplitMix(state: seed)
    let curve = try randomCurve(using: &generator)
    let count = Int.random(in: 2...200, using: &generator)
    let lost = Set((1..<Int64(count) - 1).filter { _ in UInt8.random(in: 0..<8, using: &generator) == 0 })
    let framesPerSecond = Fraction(
      Int64.random(in: 30_000...480_000, using: &generator),
      [1000, 1001].randomElement(using: &generator) ?? 1)
    let frames = video(
      count, at: framesPerSecond, jitter: Int64.random(in: 0...20_000_000, using: &generator), losing: lost,
      seed: seed)
    let rate = try #require(
      [try rate(30), try rate(60), try rate(30_000, 1001)].randomElement(using: &generator))
    let fill = try #require(Fill.allCases.randomElement(using: &generator))
    let timeline = Timeline(frames, speed: curve, outputRate: rate, fill: fill)

    // Every output frame shows exactly one captured frame, in the order they were captured.
    let runs = frames.indices.map { timeline.outputFrames(showing: $0) }
    #expect(runs.first?.lowerBound == 0)
    #expect(runs.last?.upperBound == timeline.outputFrameCount)
    #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })

    // The clip lasts as long as the curve stretches the source, to one output frame.
    let cadence = CaptureCadence(frames, nominalInterval: nil)
    let integral = SpeedIntegral(curve)
    let interval = try #require(cadence.interval)
    let stay = SpeedIntegral.moment(interval)
    let step = cadence.gridInterval == nil ? SpeedIntegral.moment(cadence.usualStep) : stay
    let times = frames.indices.map { SpeedIntegral.moment(cadence.captureTime($0)) }
    let whole = integral((times.last ?? 0) + stay)
    let skipped = frames.indices.dropFirst().filter { fill == .skip && cadence.gaps[$0] }.map {
      let gapStart = integral.flowing(times[$0 - 1] + step) + integral.frozen(before: times[$0])
      return max(0, integral(times[$0]) - gapStart)
    }.reduce(0, +)
    let expected = Double(whole - skipped) / 0x1p60
    #expect(
      abs(timeline.duration.doubleValue - expected) <= rate.interval.doubleValue * 1.001
        || timeline.outputFrameCount == 1)

    // A held frame is at most half an output frame early, and never late by more than one.
    if fill == .hold {
      for index in frames.indices where !runs[index].isEmpty {
        let place = Double(integral(times[index])) / 0x1p60 * rate.framesPerSecond.doubleValue
        #expect(
          Double(runs[index].lowerBound) >= place - 0.501 && Double(runs[index].lowerBound) < place + 1.001)
      }
    }

    // While a frame fades, the share of the next only increases; if it is 0, the next is not decoded.
    for run in runs {
      let shares = run.map { timeline.share(ofNextIn: $0) }
      #expect(
        zip(shares, shares.dropFirst()).allSatisfy { $0 <= $1 }
          && shares.allSatisfy { (0..<256).contains($0) })
      if !fill.isInterpolated { #expect(shares.allSatisfy { $0 == 0 }) }
    }
  }

  @Test func constantCurveIsTheConstantSpeed() throws {
    let frames = video(300, at: Fraction(240_000, 1001), jitter: 400_000, losing: [7, 100])
    for text in ["0s:3/7, 2s:3/7", "5s:3/7"] {
      #expect(try timeline(frames, text).shown == timeline(frames, "3/7").shown)
    }
  }

  @Test func hugeAndTinyCurvesAreSurvived() throws {
    let frames = [0, 1 << 50 - 1].map { FrameTiming(timestamp: Instant(nanoseconds: $0)) }
    for text in [
      "0s:1/10000, 168h:100", "0s:100, ease 168h:1/10000", "0s:1/10000, 1s:freeze 168h, 2s:1/5000",
    ] {
      for fill in Fill.allCases {
        let timeline = Timeline(
          frames, speed: try SpeedCurve(text: text), outputRate: try rate(2_147_483_647, 2_147_483_629),
          fill: fill,
          span: ClipSpan(start: .nanoseconds(5), end: SpeedCurve.longest))
        #expect(timeline.outputFrameCount >= 1)
      }
    }
  }

  /// Output frames are 40 ms apart, and captured ones have twice their time in the clip.
  private func flow(_ microseconds: [Int64], _ text: String) throws -> Timeline {
    Timeline(
      microseconds.map { FrameTiming(timestamp: Instant(nanoseconds: $0 * 1000)) },
      speed: try SpeedCurve(text: text), outputRate: FrameRate(whole: 25), fill: .flow)
  }

  @Test(arguments: ["1/2", "0s:1/2, 10s:1/2, 10s:1"])
  func frameIsShownAloneForAnEighthOfAnOutputFrameByFlow(text: String) throws {
    // In the clip, the second comes 4.8 ms, and then 5.2 ms, before the third output frame.
    let near = try flow([0, 37_600, 80_000, 120_000], text)
    #expect(near[2] == 1 && near.share(ofNextIn: 2) == 0)
    let far = try flow([0, 37_400, 80_000, 120_000], text)
    #expect(far[2] == 1 && (1...32).contains(far.share(ofNextIn: 2)))
  }

  @Test(arguments: ["1/2", "0s:1/2, 10s:1/2, 10s:1"])
  func frameIsShownAloneForAnEighthOfItsWayWhereThatIsShorter(text: String) throws {
    // Each has 32 ms in the clip: 3.8 ms before an output frame, and 4.2 ms.
    let near = try flow([0, 22_100, 38_100, 54_100, 70_100], text)
    #expect(near[2] == 2 && near.share(ofNextIn: 2) == 0)
    let far = try flow([0, 21_900, 37_900, 53_900, 69_900], text)
    #expect(far[2] == 2 && far.share(ofNextIn: 2) > 0)
    // The same distances after an output frame: it appears there too, or with the next.
    #expect(try flow([0, 9_900, 25_900, 41_900, 57_900], text)[2] == 3)
    #expect(try flow([0, 10_100, 26_100, 42_100, 58_100], text)[2] == 2)
  }
}
