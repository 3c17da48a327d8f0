import Testing
import Timebase

@testable import Retime

@Suite("A clip without a requested rate shows every frame once if players support that rate")
struct UsualRateTests {
  @Test(
    "and has 30 fps otherwise",
    arguments: [
      ("240", "1/8", "30"), ("240", "1/4", "60"), ("240", "1/10", "24"), ("240", "1/2", "30"),
      ("240", "1/16", "30"),
      ("120", "1/4", "30"), ("120", "1/2", "60"), ("119.88", "1/4", "30000/1001"),
      ("120000/1001", "1/2", "60000/1001"),
      ("239.87", "1/4", "60000/1001"), ("100", "1/3", "100/3"), ("250", "1/8", "125/4"),
      ("237.1234567", "1/8", "29.64"),
      ("24000/1001", "1/1", "24000/1001"), ("30000/1001", "1/1", "30000/1001"), ("60", "1/1", "60"),
      ("60", "1/8", "30"), ("1000", "1/40", "25"), ("0.001", "1/8", "30"),
      ("240", "0s:1,1s:1/8", "30"),
    ])
  func rates(_ captured: String, _ speed: String, _ expected: String) throws {
    let interval = try FrameRate(text: captured).interval
    let rate = FrameRate.usual(forFramesEvery: interval, at: try SpeedCurve(text: speed))
    #expect(rate == (try FrameRate(text: expected)), "\(rate.framesPerSecond)")
  }

  @Test("or if nothing is known")
  func unknown() throws {
    let thirty = FrameRate(whole: 30)
    #expect(FrameRate.usual(forFramesEvery: nil, at: try SpeedCurve(text: "1/4")) == thirty)
    #expect(FrameRate.usual(forFramesEvery: Fraction(1, 240), at: nil) == thirty)
    #expect(FrameRate.usual(forFramesEvery: Fraction(0), at: try SpeedCurve(text: "1/4")) == thirty)
  }

  @Test(
    "and a measured speed becomes the nearest that containers can hold",
    arguments: [
      (Fraction(338_181_818_181, 100_000_000_000), Fraction(186, 55)), (Fraction(1, 8), Fraction(1, 8)),
      (Fraction(4_166_666_667 * 50, 1_000_000_000_000), Fraction(5, 24)),
      (Fraction(1 << 40), Fraction(2_147_483_647)),
    ])
  func short(_ exact: Fraction, _ expected: Fraction) {
    #expect(exact.short == expected)
  }
}
