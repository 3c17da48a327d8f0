import Platform
import Testing
import Timebase

@testable import Capture

@Suite("A GPIO line")
struct GPIOTriggerTests {
  @Test(
    "is read as a chip and a line, whose label may have colons",
    arguments: [
      ("gpiochip0:17", "gpiochip0", "17"), ("/dev/gpiochip1:3", "/dev/gpiochip1", "3"),
      ("INT34C5:00:7", "INT34C5:00", "7"), ("pinctrl-bcm2711:GPIO17", "pinctrl-bcm2711", "GPIO17"),
    ])
  func reads(_ text: String, _ chip: String, _ line: String) throws {
    let read = try GPIOLine(text: text)
    #expect(read.chip == chip && read.line == line && read.description == text)
    for (ending, isFalling) in [("", false), (",falling", true)] {
      let source = try #require(try TriggerSources.source("gpio=\(text)\(ending)") as? GPIOTrigger)
      #expect(source.line == read && source.isFalling == isFalling)
      #expect(source.description == "gpio=\(text)\(ending)")
    }
    #expect(try TakePulse(text: "gpio=\(text)").line == read)
  }

  @Test(
    "is refused without a chip or a line, or with other settings",
    arguments: [
      "gpio", "gpio=", "gpio=17", "gpio=:17", "gpio=gpiochip0:", "gpio=gpiochip0:17,rising",
      "gpio=gpiochip0:17,",
      "gpio=a\tb:1",
    ])
  func refuses(_ text: String) { #expect(throws: QuantityError.self) { try TriggerSources.source(text) } }

  @Test(
    "of a chip that does not exist is refused with the remedy",
    arguments: ["gpiochip99:1", "/dev/null:1", "no-label:1"])
  func missing(_ text: String) throws {
    for use in [GPIOLine.Use.edges(falling: false), .output] {
      let error = #expect(throws: OvercrankError.self) { try GPIOLine(text: text).request(for: use) }
      #expect(error?.code == .noDevice && error?.description.contains("gpiodetect") == true)
    }
  }

  @Test("pulses only as gpio=CHIP:LINE", arguments: ["", "gpiochip0:17", "gpio=", "gpio=17", "relay=1:2"])
  func pulse(_ text: String) { #expect(throws: QuantityError.self) { try TakePulse(text: text) } }
}
