import Testing
import Timebase

@testable import CameraModel

@Suite("A requested mode")
struct RequestedModeTests {
  private var table: CameraTable {
    func row(_ fourcc: String, _ width: UInt32, _ height: UInt32, _ rates: UInt32...) -> ModeRow {
      ModeRow(
        fourcc: fourcc, size: .discrete(width: width, height: height),
        intervals: rates.map { FrameInterval(1, $0) })
    }
    return CameraTable(rows: [
      row("MJPG", 1280, 720, 240, 120), row("YUYV", 640, 480, 240, 120), row("MJPG", 640, 480, 240),
      row("GREY", 640, 360, 240),
    ])
  }

  @Test(
    "takes the mode that the rule chooses among those of exactly its size and rate",
    arguments: [
      ("640x480@240", "640x480 MJPG at 240 fps"), ("640x480@240 YUYV", "640x480 YUYV at 240 fps"),
      ("640x480@120", "640x480 YUYV at 120 fps"), ("640x480@120 raw", "640x480 YUYV at 120 fps"),
      ("720p@119.88fps", "1280x720 MJPG at 120 fps"), ("high@240 grey", "640x360 GREY at 240 fps"),
    ])
  func taken(_ text: String, _ mode: String) throws {
    let choice = try ModeRequest(text: text).choice(from: table, .init(maxWidth: 100))
    #expect(choice.mode?.description == mode)
  }

  @Test("lists what the camera has if it has no such mode", arguments: ["641x480@240", "640x360@500"])
  func none(_ text: String) throws {
    let choice = try ModeRequest(text: text).choice(from: table, .init())
    #expect(choice.mode == nil)
    #expect(choice.reason.contains("640x360") || choice.reason.contains("640x480"), "\(choice.reason)")
  }

  @Test("follows the other criteria's format if it names none")
  func format() throws {
    let choice = try ModeRequest(text: "640x480@240").choice(from: table, .init(format: .raw))
    #expect(choice.mode?.fourcc == "YUYV")
  }

  @Test(
    "survives a round trip through text",
    arguments: ["640x480@240", "720p@120000/1001 YUYV", "high@0.5 mjpeg"])
  func text(_ text: String) throws {
    #expect(try ModeRequest(text: text).description == text)
  }

  @Test(
    "is refused if malformed",
    arguments: ["", "640x480", "640x480@", "@240", "640x@240", "+640x480@240", "640x480@0", "640x480@240 "])
  func wrong(_ text: String) { #expect(throws: QuantityError.self) { try ModeRequest(text: text) } }
}
