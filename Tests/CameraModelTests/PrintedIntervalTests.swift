import Testing
import Timebase

@testable import CameraModel

@Suite("Rounded intervals that programs print")
struct PrintedIntervalTests {
  @Test(
    "are read as the exact intervals that were meant",
    arguments: [
      ("0.033", "30.000", FrameInterval(1, 30)), ("0.033333", "30.000", FrameInterval(1, 30)),
      ("0.008", "119.880", FrameInterval(1001, 120_000)), ("0.002", "479.520", FrameInterval(1001, 480_000)),
      ("0.133", "7.500", FrameInterval(2, 15)), ("0.667", "1.500", FrameInterval(2, 3)),
      ("1.250", "0.800", FrameInterval(5, 4)), ("0.0166667", nil, FrameInterval(1, 60)),
      ("0.033", nil, FrameInterval(1, 30)), ("inf", nil, FrameInterval(1, 0)),
      ("nan", nil, FrameInterval(0, 0)),
      ("0.000", nil, FrameInterval(0, 1)),
    ] as [(String, String?, FrameInterval)])
  func intervals(_ seconds: String, _ rate: String?, _ interval: FrameInterval) throws {
    let printed = try #require(PrintedNumber(seconds[...]))
    #expect(
      FrameInterval(printed: printed, framesPerSecond: rate.flatMap { PrintedNumber($0[...]) }) == interval)
  }

  @Test("must be decimal numbers, not fractions or words", arguments: ["1/30", "x", "", "-1", "1e3"])
  func wrong(_ text: String) { #expect(PrintedNumber(text[...]) == nil) }
}
