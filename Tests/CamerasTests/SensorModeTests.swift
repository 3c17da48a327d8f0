import CameraModel
import Foundation
import Testing
import Timebase
import V4L2

@testable import Cameras

/// A sensor with scripted answers.
private struct AnsweringSensor: SensorDriver {
  var codes: (UInt32) -> MediaBusCode? = { $0 == 0 ? MediaBusCode(rawValue: 0x300f) : nil }
  var sizes: (UInt32) -> FrameSize? = { _ in nil }
  var intervals: (Dimensions, UInt32) -> FrameInterval? = { _, _ in nil }

  func busCode(at index: UInt32, ofPad pad: UInt32) -> MediaBusCode? { codes(index) }
  func frameSize(of code: MediaBusCode, at index: UInt32, ofPad pad: UInt32) -> FrameSize? { sizes(index) }
  func frameInterval(
    of code: MediaBusCode, size: Dimensions, at index: UInt32, ofPad pad: UInt32
  ) -> FrameInterval? { intervals(size, index) }
}

@Suite("A sensor's own modes")
struct SensorModeTests {
  @Test("are its bus formats, sizes and intervals, in its order")
  func modes() throws {
    let sensor = AnsweringSensor(
      sizes: { [.discrete(width: 1640, height: 1232), .discrete(width: 640, height: 480)].entry(at: $0) },
      intervals: { size, index in
        index == 0 ? FrameInterval(1, size.width == 640 ? 200 : 80) : nil
      })
    var lists = ListReader()
    let modes = try lists.sensorModes(of: sensor, pad: 0)
    #expect(
      modes == [
        SensorMode(
          code: "SRGGB10_1X10", size: .discrete(width: 1640, height: 1232), intervals: [FrameInterval(1, 80)]),
        SensorMode(
          code: "SRGGB10_1X10", size: .discrete(width: 640, height: 480), intervals: [FrameInterval(1, 200)]),
      ])
    #expect(lists.warnings.isEmpty)
    let copy = try JSONDecoder().decode([SensorMode].self, from: try JSONEncoder().encode(modes))
    #expect(copy == modes)
  }

  @Test("keep sizes that are ranges, reversed, zero or huge, also through JSON")
  func oddSizes() throws {
    func size(_ width: UInt32, _ height: UInt32) -> Dimensions { Dimensions(width: width, height: height) }
    let sizes: [FrameSize] = [
      .continuous(min: size(16, 16), max: size(4096, 2160)), .continuous(min: size(9, 9), max: size(1, 1)),
      .discrete(width: 0, height: 0), .discrete(width: .max, height: .max),
    ]
    var lists = ListReader()
    let modes = try lists.sensorModes(of: AnsweringSensor(sizes: { sizes.entry(at: $0) }), pad: 0)
    #expect(modes.map(\.size) == sizes)
    let copy = try JSONDecoder().decode([SensorMode].self, from: try JSONEncoder().encode(modes))
    #expect(copy == modes)
  }

  @Test("are cut off with a warning if a list never ends", .timeLimit(.minutes(1)))
  func endless() throws {
    var lists = ListReader()
    let modes = try lists.sensorModes(
      of: AnsweringSensor(
        codes: { MediaBusCode(rawValue: $0) }, sizes: { .discrete(width: $0, height: $0) },
        intervals: { _, _ in FrameInterval(1, 30) }),
      pad: 0)
    #expect(modes.reduce(0) { $0 + $1.intervals.count } <= ListReader.mostEntries)
    #expect(lists.warnings.count == 2)
  }
}

extension Array {
  fileprivate func entry(at index: UInt32) -> Element? { index < count ? self[Int(index)] : nil }
}
