import Takes
import Testing
import Timebase

@testable import Retime

@Suite("The times of a source's frames")
struct CaptureCadenceTests {
  @Test("have gaps for lost frames, and no others")
  func lost() {
    let whole = CaptureCadence(video(6, at: Fraction(240)), nominalInterval: Fraction(1, 240))
    #expect(whole.gaps == Array(repeating: false, count: 6))
    #expect(whole.lostTimes.isEmpty)
    let cut = CaptureCadence(video(6, at: Fraction(240), losing: [3]), nominalInterval: Fraction(1, 240))
    #expect(cut.gaps == [false, false, false, true, false])
    #expect(cut.lostTimes == [.nanoseconds(12_500_000)..<cut.captureTime(3)])
    #expect(CaptureCadence([], nominalInterval: nil).gaps.isEmpty)
    #expect(CaptureCadence([], nominalInterval: nil).duration == Fraction(0))
  }

  @Test("without numbers have the mean interval of consecutive frames")
  func unbroken() {
    // 240 fps in ticks of a millisecond: 4, 4, 4, 4, 4, 5 and so on, with a gap of 25 frames.
    let times = (0..<240).filter { !(100..<125).contains($0) }.map { Int64($0 * 1000 / 240) * 1_000_000 }
    let frames = times.map { FrameTiming(sequence: nil, timestamp: Instant(nanoseconds: $0)) }
    let cadence = CaptureCadence(frames, nominalInterval: nil)
    #expect(cadence.gaps.count { $0 } == 1)
    let rate = FrameRate.usual(
      forFramesEvery: cadence.unbrokenInterval, at: SpeedCurve(Speed(Fraction(1, 8)) ?? .normal))
    #expect(rate == FrameRate(whole: 30))
    #expect(cadence.interval.map { $0 > Fraction(1, 220) } == true)
    let whole = CaptureCadence(video(6, at: Fraction(240)), nominalInterval: Fraction(1, 240))
    #expect(whole.unbrokenInterval == whole.interval)
    // Without a gap, ticks of a millisecond say no more than the rate that the camera agreed to.
    let ticks = (0..<240).map { (number: Int) -> FrameTiming in
      FrameTiming(sequence: nil, timestamp: Instant(nanoseconds: Int64(number * 25 / 6) * 1_000_000))
    }
    let unnumbered = CaptureCadence(ticks, nominalInterval: Fraction(1, 240))
    #expect(unnumbered.unbrokenInterval == Fraction(1, 240))
  }

  @Test("with numbers have the interval of the grid, also after a loss")
  func numbered() {
    let frames = (0..<100).filter { $0 != 50 }.map { (number: Int) -> FrameTiming in
      let time = Int64(number) * 4_170_000 + Int64(number % 3)
      return FrameTiming(sequence: Int64(number), timestamp: Instant(nanoseconds: time))
    }
    #expect(CaptureCadence(frames, nominalInterval: Fraction(1, 240)).unbrokenInterval == Fraction(1, 240))
  }

  @Test("tell no pauses if most frames have the time of others")
  func equalTimes() {
    let frames = (0..<100).map { (number: Int) -> FrameTiming in
      let time = Int64(number / 4 * 33_000_000)
      return FrameTiming(sequence: Int64(number), timestamp: Instant(nanoseconds: time + Int64(number % 4)))
    }
    let cadence = CaptureCadence(frames, nominalInterval: Fraction(1, 120))
    #expect(cadence.gaps.allSatisfy { !$0 })
    #expect(cadence.interval.map { $0 > Fraction(1, 130) } == true)
  }

  @Test("for a single frame have no interval, and the frame is held")
  func single() {
    let frame = FrameTiming(sequence: 5, timestamp: Instant(nanoseconds: 7))
    #expect(CaptureCadence([frame], nominalInterval: nil).interval == nil)
    let moments = ClipMoments(
      SourceTiming([frame], Fraction(1, 30)), RenderSpec(speed: SpeedCurve(.normal)),
      outputRate: FrameRate(whole: 30))
    #expect([0, 1, 5].map(moments.time(of:)) == [0, 0, 0])
  }
}
