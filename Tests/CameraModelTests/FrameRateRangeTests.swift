import Testing
import Timebase

@testable import CameraModel

@Suite("The frame rates of a mode row")
struct FrameRateRangeTests {
  @Test(
    "extend one percent beyond both ends of a range, and no further",
    arguments: [
      ("60", true), ("90", true), ("120", true), ("59.5", true), ("6000/101", true), ("59.4", false),
      ("121", true), ("4000/33", true), ("121.3", false), ("240", false), ("30", false),
    ])
  func tolerance(_ text: String, _ isIn: Bool) throws {
    let range = FrameRateRange(from: FrameRate(whole: 60), to: FrameRate(whole: 120))
    #expect(try range.contains(FrameRate(text: text)) == isIn)
  }

  @Test("are each listed rate, and every rate within its ranges")
  func ranges() throws {
    var row = ModeRow(
      fourcc: "MJPG", size: .discrete(width: 640, height: 480), intervals: [FrameInterval(1, 240)])
    row.continuous = IntervalRange(min: FrameInterval(1, 120), max: FrameInterval(1, 30))
    let (fast, slow) = (FrameRate(whole: 240), FrameRate(whole: 120))
    #expect(
      row.frameRateRanges == [
        FrameRateRange(from: fast, to: fast), FrameRateRange(from: FrameRate(whole: 30), to: slow),
      ])
    #expect(row.mode(at: fast)?.interval == FrameInterval(1, 240))
    #expect(row.mode(at: FrameRate(whole: 60))?.interval.rate == FrameRate(whole: 60))
    #expect(row.mode(at: FrameRate(whole: 180)) == nil)
    // A reversed range promises nothing.
    row.continuous = IntervalRange(min: FrameInterval(1, 30), max: FrameInterval(1, 120))
    #expect(row.frameRateRanges.count == 1)
  }

  @Test("have the latest measurement of each, highest rate first")
  func measured() throws {
    var row = ModeRow(fourcc: "MJPG", size: .discrete(width: 640, height: 480))
    let rates = try ["120", "60", "120"].map { try FrameRate(text: $0) }
    let got = try ["119", "59", "118"].map { try FrameRate(text: $0) }
    row.measured = zip(rates, got).map { MeasuredRate(asked: $0, got: $1) }
    #expect(row.measured(of: rates[1]) == got[1])
    #expect(row.measured(of: FrameRate(whole: 30)) == nil)
    #expect(
      row.latestMeasured == [
        MeasuredRate(asked: rates[0], got: got[2]), MeasuredRate(asked: rates[1], got: got[1]),
      ])
  }
}
