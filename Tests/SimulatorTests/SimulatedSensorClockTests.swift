import CameraModel
import Platform
import Testing
import Timebase

@testable import Simulator

@Suite("The clock of a simulated camera")
struct SimulatedSensorClockTests {
  /// A hundred frames a second.
  private static func timing(_ faults: String, start: Int64 = 0, epoch: Int64 = 0) throws -> SensorTiming {
    let faults = try SimulatedFaults(text: faults)
    return SensorTiming(
      startNanoseconds: start, interval: Fraction(1, 100), faults: faults,
      clock: SensorClock(epoch: epoch, faults: faults))
  }

  @Test("is described by keys, of which only flash may be repeated")
  func keys() throws {
    let faults = try SimulatedFaults(text: "phase=2ms,ppm=-12.5,stamp=-7ms,flash=1s,flash=1500ms,rows=30us")
    #expect(faults.phase == .milliseconds(2))
    #expect(faults.clockDeviation == Fraction(-25, 2))
    #expect(faults.stampError == .milliseconds(-7))
    #expect(faults.flashes == [.seconds(1), .milliseconds(1500)])
    #expect(faults.lineTime == .microseconds(30))
    for text in ["phase=1s,phase=2s", "ppm=1,ppm=1", "rows=1us,rows=2us"] {
      #expect(throws: QuantityError.self) { try SimulatedFaults(text: text) }
    }
  }

  @Test(
    "is refused with the pair that is wrong",
    arguments: [
      "phase=-2ms", "phase=", "ppm=10001", "ppm=-10001", "ppm=fast", "ppm=--5", "ppm=", "stamp=--7ms",
      "stamp=", "flash=x", "flash=-1s", "rows=-1us", "rows=",
    ])
  func refused(text: String) {
    let error = #expect(throws: QuantityError.self) { try SimulatedFaults(text: text) }
    #expect(error?.text == text)
  }

  @Test("a phase places the first frame after the epoch")
  func phase() throws {
    let timing = try Self.timing("phase=2ms", epoch: 1000)
    #expect((0..<3).map { timing.time(of: $0) } == [2_001_000, 12_001_000, 22_001_000])
    #expect(timing.exposure(1).timestampNanoseconds == 12_001_000)
    let late = try Self.timing("phase=3s")
    #expect(late.time(of: 0) == 3_000_000_000)
  }

  @Test(
    "a stream that starts later begins with the next frame of the same grid",
    arguments: [
      (25, 32), (32, 32), (33, 42), (0, 2), (1_000_000_002, 1_000_000_002), (1_000_000_003, 1_000_000_012),
    ])
  func restart(start: Int64, first: Int64) throws {
    let started = try Self.timing("phase=2ms").starting(at: start * 1_000_000)
    #expect(started.time(of: 0) == first * 1_000_000)
    #expect(started.time(of: 3) == (first + 30) * 1_000_000)
  }

  @Test("a fast clock times frames that come too early with the nominal interval")
  func deviation() throws {
    let timing = try Self.timing("phase=20s,ppm=50")
    // 100005 frames of a fast camera take exactly 1000 seconds.
    #expect(timing.time(of: 0) == 20_000_000_000)
    #expect(timing.time(of: 100_005) == 1_020_000_000_000)
    for number: Int64 in [0, 1, 7, 100_005] {
      #expect(timing.exposure(number).timestampNanoseconds == 20_001_000_000 + number * 10_000_000)
    }
    let slow = try Self.timing("phase=20s,ppm=-50")
    #expect(slow.exposure(99_995).timestampNanoseconds == 19_999_000_000 + 999_950_000_000)
    #expect(slow.time(of: 99_995) == 1_020_000_000_000)
  }

  @Test("an error moves all timestamps, and no frame arrives before its timestamp")
  func stampError() throws {
    let late = try Self.timing("phase=0s,stamp=7ms")
    #expect(late.time(of: 1) == 10_000_000)
    #expect(late.exposure(1).timestampNanoseconds == 17_000_000)
    #expect(late.exposure(1).arrivalNanoseconds == 17_000_000)
    let early = try Self.timing("phase=0s,stamp=-7ms")
    #expect(early.exposure(1).timestampNanoseconds == 3_000_000)
    #expect(early.exposure(1).arrivalNanoseconds == 10_000_000)
  }

  @Test(
    "a reader that was away for long finds the same frames as one that read throughout",
    arguments: [
      "ppm=9000", "ppm=-9000", "stamp=300ms", "phase=700ms,ppm=9000,jitter=25ms", "phase=2ms,stamp=-9ms",
    ])
  func longAway(faults: String) throws {
    let faults = try SimulatedFaults(text: faults)
    let sensor = {
      SensorSchedule(startNanoseconds: 0, interval: Fraction(1, 100), faults: faults, epochNanoseconds: 0)
    }
    for end in [Int64(95), 1000, 4990, 20_001] {
      var (steady, away) = (sensor(), sensor())
      for now in stride(from: Int64(0), through: end, by: 5) { steady.advance(to: now * 1_000_000) }
      steady.advance(to: end * 1_000_000)
      away.advance(to: end * 1_000_000)
      #expect(away.nextExposureNanoseconds == steady.nextExposureNanoseconds)
    }
  }

  @Test("two cameras on one virtual clock share the epoch, whenever they start")
  func sharedEpoch() throws {
    let clock = VirtualClock(at: Instant(nanoseconds: 500))
    var first = try SimulatedStreamTests.camera("phase=1ms", format: .grey, clock: clock).start(
      format: .grey, width: 256, height: 96, interval: SimulatedStreamTests.interval)
    first.begin()
    let one = try SimulatedStreamTests.take(3, from: &first)
    var second = try SimulatedStreamTests.camera("phase=4ms", format: .grey, clock: clock).start(
      format: .grey, width: 256, height: 96, interval: SimulatedStreamTests.interval)
    second.begin()
    let other = try SimulatedStreamTests.take(2, from: &second)
    #expect(one.map(\.timestampNanoseconds) == [1_000_500, 11_000_500, 21_000_500])
    #expect(other.map(\.timestampNanoseconds) == [24_000_500, 34_000_500])
  }
}
