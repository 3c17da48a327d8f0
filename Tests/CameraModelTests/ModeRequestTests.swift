import Foundation
import Testing
import Timebase

@testable import CameraModel

@Suite("A request for one mode of a table")
struct ModeRequestTests {
  private let table = CameraTable(rows: [
    ModeRow(
      fourcc: "MJPG", size: .discrete(width: 1280, height: 720),
      intervals: [FrameInterval(1, 240), FrameInterval(1, 120)]),
    ModeRow(
      fourcc: "MJPG", size: .discrete(width: 640, height: 480), intervals: [FrameInterval(1, 120)]),
    ModeRow(
      fourcc: "YUYV", size: .discrete(width: 640, height: 480), intervals: [FrameInterval(1, 120)]),
  ])
  private let asked = ModeChoice.Request(rate: FrameRate(whole: 240))

  private func mode(_ fourcc: String, _ width: UInt32, _ height: UInt32, _ rate: UInt32) -> Mode {
    Mode(fourcc: fourcc, width: width, height: height, interval: FrameInterval(1, rate))
  }

  @Test("adds only what is needed: the rate, then the format, then the width")
  func least() {
    let rate = FrameRate(whole: 120)
    #expect(asked.taking(mode("MJPG", 1280, 720, 240), of: table) == asked)
    #expect(
      asked.taking(mode("YUYV", 640, 480, 120), of: table)
        == ModeChoice.Request(rate: rate, .init(format: .only(.yuyv))))
    #expect(
      asked.taking(mode("MJPG", 640, 480, 120), of: table)
        == ModeChoice.Request(rate: rate, .init(maxWidth: 640)))
    #expect(asked.taking(mode("MJPG", 320, 240, 120), of: table) == nil)
  }

  @Test("keeps the maximum width that was already requested")
  func width() {
    var narrow = asked
    narrow.criteria.maxWidth = 800
    #expect(
      narrow.taking(mode("MJPG", 640, 480, 120), of: table)
        == ModeChoice.Request(rate: FrameRate(whole: 120), .init(maxWidth: 800)))
    #expect(narrow.taking(mode("MJPG", 1280, 720, 240), of: table) == nil)
  }

  @Test("is written to JSON with its result, the rate, and the runners-up or else the nearest modes")
  func json() throws {
    func keys(_ rate: Int64) throws -> [String: Any] {
      let choice = ModeChoice(from: table, for: ModeChoice.Request(rate: FrameRate(whole: rate)))
      let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(choice))
      return try #require(json as? [String: Any])
    }
    let (found, none) = (try keys(120), try keys(500))
    #expect(Set(found.keys) == ["mode", "reason", "asked_fps", "runners_up"])
    #expect(found["asked_fps"] as? Double == 120)
    #expect(Set(none.keys) == ["mode", "reason", "asked_fps", "nearest"])
    #expect(none["mode"] is NSNull)
  }
}
