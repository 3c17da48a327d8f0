import FrameJudge
import Testing
import Timebase

@testable import Retime

func rate(_ numerator: Int64, _ denominator: Int64 = 1) throws -> FrameRate {
  try #require(FrameRate(Fraction(numerator, denominator)))
}

func speed(_ numerator: Int64, _ denominator: Int64 = 1) throws -> SpeedCurve {
  SpeedCurve(try #require(Speed(Fraction(numerator, denominator))))
}

/// Frames of a camera at `framesPerSecond` whose timestamps deviate by up to `jitter` nanoseconds either way.
func video(
  _ count: Int, at framesPerSecond: Fraction, jitter: Int64 = 0, losing lost: Set<Int64> = [],
  from first: Int64 = 0, seed: UInt64 = 1
) -> [FrameTiming] {
  var generator = SplitMix(state: seed)
  return (0..<Int64(count)).compactMap { number in
    let stray = jitter == 0 ? 0 : Int64.random(in: -jitter...jitter, using: &generator)
    guard !lost.contains(number) else { return nil }
    let place = framesPerSecond.reciprocal.scaling(number * 1_000_000_000)
    return FrameTiming(
      sequence: first + number, timestamp: Instant(nanoseconds: 5_000_000_000 + place + stray))
  }
}

extension Timeline {
  /// The captured frame of each output frame.
  var shown: [Int] { (0..<outputFrameCount).map { self[$0] } }
}

@Suite struct TimelineTests {
  let camera = Fraction(1, 240)

  @Test(arguments: [0, 500_000, 2_000_000, 8_000_000], [UInt64](1...5))
  func everyFrameOfASteadyCameraIsShownOnceWhateverItsJitter(jitter: Int64, seed: UInt64) throws {
    let frames = video(720, at: Fraction(240), jitter: jitter, from: 4711, seed: seed)
    let timeline = Timeline(frames, nominalInterval: camera, speed: try speed(1, 8), outputRate: try rate(30))
    #expect(timeline.shown == Array(0..<720))
    #expect(timeline.duration == Fraction(24))
  }

  @Test("a camera that sends nothing for two seconds, while its numbers go on, is held for that time")
  func pause() throws {
    var frames = video(200, at: Fraction(240), from: 4711)
    for index in 100..<200 {
      frames[index] = FrameTiming(
        sequence: 4711 + Int64(index),
        timestamp: Instant(nanoseconds: frames[index].timestamp.nanoseconds + 2_000_000_000))
    }
    // Each sensor frame once, with the frame before in place of each missing one.
    let timeline = Timeline(frames, nominalInterval: camera, speed: nil, outputRate: try rate(30))
    #expect(timeline.shown == Array(0..<100) + Array(repeating: 99, count: 480) + Array(100..<200))
    #expect(timeline.speed == Fraction(1, 8))
  }

  @Test(arguments: [Fraction(23799, 100), Fraction(24201, 100), Fraction(240_000, 1001)])
  func cameraThatRunsALittleOffItsRateIsTakenAtItsWord(actual: Fraction) throws {
    let frames = video(2000, at: actual, jitter: 300_000)
    let timeline = Timeline(frames, nominalInterval: camera, speed: try speed(1, 8), outputRate: try rate(30))
    #expect(timeline.shown == Array(0..<2000))
  }

  @Test func cameraThatRunsAtHalfItsRatePlaysAtTheRightSpeed() throws {
    // Auto exposure halved the rate: each frame fills two.
    let frames = video(120, at: Fraction(120))
    let timeline = Timeline(frames, nominalInterval: camera, speed: try speed(1, 8), outputRate: try rate(30))
    #expect(timeline.shown == (0..<240).map { $0 / 2 })
    #expect(timeline.duration == Fraction(8))
  }

  @Test func lostFramesAreHeldAndTimeGoesOn() throws {
    let frames = video(10, at: Fraction(240), losing: [3, 4, 8])
    for speed in [try speed(1, 8), nil] {
      let timeline = Timeline(frames, nominalInterval: camera, speed: speed, outputRate: try rate(30))
      #expect(timeline.shown == [0, 1, 2, 2, 2, 3, 4, 5, 5, 6])
      #expect(timeline.speed == Fraction(1, 8))
    }
  }

  @Test func cameraThatLosesItsBeatIsPlacedByItsTimestamps() throws {
    // Half way it falls from 240 to 120 frames per second and continues its numbers.
    var frames = video(240, at: Fraction(240))
    for number in 1...120 {
      frames.append(
        FrameTiming(
          sequence: Int64(239 + number),
          timestamp: frames[239].timestamp + .nanoseconds(8_333_333 * number)))
    }
    let timeline = Timeline(frames, nominalInterval: camera, speed: try speed(1, 8), outputRate: try rate(30))
    #expect(timeline.shown.prefix(239).elementsEqual(0..<239))
    #expect(timeline.shown[240...].prefix(200).elementsEqual((0..<200).map { 239 + ($0 + 1) / 2 }))
    #expect(timeline.outputFrameCount >= 478 && timeline.outputFrameCount <= 482)
  }

  @Test func fileWithoutSequencesIsPlacedByItsTimestampsEvenInMilliseconds() throws {
    let frames = (0..<1000).map { number in
      FrameTiming(timestamp: Instant(nanoseconds: Fraction(1000, 240).scaling(Int64(number)) * 1_000_000))
    }
    let timeline = Timeline(frames, nominalInterval: camera, speed: try speed(1, 8), outputRate: try rate(30))
    #expect(timeline.shown == Array(0..<1000))
  }

  @Test func speedUpSkipsFrames() throws {
    let frames = video(100, at: Fraction(50))
    let timeline = Timeline(
      frames, nominalInterval: Fraction(1, 50), speed: try speed(2), outputRate: try rate(25))
    #expect(timeline.shown == (0..<25).map { $0 * 4 })
    #expect(timeline.outputFrames(showing: 1).isEmpty)
  }

  @Test func everySensorFrameOnceWithoutASpeed() throws {
    let frames = video(50, at: Fraction(11988, 100), jitter: 100_000)
    let timeline = Timeline(frames, nominalInterval: Fraction(1, 120), speed: nil, outputRate: try rate(30))
    #expect(timeline.shown == Array(0..<50))
    #expect(timeline.speed == Fraction(1, 4))
    let uncounted = frames.map { FrameTiming(timestamp: $0.timestamp) }
    #expect(Timeline(uncounted, speed: nil, outputRate: try rate(30)).shown == Array(0..<50))
  }

  @Test func smallestSources() throws {
    let none = Timeline([], speed: try speed(1, 8), outputRate: try rate(30))
    #expect(none.outputFrameCount == 0 && none.capturedFrameCount == 0)
    let one = [FrameTiming(sequence: 9, timestamp: Instant(nanoseconds: 12))]
    #expect(Timeline(one, speed: try speed(1, 8), outputRate: try rate(30)).shown == [0])
    #expect(
      Timeline(one, nominalInterval: Fraction(1, 120), speed: try speed(1, 8), outputRate: try rate(30)).shown
        == [0, 0])
    #expect(Timeline(one, speed: nil, outputRate: try rate(30)).shown == [0])
  }

  @Test(arguments: [
    [
      FrameTiming(sequence: .min, timestamp: Instant(nanoseconds: .max)),
      FrameTiming(sequence: .max, timestamp: Instant(nanoseconds: .min)),
    ],
    [
      FrameTiming(sequence: 5, timestamp: Instant(nanoseconds: 0)),
      .init(sequence: 5, timestamp: Instant(nanoseconds: .max)),
    ],
    [
      FrameTiming(sequence: 5, timestamp: Instant(nanoseconds: 9)),
      .init(sequence: 3, timestamp: Instant(nanoseconds: 5)),
    ],
    [
      FrameTiming(sequence: 0, timestamp: Instant(nanoseconds: 0)),
      .init(timestamp: Instant(nanoseconds: 1 << 50 - 1)),
    ],
  ])
  func nonsenseFromAFileIsSurvived(frames: [FrameTiming]) throws {
    let awkward = try rate(2_147_483_647, 2_147_483_629)
    for speed in [try speed(2_147_483_647, 2_147_483_646), nil] {
      let timeline = Timeline(frames, speed: speed, outputRate: awkward)
      #expect(timeline.outputFrameCount >= 1)
      #expect(timeline.duration > Fraction(0))
    }
  }

  @Test(arguments: [UInt64](1...200))
  func anySourceAtAnySpeedKeepsOrderAndTime(seed: UInt64) throws {
    var generator = SplitMix(state: seed)
    let framesPerSecond = Fraction(
      Int64.random(in: 1000...1_000_000, using: &generator),
      [1000, 1001].randomElement(using: &generator) ?? 1)
    let count = Int.random(in: 2...300, using: &generator)
    let lost = Set((1..<Int64(count) - 1).filter { _ in UInt8.random(in: 0..<8, using: &generator) == 0 })
    let frames = video(
      count, at: framesPerSecond, jitter: Int64.random(in: 0...20_000_000, using: &generator), losing: lost,
      seed: seed)
    let speed = try speed(
      Int64.random(in: 1...40, using: &generator), Int64.random(in: 1...400, using: &generator))
    let rate = [try rate(30), try rate(60), try rate(30_000, 1001)].randomElement(using: &generator)
    let timeline = Timeline(frames, speed: speed, outputRate: try #require(rate))

    // Every output frame shows exactly one captured frame, in the order they were captured.
    let runs = frames.indices.map { timeline.outputFrames(showing: $0) }
    #expect(runs.first?.lowerBound == 0)
    #expect(runs.last?.upperBound == timeline.outputFrameCount)
    #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    for (index, run) in runs.enumerated() { #expect(run.allSatisfy { timeline[$0] == index }) }

    // The clip lasts as long as the source, divided by the speed, to one output frame.
    let cadence = CaptureCadence(frames, nominalInterval: nil)
    if let interval = cadence.gridInterval {
      let span = Fraction(Int64(count)) * interval
      let error = timeline.duration - span / timeline.speed
      #expect(error.magnitude <= timeline.outputRate.interval || timeline.outputFrameCount == 1)
    }
  }
}
