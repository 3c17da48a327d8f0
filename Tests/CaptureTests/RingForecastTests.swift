import Platform
import SystemPackage
import Testing
import Timebase

@testable import Capture

@Suite("The forecast of a full ring")
struct RingForecastTests {
  @Test("a disk as fast as the mode fits")
  func fits() {
    let forecast = RingForecast(
      modeBytesPerSecond: 498_000_000, diskBytesPerSecond: 1_000_000_000, ringBytes: 512 << 20)
    #expect(forecast.timeUntilFull == nil)
    #expect(forecast.description == "This mode gives 498 MB/s, the disk takes 1000 MB/s: fits.")
    #expect(
      RingForecast(modeBytesPerSecond: 7, diskBytesPerSecond: 7, ringBytes: 1).timeUntilFull == nil)
  }

  @Test("a slower one fills the ring with what it leaves")
  func fills() {
    let forecast = RingForecast(
      modeBytesPerSecond: 500_000_000, diskBytesPerSecond: 400_000_000, ringBytes: 600_000_000)
    #expect(forecast.timeUntilFull == .seconds(6))
    #expect(
      forecast.description
        == "This mode gives 500 MB/s, the disk takes 400 MB/s: loses frames after about 6.0 s, when the ring is full."
    )
  }

  @Test("a ring that grows by a tenth a second, half full, is full in five")
  func trend() throws {
    var trend = RingTrend()
    #expect(trend.timeUntilFull(1000) == nil)
    for step in 0...20 { trend.enter(300 + 10 * step, at: Instant(nanoseconds: Int64(step) * 100_000_000)) }
    let time = try #require(trend.timeUntilFull(1000))
    #expect(abs(time / .seconds(1) - 5) < 1e-9)
  }

  @Test(
    "a ring that empties, stands still or holds a frame or two is not called full", arguments: [-10, 0, 2])
  func noTrend(_ growth: Int) {
    var trend = RingTrend()
    for step in 0...20 {
      trend.enter(
        max(0, (growth < 2 ? 300 : 0) + growth * step), at: Instant(nanoseconds: Int64(step) * 100_000_000))
    }
    #expect(trend.timeUntilFull(1000) == nil)
  }

  @Test("what was seen at one moment is no trend")
  func moment() {
    var trend = RingTrend()
    for fill in [300, 400] { trend.enter(fill, at: Instant(nanoseconds: 5)) }
    #expect(trend.timeUntilFull(1000) == nil)
  }

  @Test(
    "a disk's speed is measured without a trace",
    .enabled(if: (try? DiskProbe(folder: "/tmp", lasting: .milliseconds(1))) != nil))
  func measure() throws {
    #expect(try DiskProbe(folder: "/tmp", lasting: .milliseconds(1)).bytesPerSecond > 0)
  }
}
