import Foundation
import Testing
import Timebase

@Suite("Rates, speeds and durations are read in their usual notations")
struct QuantityTextTests {
  @Test(
    "rates",
    arguments: [
      ("240", Fraction(240)), ("119.88", Fraction(2997, 25)), ("120000/1001", Fraction(120_000, 1001)),
      (".5", Fraction(1, 2)), ("240fps", Fraction(240)), ("59.94FPS", Fraction(2997, 50)),
      ("120Hz", Fraction(120)),
    ])
  func rate(_ text: String, _ expected: Fraction) throws {
    #expect(try FrameRate(text: text).framesPerSecond == expected)
  }

  @Test("a rate above 0 is never shown as 0")
  func lowRate() throws {
    #expect(try FrameRate(text: "1/3600").description == "1/3600")
    #expect(try FrameRate(text: "0.01").description == "0.01")
    #expect(
      FrameRate.text(0.001) == "0.001" && FrameRate.text(0) == "0" && FrameRate.text(119.88) == "119.88")
  }

  @Test(
    "an invalid rate is refused, and the message quotes it",
    arguments: [
      "0", "-5", "abc", "", ".", "1/0", "240 fps", "fps", "240p", "1e3", "1/2/3", "99999999999999999999",
      "inf", "0/7", " 240", "94.672961/4294967296",
    ])
  func badRate(_ text: String) {
    let error = #expect(throws: QuantityError.self) { try FrameRate(text: text) }
    #expect(error?.description.contains("\"\(text)\"") == true)
  }

  @Test(
    "speeds", arguments: ["1/8", "0.125", "12.5%", "8x-slower", "8X slower", "0.125x", "1/8x"])
  func speed(_ text: String) throws {
    #expect(try Speed(text: text).factor == Fraction(1, 8))
  }

  @Test("a speed may be above 1")
  func fastSpeed() throws {
    #expect(try Speed(text: "2x-faster").factor == Fraction(2))
  }

  @Test("an ambiguous speed is refused with both readings", arguments: ["8x", "x8", "8X", "8.0x"])
  func unclearSpeed(_ text: String) {
    let error = #expect(throws: QuantityError.self) { try Speed(text: text) }
    #expect(error?.description.contains("1/8 or 8x-slower for 8 times slower") == true)
    #expect(error?.description.contains("8x-faster for 8 times faster") == true)
  }

  @Test(
    "an invalid speed is refused",
    arguments: ["0", "-1/8", "0x-slower", "1/0", "fast", "", "%", "1/100000", "101", "0%"])
  func badSpeed(_ text: String) {
    #expect(throws: QuantityError.self) { try Speed(text: text) }
  }

  @Test(
    "durations",
    arguments: [
      ("3s", 3_000_000_000), ("250ms", 250_000_000), ("1m30s", 90_000_000_000), ("2.5", 2_500_000_000),
      ("1h", 3_600_000_000_000), ("500us", 500_000), ("0.1s", 100_000_000), ("1m0.5s", 60_500_000_000),
      ("3sec", 3_000_000_000), ("2Minutes", 120_000_000_000), ("250msec", 250_000_000),
      ("00:00:01", 1_000_000_000), ("1:30", 90_000_000_000), ("01:00:00.25", 3_600_250_000_000),
    ])
  func duration(_ text: String, _ nanoseconds: Int64) throws {
    #expect(try Duration(text: text).wholeNanoseconds == nanoseconds)
  }

  @Test(
    "an invalid duration is refused",
    arguments: [
      "", "s", "3x", "30s1m", "1s1s", "-3s", "1/2", "3 s", "8d", "200h", "1m30", "1:60", "1.5:00", ":30",
      "1:", "1:2:3:4", "-1:00", "1/2:00",
    ])
  func badDuration(_ text: String) {
    #expect(throws: QuantityError.self) { try Duration(text: text) }
  }

  @Test("an interval keeps the driver's terms; a zero term gives no rate")
  func interval() {
    #expect(FrameInterval(2, 480).rate == FrameInterval(1, 240).rate)
    #expect(FrameInterval(2, 480) != FrameInterval(1, 240))
    #expect(FrameInterval(0, 30).rate == nil)
    #expect(FrameInterval(1, 0).rate == nil)
    #expect(FrameInterval(UInt32.max, 1).rate?.framesPerSecond == Fraction(1, Int64(UInt32.max)))
  }

  @Test("an interval is two numbers in JSON, and nothing else")
  func intervalJSON() throws {
    let json = try JSONEncoder().encode(FrameInterval(1, 240))
    #expect(String(decoding: json, as: UTF8.self) == "[1,240]")
    #expect(try JSONDecoder().decode(FrameInterval.self, from: json) == FrameInterval(1, 240))
    for text in ["[1]", "[1, 240, 3]", "1"] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(FrameInterval.self, from: Data(text.utf8))
      }
    }
  }
}
