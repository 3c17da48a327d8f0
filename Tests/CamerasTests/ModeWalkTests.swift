import CameraModel
import Testing
import Timebase

@testable import Cameras

/// A driver with scripted answers.
private struct AnsweringDriver: ModeDriver {
  var formats: (UInt32) -> PixelFormat? = { $0 == 0 ? .yuyv : nil }
  var sizes: (UInt32) -> FrameSize? = { _ in nil }
  var intervals: (Dimensions, UInt32) -> FrameIntervals? = { _, _ in nil }
  var nearest: (Dimensions) -> Dimensions? = { $0 }

  func pixelFormat(at index: UInt32) -> PixelFormat? { formats(index) }
  func frameSize(of format: PixelFormat, at index: UInt32) -> FrameSize? { sizes(index) }
  func frameIntervals(of format: PixelFormat, size: Dimensions, at index: UInt32) -> FrameIntervals? {
    intervals(size, index)
  }
  func nearestSize(to size: Dimensions, of format: PixelFormat) -> Dimensions? { nearest(size) }
}

@Suite("The table made from a driver's lists")
struct ModeWalkTests {
  private func size(_ width: UInt32, _ height: UInt32) -> Dimensions {
    Dimensions(width: width, height: height)
  }

  private func stepwise(_ min: Dimensions, _ max: Dimensions, _ step: Dimensions) -> (UInt32) -> FrameSize? {
    // The same range at every index, as from drivers that ignore the index.
    { _ in .stepwise(min: min, max: max, step: step) }
  }

  private func sampled(_ walk: ModeWalk) -> [FrameSize] { walk.rows.filter(\.isSampled).map(\.size) }

  private func chosen(_ walk: ModeWalk, at rate: Int64) -> Mode? {
    ModeChoice(from: CameraTable(rows: walk.rows), for: .init(rate: FrameRate(whole: rate))).mode
  }

  @Test("keeps formats, sizes and intervals that are listed twice")
  func twice() throws {
    let walk = try ModeWalk(
      AnsweringDriver(
        formats: { $0 < 2 ? .yuyv : nil },
        sizes: { $0 < 2 ? .discrete(width: 640, height: 480) : nil },
        intervals: { _, index in index < 2 ? .discrete(FrameInterval(1, 30)) : nil }))
    #expect(walk.rows.count == 4)
    #expect(walk.rows.allSatisfy { $0.intervals == [FrameInterval(1, 30), FrameInterval(1, 30)] })
    #expect(walk.warnings.isEmpty)
  }

