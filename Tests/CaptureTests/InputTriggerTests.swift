import Platform
import SystemPackage
import Testing
import Timebase

@testable import Capture

@Suite("A trigger by a key of an input device")
struct InputTriggerTests {
  @Test(
    "reads a device, which may have commas in its name, and a key",
    arguments: [
      ("input=/dev/input/event3", "/dev/input/event3", nil), ("input=event3", "event3", nil),
      ("input=Pedal, Inc. Foot,key:KEY_B", "Pedal, Inc. Foot", 48), ("input=a,b", "a,b", nil),
      ("input=event3,key:KEY_ENTER", "event3", 28), ("input=x,key:KEY_Y,key:KEY_1", "x,key:KEY_Y", 2),
    ] as [(String, String, UInt16?)])
  func reads(_ text: String, _ device: String, _ key: UInt16?) throws {
    let source = try #require(try TriggerSources.source(text) as? KeyPressTrigger)
    #expect(source.device.text == device && source.key?.code == key)
    #expect(source.description == text)
  }

  @Test(
    "reads keys by their names and numbers",
    arguments: [
      ("KEY_ENTER", 28), ("enter", 28), ("key_pageup", 104), ("B", 48), ("1", 2), ("28", 28), ("767", 767),
      ("BTN_LEFT", 0x110), ("VolumeUp", 115), ("F24", 194), ("KEY_CAMERA", 212), ("BTN_SOUTH", 0x130),
    ] as [(String, UInt16)])
  func keys(_ text: String, _ code: UInt16) throws {
    let key = try InputKey(text: text)
    #expect(key.code == code)
    #expect(try InputKey(text: key.description) == key)
  }

  @Test(
    "refuses other texts",
    arguments: [
      "input", "input=", "input=,key:KEY_A", "input=event3,key:", "input=event3,key:KEY_",
      "input=event3,key:768", "input=event3,key:-1", "input=a\nb", "input=event3,key:KEY_NONE",
    ])
  func refuses(_ text: String) { #expect(throws: QuantityError.self) { try TriggerSources.source(text) } }

  @Test("names the node of a number, and refuses a device that does not exist")
  func missing() throws {
    #expect(try InputDeviceName(text: "event3").paths == ["/dev/input/event3"])
    #expect(try InputDeviceName(text: "/dev/input/by-id/x").paths == ["/dev/input/by-id/x"])
    for text in ["input=/dev/input/event999", "input=no such pedal"] {
      let error = #expect(throws: OvercrankError.self) { try TriggerSources.source(text).check() }
      #expect(error?.code == .noDevice && error?.description.contains("there is no") == true, "\(text)")
    }
    let other = #expect(throws: OvercrankError.self) { try TriggerSources.source("input=/dev/null").check() }
    #expect(other?.code == .noDevice && other?.description.contains("is not an input device") == true)
  }
}

@Suite("An event of an input device")
struct InputEventTests {
  private func bytes(_ seconds: Int64, _ microseconds: Int64, _ type: UInt16, _ code: UInt16, _ value: Int32)
    -> [UInt8]
  {
    [seconds, microseconds].flatMap { withUnsafeBytes(of: $0) { Array($0) } }
      + [type, code].flatMap { withUnsafeBytes(of: $0) { Array($0) } }
      + withUnsafeBytes(of: value) { Array($0) }
  }

  @Test("has the kernel's time, key and value")
  func decodes() throws {
    let event = try #require(InputEvent(bytes(12, 345_678, 1, 28, 1)))
    #expect(event.time == Instant(nanoseconds: 12_345_678_000))
    #expect(event.type == 1 && event.code == 28 && event.value == 1)
    #expect(InputEvent(bytes(12, 345_678, 1, 28, 1).dropLast()) == nil)
    #expect(InputEvent(bytes(.max, .max, 1, 28, 1))?.time == .distantFuture)
    #expect(InputEvent(bytes(.min, .min, 1, 28, 1))?.time == .distantPast)
  }

  @Test("is a press if the key went down: not if it repeats, is released, or is another kind of event")
  func presses() throws {
    for (type, code, value, any, enter) in [
      (1, 28, 1, true, true), (1, 30, 1, true, false), (1, 28, 2, false, false), (1, 28, 0, false, false),
      (4, 28, 1, false, false), (0, 0, 0, false, false), (2, 28, 1, false, false),
    ] as [(UInt16, UInt16, Int32, Bool, Bool)] {
      let event = try #require(InputEvent(bytes(0, 0, type, code, value)))
      #expect(event.isPress(of: nil) == any)
      #expect(event.isPress(of: InputKey(code: 28)) == enter)
    }
  }
}
