import Testing

@testable import CameraModel

@Suite("The camera model's values as text")
struct ModelTextTests {
  @Test(
    "become a single word where a line needs one",
    arguments: [
      ("MJPG", "MJPG"), ("Y16 ", "Y16"), ("HD Cam ", "HD_Cam"), ("", "?"), ("  ", "?"), ("a\u{1b}b", "a?b"),
    ])
  func tokens(_ text: String, _ token: String) { #expect(text.token == token) }

  @Test(
    "accept only sizes with two sides of at least one pixel",
    arguments: [
      ("640x480", Dimensions(width: 640, height: 480)), ("1X1", Dimensions(width: 1, height: 1)),
      ("0x480", nil),
      ("640x0", nil), ("640", nil), ("640x480x3", nil), ("640x", nil), ("+640x480", nil),
    ] as [(String, Dimensions?)])
  func sizes(_ text: String, _ size: Dimensions?) { #expect(Dimensions(text: text) == size) }

  @Test("describe which part of the sensor a picture shows")
  func readouts() {
    #expect(
      Readout(isBinned: true, binning: [2, 2], fieldOfView: [100, 100]).facts == ["binned 2x2", "full view"])
    #expect(Readout(fieldOfView: [100, 75], isScaled: true).facts == ["scaled", "sees 100.0 % x 75.0 %"])
    #expect(Readout(isBinned: true, evidence: Evidence.inferred).facts == ["binned (a guess)"])
    #expect(Readout(isBinned: false).facts.isEmpty)
  }

  @Test("make depth and infrared cameras selectable only by name")
  func kinds() {
    #expect(CameraKind.allCases.filter(\.isTakenOnlyByName) == [.depth, .infrared])
  }
}
