import Platform
import CameraModel
import Cameras
import Testing

@Suite("A mode table in JSON")
struct TableReadingTests {
  @Test("is refused if malformed, with the problem and its place")
  func badJSON() {
    for (json, words) in [
      ("{", "not a camera table"), ("{}", "modes"), (#"{"modes": [{"fourcc": "MJPG"}]}"#, "width"),
      (#"{"modes": [{"fourcc": "MJPG", "width": 1, "height": 1, "intervals": [[1]]}]}"#, "intervals"),
      (#"{"modes": 3}"#, "modes"),
    ] {
      let error = #expect(throws: OvercrankError.self) { try CameraTable(json: json.utf8, named: "x.json") }
      #expect(error?.code == .badData)
      #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
      #expect(error?.description.hasPrefix("x.json") == true)
    }
  }
}
