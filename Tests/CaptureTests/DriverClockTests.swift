import CameraModel
import Testing

@testable import Capture

@Suite("The driver's clock")
struct DriverClockTests {
  private static let interval: Int64 = 10_000_000
  private static let second: Int64 = 1_000_000_000
  /// The capture time of the first frame, on `CLOCK_MONOTONIC`.
  private static let start: Int64 = 5_000 * second

  /// Returns the times of 100 frames, received a millisecond after capture, with timestamps from `stamp`.
  private func times(
    _ kind: FrameClock, _ stamp: (_ index: Int64, _ captured: Int64) -> Int64
  ) -> [(nanoseconds: Int64, isReceipt: Bool)] {
    var clock = DriverClock(kind, intervalNanoseconds: Self.interval)
    return (0..<100).map { index in
      let captured = Self.start + Int64(index) * Self.interval
      return clock.time(stamped: stamp(Int64(index), captured), received: captured + 1_000_000)
    }
  }

  /// Expects that time always advances, and that every frame is within a millisecond of its place.
  private func expectSteady(_ times: [(nanoseconds: Int64, isReceipt: Bool)]) {
    #expect(zip(times, times.dropFirst()).allSatisfy { $0.nanoseconds < $1.nanoseconds })
    let strays = times.enumerated().filter { index, time in
      abs(time.nanoseconds - times[0].nanoseconds - Int64(index) * Self.interval) > 1_000_000
    }
    #expect(strays.isEmpty)
  }

  @Test("is trusted if it is plausible", arguments: [FrameClock.monotonic, .copied, .unknown])
  func sane(_ kind: FrameClock) {
    let origin = kind == .monotonic ? 0 : 1_700_000_000 * Self.second
    let times = times(kind) { $1 + origin }
    #expect(times.allSatisfy { !$0.isReceipt })
    #expect(times[7].nanoseconds == Self.start + 7 * Self.interval + origin)
  }

  @Test("may be ahead of the receipt if it stamps a frame's end, as vivid does")
  func ahead() {
    #expect(times(.monotonic) { $1 + 9_000_000 }.allSatisfy { !$0.isReceipt })
  }

  @Test(
    "is never trusted if it stands still, is far ahead, negative, far behind, or at the end of its range",
    arguments: [Start.still, .future, .negative, .old, .end])
  func useless(_ start: Start) {
    let times = times(.monotonic) { index, captured in
      switch start {
      case .still: 0
      case .future: captured + 1_700_000_000 * Self.second
      case .negative: captured - (1 << 62)
      case .old: captured - 4_000 * Self.second
      case .end: .max - 50 * Self.interval &+ index * Self.interval
      }
    }
    expectSteady(times)
    // Only a first frame can be too old: a program that was suspended receives old frames later.
    #expect(times.count { $0.isReceipt } == 100)
    #expect(times[0].nanoseconds == Self.start + 1_000_000)
  }

  enum Start: Sendable { case still, future, negative, old, end }

  @Test(
    "is no longer trusted once it is set back or forward",
    arguments: [FrameClock.monotonic, .copied], [-3600, -2, 2, 3600] as [Int64])
  func step(_ kind: FrameClock, _ seconds: Int64) {
    let origin = kind == .monotonic ? 0 : 1_700_000_000 * Self.second
    let times = times(kind) { $1 + origin + ($0 < 40 ? 0 : seconds * Self.second) }
    expectSteady(times)
    #expect(times.map(\.isReceipt) == (0..<100).map { $0 >= 40 })
    #expect(abs(times[99].nanoseconds - (Self.start + origin + 99 * Self.interval)) <= 1_000_000)
  }

  @Test("is replaced for a single bad timestamp only", arguments: [0, 12, Int64.max])
  func single(_ stamp: Int64) {
    let times = times(.monotonic) { $0 == 30 ? stamp : $1 }
    expectSteady(times)
    #expect(times.map(\.isReceipt) == (0..<100).map { $0 == 30 })
  }

  @Test("is trusted by a program that was suspended for an hour and then receives old frames")
  func stopped() {
    for kind in [FrameClock.monotonic, .copied] {
      var clock = DriverClock(kind, intervalNanoseconds: Self.interval)
      let delays = [900_000_000, 5, 1, 3_600_000_000_000, 3_599_990_000_000, 2, 1] as [Int64]
      var captured = Self.start
      for (index, delay) in delays.enumerated() {
        captured += index == 5 ? 3_600_000_000_000 : Self.interval
        let time = clock.time(stamped: captured, received: captured + delay)
        #expect(time.nanoseconds == captured)
        #expect(!time.isReceipt)
      }
    }
  }
}
