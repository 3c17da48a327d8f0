import Testing
import Timebase

@testable import Retime

@Suite("The common time of several cameras")
struct CommonTimeTests {
  private func camera(
    _ count: Int, at framesPerSecond: Int64, losing lost: Set<Int64> = [], offset: Duration = .zero,
    ratePartsPerMillion: Double = 0, nominal: Fraction? = nil
  ) -> CommonTime.Camera {
    CommonTime.Camera(
      video(count, at: Fraction(framesPerSecond), losing: lost), nominalInterval: nominal,
      at: ClockPlace(offset: offset, ratePartsPerMillion: ratePartsPerMillion))
  }

  private func timelines(
    _ cameras: [CommonTime.Camera], at speed: SpeedCurve, fill: Fill = .hold, of part: ClipSpan = .whole
  ) throws -> [Timeline] {
    let common = try #require(CommonTime(of: cameras))
    let thirty = try rate(30)
    let count = common.frameCount(speed, rate: thirty, of: part)
    return cameras.map {
      Timeline($0, in: common, speed: speed, outputRate: thirty, fill: fill, span: part, frameCount: count)
    }
  }

  @Test("begins with the last camera and ends with the first, and each shows its frame nearest to the moment")
  func phases() throws {
    // From 1 ms to 33.333 ms: 7.76 frames of the clip.
    let cameras = [camera(8, at: 240), camera(4, at: 120, offset: .milliseconds(1))]
    let shown = try timelines(cameras, at: speed(1, 8)).map(\.shown)
    #expect(shown == [Array(0..<8), [0, 0, 1, 1, 2, 2, 3, 3]])
    let common = try #require(CommonTime(of: cameras))
    #expect((common.duration - Fraction(32_333_333, 1_000_000_000)).magnitude < Fraction(1, 100_000_000))
    #expect(common.lead(of: cameras[0]) == .milliseconds(1) && common.lead(of: cameras[1]) == .zero)
  }

  @Test("holds lost frames where they lie")
  func lost() throws {
    let cameras = [camera(8, at: 240, losing: [3, 4]), camera(8, at: 240)]
    #expect(
      try timelines(cameras, at: speed(1, 8)).map(\.shown) == [[0, 1, 2, 2, 2, 3, 4, 5], Array(0..<8)])
  }

  @Test("places frames by their timestamps, not by a rate that the camera states")
  func stamps() throws {
    let stated = Fraction(1, 240)
    let cameras = [camera(480, at: 240, nominal: stated), camera(480, at: 239, nominal: stated)]
    let shown = try timelines(cameras, at: speed(1, 8)).map(\.shown)
    #expect(shown[0][240] == 240 && shown[1][240] == 239)
    #expect(shown.map(\.count) == [480, 480])
  }

  @Test("lets a camera's clock run at the rate that the group states")
  func clockRate() throws {
    // A second of the second camera's timestamps is 1.1 s.
    let cameras = [camera(240, at: 240), camera(240, at: 240, ratePartsPerMillion: 100_000)]
    let shown = try timelines(cameras, at: speed(1, 8)).map(\.shown)
    #expect(shown[0] == Array(0..<240))
    #expect(shown[1][110] == 100 && shown[1][220] == 200)
    let place = ClockPlace(offset: .milliseconds(1), ratePartsPerMillion: 100)
    let error =
      place.moment(SpeedIntegral.moment(.seconds(10))) - SpeedIntegral.moment(.milliseconds(10_002))
    #expect(error.magnitude <= 2)
  }

  @Test("interpolates each camera for the very same moment")
  func flow() throws {
    let cameras = [camera(8, at: 240), camera(4, at: 120, offset: .milliseconds(1))]
    let timelines = try timelines(cameras, at: speed(1, 8), fill: .flow)
    #expect(timelines.map(\.shown) == [Array(0..<8), [0, 0, 1, 1, 2, 2, 3, 3]])
    // 1 ms is 0.24 of 1/240 s; the last frame has none after it.
    #expect((0..<8).map { timelines[0].share(ofNextIn: $0) } == [61, 61, 61, 61, 61, 61, 61, 0])
    #expect((0..<8).map { timelines[1].share(ofNextIn: $0) } == [0, 128, 0, 128, 0, 128, 0, 0])
  }

  @Test("counts parts and curves from its start")
  func parts() throws {
    let cameras = [camera(480, at: 240), camera(240, at: 120, offset: .milliseconds(500))]
    let span = ClipSpan(start: .seconds(1), end: .milliseconds(1100))
    let cut = try timelines(cameras, at: speed(1, 8), of: span).map(\.shown)
    #expect(cut == [Array(360..<384), (0..<24).map { 120 + $0 / 2 }])
    let curve = try SpeedCurve(text: "0s:1, 1s:1, 1s:1/8")
    let curved = try timelines(cameras, at: curve).map(\.shown)
    // A second in real time, and half a second in four.
    #expect(curved.map(\.count) == [150, 150])
    #expect(curved[0][15] == 240 && curved[1][15] == 60)
    #expect(curved[0][34] == 364 && curved[1][34] == 122)
  }

  @Test("is none if a camera ends before another begins, and then there is no clip")
  func none() {
    #expect(CommonTime(of: [camera(24, at: 240), camera(24, at: 240, offset: .milliseconds(101))]) == nil)
    #expect(CommonTime(of: [camera(24, at: 240), camera(24, at: 240, offset: .milliseconds(99))]) != nil)
  }

  @Test("survives offsets and times at the borders of what files may state")
  func borders() throws {
    let longest = Duration.nanoseconds(1 << 50)
    let far = [0, Int64(1 << 50) - 1].enumerated().map { number, time in
      FrameTiming(sequence: Int64(number), timestamp: Instant(nanoseconds: time))
    }
    let cameras = [Duration.zero, longest, .zero - longest].map { offset in
      CommonTime.Camera(
        far, nominalInterval: nil, at: ClockPlace(offset: offset, ratePartsPerMillion: 100_000))
    }
    for (one, other) in [(0, 1), (0, 2)] {
      let part = ClipSpan(start: .seconds(1000), end: .seconds(1001))
      let shown = try timelines([cameras[one], cameras[other]], at: speed(1, 10_000), of: part).map(\.shown)
      #expect(shown.map(\.count) == [300_000, 300_000])
    }
    let slow = CommonTime.Camera(
      video(3, at: Fraction(1, 500_000)), nominalInterval: nil,
      at: ClockPlace(offset: longest, ratePartsPerMillion: -100_000))
    #expect(try timelines([slow], at: speed(100)).map(\.shown).map(\.count) == [337_770])
  }
}
