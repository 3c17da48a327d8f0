import Platform
import CameraModel
import Cameras
import Testing

@Suite("Tables of modes are read from JSON")
struct TableReadingTests {
  @Test("a broken table says what is wrong and where")
  func badJSON() {
    for (json, words) in [
      ("{", "no camera table"), ("{}", "modes"), (#"{"modes": [{"fourcc": "MJPG"}]}"#, "width"),
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
