import Foundation
import Testing
import Timebase

@testable import CameraModel

@Suite("The camera model's values in JSON")
struct ModelJSONTests {
  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test("have every key, and null for what is unknown")
  func keys() throws {
    let mode = AcceptedMode(fourcc: "MJPG", width: 640, height: 480, interval: FrameInterval(1, 30))
    #expect(try json(mode) == #"{"fourcc":"MJPG","fps":30,"height":480,"interval":[1,30],"width":640}"#)
    let table = try JSONDecoder().decode(
      CameraTable.self, from: Data(#"{"card": "A", "driver": "d", "modes": []}"#.utf8))
    #expect(
      try json(CameraIdentity(name: "/dev/video0", table: table))
        == #"{"bus":null,"card":"A","driver":"d","name":"/dev/video0","sensor":null}"#)
    #expect(
      try json(CameraMounting(orientation: .front, rotation: 90))
        == #"{"kind":null,"orientation":"front","rotation":90}"#)
    #expect(
      try json(Readout(isBinned: true, binning: [2, 2], evidence: Evidence.driver))
        == #"{"binned":true,"binning":[2,2],"crop":null,"evidence":"driver","fov_percent":null,"scaled":null}"#
    )
    #expect(
      try json(MeasuredRate(asked: FrameRate(whole: 240), got: FrameRate(text: "119.5")))
        == #"{"asked":240,"got":119.5}"#)
  }

  @Test("write a size as exactly two numbers")
  func sizes() throws {
    #expect(try json(Dimensions(width: 640, height: 480)) == "[640,480]")
    for text in ["[640]", "[640, 480, 2]", "640"] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(Dimensions.self, from: Data(text.utf8))
      }
    }
  }

  @Test("read a turn back as written, but refuse one that is not a multiple of 90 degrees")
  func turns() throws {
    let turn = try #require(PictureTurn(degrees: 270, isMirrored: true))
    #expect(try json(turn) == #"{"mirror":true,"rotate":270}"#)
    #expect(try JSONDecoder().decode(PictureTurn.self, from: JSONEncoder().encode(turn)) == turn)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(PictureTurn.self, from: Data(#"{"rotate": 45, "mirror": false}"#.utf8))
    }
    #expect(PictureTurn.none == PictureTurn(degrees: 0) && !PictureTurn.none.isMirrored)
  }
}
