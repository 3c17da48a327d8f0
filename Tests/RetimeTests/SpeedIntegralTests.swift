import FrameJudge
import Foundation
import Testing
import Timebase

@testable import Retime

@Suite struct SpeedIntegralTests {
  /// `moment` in seconds.
  func seconds(_ moment: Int128) -> Double { Double(moment) / exp2(60) }

  func moment(_ seconds: Double) -> Int128 { Int128(seconds * exp2(60)) }

  /// The integral's closed form: `d * ln(b / a) / (b - a)`.
  func expected(_ duration: Double, _ from: Double, _ to: Double) -> Double {
    from == to ? duration / from : duration * log(to / from) / (to - from)
  }

  @Test(arguments: [
    ("0s:1, 1s:1/8", 1, 1.0, 0.125), ("0s:1/8, 1s:1", 1, 0.125, 1), ("0s:1, 2s:1/100", 2, 1, 0.01),
    ("0s:1/10000, 10s:100", 10, 0.0001, 100), ("0s:100, 3600s:1/10000", 3600, 100, 0.0001),
    ("0s:1/8, 1s:12501/100000", 1, 0.125, 0.12501), ("0s:0.3, 5s:0.3", 5, 0.3, 0.3), ("0s:2, 1s:1", 1, 2, 1),
  ])
  func rampTakesWhatTheLogarithmSays(text: String, duration: Double, from: Double, to: Double) throws {
    let integral = SpeedIntegral(try SpeedCurve(text: text))
    let whole = expected(duration, from, to)
    #expect(abs(seconds(integral(moment(duration))) - whole) <= 1e-11 * max(1, whole))
    for share in [0.01, 0.1, 0.25, 0.5, 0.9] {
      let there = from + (to - from) * share
      let part = expected(duration * share, from, there)
      #expect(abs(seconds(integral(moment(duration * share))) - part) <= 1e-10 * max(1, part), "\(share)")
    }
    // After the last point, its speed continues.
    let later = seconds(integral(moment(duration + 1)) - integral(moment(duration)))
    #expect(abs(later - 1 / to) <= 1e-11 / to)
  }

  @Test func easedWayIsWhatASumOfManySlicesSays() throws {
    let integral = SpeedIntegral(try SpeedCurve(text: "0s:1, ease 1s:1/8"))
    let slices = 100_000
    let sum = (0..<slices).map { slice -> Double in
      let x = (Double(slice) + 0.5) / Double(slices)
      return 1 / (1 - 0.875 * (3 * x * x - 2 * x * x * x)) / Double(slices)
    }.reduce(0, +)
    // 64 straight pieces approximate the curve to a thousandth.
    #expect(abs(seconds(integral(moment(1))) - sum) < 0.001 * sum)
  }

  @Test func freezeStandsStillOnItsMoment() throws {
    let integral = SpeedIntegral(try SpeedCurve(text: "0s:1/2, 1s:freeze 3s, 2s:freeze 1s"))
    #expect(seconds(integral(moment(1))) == 2)
    #expect(abs(seconds(integral(moment(1) + 1)) - 5) < 1e-12)
    #expect(seconds(integral(moment(2))) == 7)
    #expect(seconds(integral(moment(3))) == 10)
  }

  @Test(arguments: [UInt64](1...30))
  func timeOnlyGoesForwardAndAddsUp(seed: UInt64) throws {
    var generator = SplitMix(state: seed)
    let curve = try randomCurve(using: &generator)
    let integral = SpeedIntegral(curve)
    var (last, lastClip) = (Int128(0), Int128(0))
    for _ in 0..<60 {
      let next = last + Int128.random(in: 0...1 << 57, using: &generator)
      let clip = integral(next)
      #expect(clip >= lastClip)
      // Never slower than the slowest, never faster than the fastest.
      let speeds = curve.points.map(\.speed.factor.doubleValue)
      let flown = seconds(integral.flowing(next) - integral.flowing(last))
      let way = seconds(next - last)
      #expect(flown <= way / (speeds.min() ?? 1) * (1 + 1e-9) + 1e-12)
      #expect(flown >= way / (speeds.max() ?? 1) * (1 - 1e-9) - 1e-12)
      (last, lastClip) = (next, clip)
    }
  }
}

/// A curve of up to five points and two freezes in the first three seconds.
func randomCurve(using generator: inout SplitMix) throws -> SpeedCurve {
  var time: Int64 = 0
  var points: [SpeedCurve.Point] = []
  for place in 0..<Int.random(in: 1...5, using: &generator) {
    let factor = Fraction(
      Int64.random(in: 1...32, using: &generator), Int64.random(in: 16...800, using: &generator))
    let before = time
    if place > 0 { time += Int64.random(in: 1...40, using: &generator) * 25_000_000 }
    points.append(
      SpeedCurve.Point(
        time: .nanoseconds(time), speed: Speed(factor) ?? .normal,
        isEased: time > before && Bool.random(using: &generator)))
  }
  let freezes = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
    SpeedCurve.Freeze(
      time: .nanoseconds(Int64.random(in: 0...2_000_000_000, using: &generator)),
      duration: .nanoseconds(Int64.random(in: 1...3_000_000_000, using: &generator)))
  }
  return try SpeedCurve(points: points, freezes: freezes.sorted { $0.time < $1.time })
}
