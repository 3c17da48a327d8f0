import CameraModel
import Foundation
import Media
import Platform
import Takes
import Testing
import Timebase

@testable import Retime

@Suite("The spec of a clip")
struct ClipSpecTests {
  private func read(_ spec: ClipSpec) throws -> ClipSpec {
    try JSONDecoder().decode(ClipSpec.self, from: JSONEncoder().encode(spec))
  }

  /// One of each stage.
  private func stages() throws -> PictureStages {
    PictureStages(
      DeinterlacingOptions.bottom,
      DevelopmentOptions(
        whiteBalance: .gains(red: 1.0 / 3, green: 1, blue: 1.6), black: 64, isForced: true),
      PictureTurn(degrees: 90, isMirrored: true), try ClipCrop(text: "640x360+16+8"),
      try ClipScale(text: "1/3"), ToneMapping.sdr, Deflicker(),
      ClipZoom(
        try ZoomCurve(text: "0s:1, ease 1.2s:10/3"), at: try ZoomPath(text: "0.2,1/3@0s ease 0.8,0.5@2s")),
      FrameStamp(), try ClipText(text: "words@0.5,0.1"), PlaybackOrder.bounce)
  }

  @Test("has a part that ends after it begins, and begins within the source")
  func part() {
    func fault(_ part: ClipSpan) -> OvercrankError.Code? {
      do throws(OvercrankError) { try part.check(lasting: Fraction(3)) } catch { return error.code }
      return nil
    }
    #expect(fault(ClipSpan(start: .seconds(1), end: .seconds(2))) == nil)
    #expect(fault(ClipSpan(start: .seconds(2), end: .seconds(2))) == .outOfRange)
    #expect(fault(ClipSpan(start: .seconds(3))) == .outOfRange)
  }

  @Test("is tested with every stage")
  func everyStage() throws {
    let names = try JSONSerialization.jsonObject(with: JSONEncoder().encode(stages())) as? [[String: Any]]
    #expect(names?.flatMap(\.keys) == PictureStages.kinds.map { $0.name })
  }

  @Test(
    "is read as it was written, to the last term of each fraction",
    arguments: [
      "1/8", "2/3", "0.4", "0s:1, 1.2s:1/7, 2s:freeze 1s, ease 3s:3/7", "0s:1/2, 1s:1/2", "1s:1/2",
      "0s:1, 1s:1, 1s:1/9",
    ])
  func speed(_ text: String) throws {
    let curve = try SpeedCurve(text: text)
    let spec = ClipSpec(
      RenderSpec(
        speed: curve, outputRate: FrameRate(Fraction(30_000, 1001)), fill: .flow, stages: try stages(),
        codec: .hevc, preset: .slow, quality: 21.5, playCount: 2,
        largestSize: 10_000_000, audio: .pitch, layout: .grid),
      of: ClipSpan(start: .milliseconds(250), end: .seconds(3)))
    #expect(try read(spec) == spec)
    let copy = ClipSpec(copy: CopySpec(speed: curve, turn: PictureTurn(degrees: 270)))
    #expect(try read(copy) == copy)
  }

  @Test("is kept as it is in a take, even if it is unknown")
  func inATake() throws {
    let spec = ClipSpec(RenderSpec(stages: try stages()))
    let description = try ClipDescription(spec)
    let kept = try JSONDecoder().decode(ClipDescription.self, from: JSONEncoder().encode(description))
    #expect(kept == description)
    #expect(try kept.read(as: ClipSpec.self) == spec)
  }

  @Test("with a stage that this version does not know is refused, and the stage is named")
  func unknownStage() {
    let text =
      #"{"part":{"start_ns":0},"render":{"fill":"hold","stages":[{"warp":{}}],"codec":"h264","preset":"fast"}}"#
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ClipSpec.self, from: Data(text.utf8))
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("warp"))
  }

  @Test("has one stage of each kind, in the order in which pictures pass through them")
  func order() throws {
    let crop = try ClipCrop(text: "9:16")
    let stages = PictureStages(FrameStamp(), try ClipCrop(text: "1:1")).with(crop, nil)
    #expect(stages == PictureStages(crop, FrameStamp()))
    #expect(stages[ClipCrop.self] == crop && stages[ClipScale.self] == nil)
    let written = String(decoding: try JSONEncoder().encode(stages), as: UTF8.self)
    #expect(written == #"[{"crop":"9:16"},{"stamp":true}]"#)
  }
}
