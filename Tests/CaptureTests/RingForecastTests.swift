import Platform
import SystemPackage
import Testing
import Timebase

@testable import Capture

@Suite("The forecast of a full ring")
struct RingForecastTests {
  @Test("is absent for a disk at least as fast as the mode")
  func fits() {
    let forecast = RingForecast(
      modeBytesPerSecond: 498_000_000, diskBytesPerSecond: 1_000_000_000, ringBytes: 512 << 20)
    #expect(forecast.timeUntilFull == nil)
    #expect(
      forecast.description == "This mode delivers 498 MB/s, and the disk writes 1000 MB/s: it keeps up.")
    #expect(
      RingForecast(modeBytesPerSecond: 7, diskBytesPerSecond: 7, ringBytes: 1).timeUntilFull == nil)
  }

  @Test("follows from the difference in speed for a slower disk")
  func fills() {
    let forecast = RingForecast(
      modeBytesPerSecond: 500_000_000, diskBytesPerSecond: 400_000_000, ringBytes: 600_000_000)
    #expect(forecast.timeUntilFull == .seconds(6))
    #expect(
      forecast.description
        == "This mode delivers 500 MB/s, and the disk writes 400 MB/s: frames would be lost after about 6.0 s, when the ring is full."
    )
  }

  @Test("for several cameras on one disk adds their rates, and ends with the ring that is full first")
  func together() throws {
    let forecast = try #require(
      RingForecast(together: [
        RingForecast(modeBytesPerSecond: 100_000_000, diskBytesPerSecond: 90_000_000, ringBytes: 300_000_000),
        RingForecast(modeBytesPerSecond: 50_000_000, diskBytesPerSecond: 80_000_000, ringBytes: 100_000_000),
      ]))
    // The second ring holds 2 s of its camera, in which the disk takes 80 of 150 MB/s.
    #expect(forecast.modeBytesPerSecond == 150_000_000 && forecast.ringBytes == 300_000_000)
    #expect(
      forecast.description
        == "The modes of 2 cameras deliver 150 MB/s, and the disk writes 80 MB/s: frames would be lost after "
        + "about 4.3 s, when a ring is full.")
    #expect(RingForecast(together: []) == nil)
  }

  @Test("gives five seconds for a half-full ring that fills by a tenth each second")
  func trend() throws {
    var trend = RingTrend()
    #expect(trend.timeUntilFull(1000) == nil)
    for step in 0...20 { trend.enter(300 + 10 * step, at: Instant(nanoseconds: Int64(step) * 100_000_000)) }
    let time = try #require(trend.timeUntilFull(1000))
    #expect(abs(time / .seconds(1) - 5) < 1e-9)
  }

  @Test(
    "is absent for a ring that empties, stays level or holds a frame or two", arguments: [-10, 0, 2])
  func noTrend(_ growth: Int) {
    var trend = RingTrend()
    for step in 0...20 {
      trend.enter(
        max(0, (growth < 2 ? 300 : 0) + growth * step), at: Instant(nanoseconds: Int64(step) * 100_000_000))
    }
    #expect(trend.timeUntilFull(1000) == nil)
  }

  @Test("needs readings from more than one instant")
  func moment() {
    var trend = RingTrend()
    for fill in [300, 400] { trend.enter(fill, at: Instant(nanoseconds: 5)) }
    #expect(trend.timeUntilFull(1000) == nil)
  }

  @Test(
    "can use a disk's measured speed",
    .enabled(if: (try? DiskProbe(folder: "/tmp", lasting: .milliseconds(1))) != nil))
  func measure() throws {
    #expect(try DiskProbe(folder: "/tmp", lasting: .milliseconds(1)).bytesPerSecond > 0)
  }
}
