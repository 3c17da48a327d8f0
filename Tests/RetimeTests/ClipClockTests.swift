import Testing
import Timebase

@testable import Retime

@Suite("The ticks of a clip whose frames are copied")
struct ClipClockTests {
  @Test(
    "are whole numbers at a constant speed, and at least a thousand a second",
    arguments: [
      (Fraction(1, 30), "1/8", 1005, 8040), (Fraction(1, 1_000_000), "1/8", 125_000, 30),
      (Fraction(1, 1000), "1", 1000, 30),
    ] as [(Fraction, String, Int32, Int64)])
  func constant(_ timeBase: Fraction, _ speed: String, _ timescale: Int32, _ ticks: Int64) throws {
    let clock = ClipClock(timeBase, try SpeedCurve(text: speed))
    #expect(clock.timescale == timescale)
    #expect(clock.ticks(30) == ticks)
    #expect(clock.ticks(40, from: 10) == ticks)
  }

  @Test("are microseconds along a curve")
  func curve() throws {
    let clock = ClipClock(Fraction(1, 1000), try SpeedCurve(text: "0s:1/8, 1s:1/8, 1s:1"))
    #expect(clock.timescale == 1_000_000)
    #expect(clock.ticks(1000) == 8_000_000)
    #expect(clock.ticks(1500) == 8_500_000)
    #expect(clock.ticks(1500, from: 500) == 4_500_000)
  }
}