  @Test("has a row for a range, and one for each end and each common size in it")
  func range() throws {
    let walk = try ModeWalk(
      AnsweringDriver(
        sizes: stepwise(size(320, 240), size(1920, 1080), size(16, 8)),
        intervals: { size, index in
          index == 0 ? .discrete(size.width > 1280 ? FrameInterval(1, 30) : FrameInterval(1, 120)) : nil
        },
        // Accepts only heights that are multiples of 16, and 1080.
        nearest: { $0.height.isMultiple(of: 16) || $0.height == 1080 ? $0 : size(320, 240) }))
    #expect(
      walk.rows.first?.size == .stepwise(min: size(320, 240), max: size(1920, 1080), step: size(16, 8)))
    #expect(walk.rows.first?.intervals == [FrameInterval(1, 30)])
    #expect(
      sampled(walk) == [
        .discrete(width: 1920, height: 1080), .discrete(width: 1280, height: 1024),
        .discrete(width: 1280, height: 960), .discrete(width: 1280, height: 800),
        .discrete(width: 1280, height: 720), .discrete(width: 1024, height: 768),
        .discrete(width: 640, height: 480), .discrete(width: 640, height: 400),
        .discrete(width: 320, height: 240),
      ])
    #expect(chosen(walk, at: 30)?.width == 1920)
    #expect(chosen(walk, at: 120)?.width == 1280)
    #expect(chosen(walk, at: 120)?.height == 1024)
  }

  @Test("promises nothing for a largest size that the driver refuses, and warns about it")
  func refused() throws {
    let walk = try ModeWalk(
      AnsweringDriver(
        sizes: stepwise(size(16, 16), size(8192, 8192), size(2, 2)),
        intervals: { _, index in index == 0 ? .discrete(FrameInterval(1, 60)) : nil },
        nearest: { size(min($0.width, 1280), min($0.height, 720)) }))
    #expect(walk.rows.first?.intervals == [])
    #expect(walk.warnings.count == 1)
    #expect(walk.warnings.first?.contains("8192x8192") == true)
    #expect(chosen(walk, at: 60)?.width == 1280)
    #expect(chosen(walk, at: 60)?.height == 720)
  }

  @Test("keeps a range without samples if the driver cannot try sizes")
  func untried() throws {
    let walk = try ModeWalk(
      AnsweringDriver(
        sizes: stepwise(size(16, 16), size(1280, 720), size(2, 2)),
        intervals: { _, index in index == 0 ? .discrete(FrameInterval(1, 60)) : nil }, nearest: { _ in nil }))
    #expect(walk.rows.count == 1)
    #expect(chosen(walk, at: 60)?.width == 1280)
  }

  @Test("tries sizes if the driver lists none")
  func noSizes() throws {
    let walk = try ModeWalk(
      AnsweringDriver(
        intervals: { _, index in index == 0 ? .discrete(FrameInterval(1, 25)) : nil },
        nearest: { _ in size(720, 576) }))
    #expect(walk.rows.map(\.size) == [.discrete(width: 720, height: 576)])
    #expect(walk.rows.first?.isSampled == true)
    #expect(walk.rows.first?.intervals == [FrameInterval(1, 25)])
  }

  @Test("samples a range that is one size, reversed, empty or without a step as far as possible")
  func oddRanges() {
    func samples(_ min: Dimensions, _ max: Dimensions, _ step: Dimensions) -> [Dimensions] {
      SizeRange(from: min, to: max, step: step).samples
    }
    #expect(samples(size(640, 480), size(640, 480), size(0, 0)) == [size(640, 480)])
    #expect(samples(size(320, 240), size(640, 480), size(0, 0)) == [size(640, 480), size(320, 240)])
    #expect(
      samples(size(640, 480), size(320, 240), size(80, 120)) == [
        size(640, 480), size(640, 360), size(320, 240),
      ])
    #expect(samples(size(0, 0), size(0, 0), size(0, 0)).isEmpty)
    #expect(samples(size(.max, .max), size(.max, .max), size(.max, .max)) == [size(.max, .max)])
    #expect(samples(size(0, 0), size(.max, .max), size(.max, .max)) == [size(.max, .max)])
    #expect(samples(size(1, 1), size(8, 8), size(1, 1)) == [size(8, 8), size(1, 1)])
    #expect(samples(size(1, 8), size(8, 1), size(1, 1)) == [size(8, 8), size(1, 1)])
  }

  @Test("counts the steps of a range from its smallest size")
  func steps() {
    #expect(
      SizeRange(from: size(8, 8), to: size(1300, 1100), step: size(24, 1)).samples == [
        size(1300, 1100), size(1280, 1024), size(1280, 960), size(1280, 800), size(1280, 720), size(800, 600),
        size(320, 240), size(8, 8),
      ])
  }

  @Test("samples what the driver makes of a range's ends, but not what it makes of other sizes")
  func ends() throws {
    let walk = try ModeWalk(
      AnsweringDriver(
        sizes: stepwise(size(100, 100), size(700, 500), size(1, 1)),
        nearest: { $0 == size(700, 500) ? size(696, 496) : size($0.width - 4, $0.height - 4) }))
    #expect(sampled(walk) == [.discrete(width: 696, height: 496), .discrete(width: 96, height: 96)])
  }

  @Test("has a single warning for several endless lists")
  func severalEndless() throws {
    let walk = try ModeWalk(
      AnsweringDriver(
        sizes: { $0 < 3 ? .discrete(width: 640 + $0, height: 480) : nil },
        intervals: { _, _ in .discrete(FrameInterval(1, 30)) }))
    #expect(walk.warnings.count == 1)
    #expect(walk.warnings.first?.contains("intervals of YUYV at 640x480 or of 2 others:") == true)
  }

  @Test(
    "shows intervals with zero or huge terms, reversed ranges and zero steps, but they are never chosen",
    arguments: [
      FrameIntervals.discrete(FrameInterval(0, 30)), .discrete(FrameInterval(1, 0)),
      .discrete(FrameInterval(0, 0)), .discrete(FrameInterval(.max, 1)), .discrete(FrameInterval(.max, .max)),
      .stepwise(min: FrameInterval(1, 1), max: FrameInterval(1, 1), step: FrameInterval(0, 0)),
      .continuous(min: FrameInterval(0, 0), max: FrameInterval(0, 0)),
      .continuous(min: FrameInterval(1, 0), max: FrameInterval(0, 1)),
    ])
  func oddIntervals(_ odd: FrameIntervals) throws {
    let walk = try ModeWalk(
      AnsweringDriver(
        sizes: {
          [.discrete(width: 4096, height: 2160), .discrete(width: 640, height: 480)].entry(at: $0)
        },
        intervals: { size, index in
          index > 0 ? nil : size.width == 640 ? .discrete(FrameInterval(1, 120)) : odd
        }))
    #expect(walk.rows.count == 2)
    #expect(chosen(walk, at: 120)?.width == 640)
    let shown = try #require(walk.rows.first)
    #expect(shown.intervals.count + [shown.stepwise, shown.continuous].compactMap(\.self).count == 1)
  }

  @Test("shows a format of zero bytes, but it is never chosen")
  func zeroFormat() throws {
    let walk = try ModeWalk(
      AnsweringDriver(
        formats: { $0 == 0 ? PixelFormat(rawValue: 0) : nil },
        sizes: { $0 == 0 ? .discrete(width: 640, height: 480) : nil },
        intervals: { _, index in index == 0 ? .discrete(FrameInterval(1, 30)) : nil }))
    #expect(walk.rows.map(\.fourcc) == ["\0\0\0\0"])
    #expect(chosen(walk, at: 30) == nil)
  }

  @Test("cuts endless lists off with a warning", .timeLimit(.minutes(1)))
  func endless() throws {
    let intervals = try ModeWalk(
      AnsweringDriver(
        sizes: { $0 == 0 ? .discrete(width: 640, height: 480) : nil },
        intervals: { _, _ in .discrete(FrameInterval(1, 30)) }))
    #expect(intervals.rows.first?.intervals.count == Int(ListReader.longestList))
    #expect(intervals.warnings.count == 1)
    #expect(intervals.warnings.first?.contains("intervals of YUYV at 640x480") == true)

    let all = try ModeWalk(
      AnsweringDriver(
        formats: { PixelFormat(rawValue: $0) }, sizes: { .discrete(width: $0, height: $0) },
        intervals: { _, _ in .discrete(FrameInterval(1, 30)) }))
    #expect(all.rows.reduce(0) { $0 + $1.intervals.count } <= ListReader.mostEntries)
    #expect(all.warnings.count == 2)
    #expect(all.warnings.last?.contains("\(ListReader.mostEntries)") == true)
  }
}

extension Array {
  fileprivate func entry(at index: UInt32) -> Element? { index < count ? self[Int(index)] : nil }
}
