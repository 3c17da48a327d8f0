package import CameraModel
import Timebase

/// Tables that no sane driver would give, made from a seed.
package struct HostileTables {
  /// The source of random numbers.
  package var random: SplitMix

  /// Creates tables from `random`.
  package init(random: SplitMix) { self.random = random }

  /// Returns the next table.
  package mutating func table() -> CameraTable {
    CameraTable(rows: (0..<Int.random(in: 0...14, using: &random)).map { _ in row() })
  }

  private mutating func pick<Value>(_ values: [Value], or other: Value) -> Value {
    values.randomElement(using: &random) ?? other
  }

  private mutating func term() -> UInt32 {
    pick([0, 1, 1, 1, 2, 1001, 1000, 333_333, .max - 1, .max], or: 1)
  }

  private mutating func rate() -> UInt32 {
    pick([0, 1, 30, 60, 90, 119, 120, 240, 239, 120_000, 30_000, 10_000_000, .max], or: 1)
  }

  private mutating func interval() -> FrameInterval { FrameInterval(term(), rate()) }

  private mutating func range(hasStep: Bool) -> IntervalRange {
    IntervalRange(min: interval(), max: interval(), step: hasStep ? interval() : nil)
  }

  private mutating func side() -> UInt32 {
    pick([0, 1, 240, 320, 480, 640, 720, 1080, 1280, 1920, .max], or: 1)
  }

  private mutating func dimensions() -> Dimensions { Dimensions(width: side(), height: side()) }

  private mutating func row() -> ModeRow {
    let size: FrameSize =
      switch Int.random(in: 0..<6, using: &random) {
      case 0: .stepwise(min: dimensions(), max: dimensions(), step: dimensions())
      case 1: .continuous(min: dimensions(), max: dimensions())
      default: .discrete(width: side(), height: side())
      }
    var row = ModeRow(
      fourcc: pick(
        ["MJPG", "JPEG", "YUYV", "NV12", "H264", "HEVC", "Y16 ", "Y16 -BE", "", "    ", "\0\0\0\0", "????"],
        or: "YUYV"),
      size: size, intervals: (0..<Int.random(in: 0...3, using: &random)).map { _ in interval() })
    if Int.random(in: 0..<4, using: &random) == 0 { row.stepwise = range(hasStep: true) }
    if Int.random(in: 0..<4, using: &random) == 0 { row.continuous = range(hasStep: false) }
    row.readout.isBinned = pick([nil, true, false], or: nil)
    row.range = pick([nil, "full", "limited"], or: nil)
    return row
  }
}
