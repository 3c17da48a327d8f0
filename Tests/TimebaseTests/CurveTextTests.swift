import Testing
import Timebase

@Suite("A curve as text")
struct CurveTextTests {
  @Test(
    "is items separated by commas, on any lines, without comments",
    arguments: [
      ("0s:1, 2s:1/8", ["0s:1", "2s:1/8"]), ("0:1,2:3", ["0:1", "2:3"]), ("1s,2:3", ["1s", "2:3"]),
      ("1,s:2", ["1", "s:2"]), ("0s:1,\n\n 2s:3 # and so on, 5\n", ["0s:1", "2s:3"]), ("", []), (" , ", []),
    ])
  func items(_ text: String, _ items: [Substring]) throws {
    #expect(try CurveText(text).items.map(\.text) == items)
  }

  @Test("has the line of each item")
  func lines() throws {
    #expect(try CurveText("0s:1, 1s:2\n\n2s:3").items.map(\.line) == [1, 1, 3])
  }

  @Test(
    "refuses a comma in a number; of two commas around digits, the second if a time follows",
    arguments: [
      ("0s:1,5", "0s:1,5"), ("0s:1,5,x:1", "0s:1,5"), ("0s:1,5s,2s:1", "0s:1,5s"), ("0s:1,5,2", "0s:1,5"),
      ("1,5,2s:1", "1,5"), ("0s:1,5,2s:1", "5,2s:1"), ("0,5s:1", "0,5s:1"),
    ])
  func commas(_ text: String, _ point: String) {
    let error = #expect(throws: CurveError.self) { try CurveText(text) }
    #expect(error?.point == point)
    #expect(error?.reason.contains("write \(point.replacing(",", with: "."))") == true)
  }

  @Test("has a thousand items at most")
  func most() throws {
    func text(_ count: Int) -> String { (0..<count).map { "\($0)s:1" }.joined(separator: "\n") }
    #expect(try CurveText(text(1000)).items.count == 1000)
    let error = #expect(throws: CurveError.self) { try CurveText(text(1001)) }
    #expect(error?.point == "1000s:1")
  }
}
