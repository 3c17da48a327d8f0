import Platform
import CameraModel
import Testing
import Timebase
import V4L2

@testable import Cameras

@Suite("Settings of controls by name")
struct ControlSettingTests {
  private let controls = [
    CameraControl(Control(id: 0x0098_0900, name: "Brightness", minimum: -64, maximum: 64, value: 0)),
    CameraControl(Control(id: 0x0098_0909, name: "Mute", kind: .boolean, minimum: 0, maximum: 1, value: 0)),
    CameraControl(
      Control(id: 0x009a_0901, name: "Exposure, Auto", kind: .menu, minimum: 0, maximum: 3, value: 3),
      items: [
        ControlMenuItem(index: 1, name: "Manual Mode"),
        ControlMenuItem(index: 3, name: "Aperture Priority Mode"),
      ]),
    CameraControl(
      Control(id: 7, name: "Link Freq", kind: .integerMenu, minimum: 0, maximum: 1, value: 0),
      items: [ControlMenuItem(index: 0, name: "400000000"), ControlMenuItem(index: 1, name: "720000000")]),
    CameraControl(
      Control(id: 8, name: "Bits", kind: .bitmask, minimum: 0, maximum: 0x8000_0005, value: 0)),
    CameraControl(
      Control(id: 9, name: "Serial", kind: .string, minimum: 0, maximum: 9, flags: .readOnly, text: "A1")),
    CameraControl(Control(id: 10, name: "Matrix", minimum: 0, maximum: 9, dimensions: [3, 3])),
  ]

  @Test(
    "spell names as v4l2-ctl does",
    arguments: [
      ("Exposure Time, Absolute", "exposure_time_absolute"), ("U32 1 Element Array", "u32_1_element_array"),
      ("  Y'CbCr Encoding ", "y_cbcr_encoding"), ("S.A.V.", "s_a_v"), ("", ""), ("Zoom (%)", "zoom"),
    ])
  func spelling(_ name: String, _ spelled: String) {
    #expect(CameraControl.spelling(of: name) == spelled)
  }

  @Test(
    "accept every way to name a control and its value",
    arguments: [
      ("brightness=-64", -64), ("Brightness=0x10", 16), ("mute=on", 1), ("mute=FALSE", 0), ("mute=1", 1),
      ("exposure_auto=1", 1), ("Exposure, Auto=aperture priority mode", 3), ("exposure_auto=manual_mode", 1),
      ("0x9a0901=3", 3), ("link_freq=720000000", 1), ("link_freq=1", 1), ("bits=0x80000001", 0x8000_0001),
    ])
  func values(_ text: String, _ value: Int64) throws {
    #expect(try ControlSetting(text: text).change(among: controls, of: "cam").value == value)
  }

  @Test(
    "refuse a value out of a control's range, and name the range",
    arguments: [
      ("brightness=65", "-64 to 64"), ("brightness=bright", "whole number"), ("mute=2", "on or off"),
      ("exposure_auto=2", "1 (Manual Mode), 3 (Aperture Priority Mode)"), ("bits=2", "0x80000005"),
      ("bits=-1", "0x80000005"), ("link_freq=2", "0 (400000000)"), ("matrix=1", "only be read"),
    ])
  func refused(_ text: String, _ words: String) throws {
    let error = #expect(throws: OvercrankError.self) {
      try ControlSetting(text: text).change(among: controls, of: "/dev/video9")
    }
    #expect(error?.code == .badValue)
    #expect(error?.description.hasPrefix("/dev/video9: ") == true)
    #expect(error?.description.contains(words) == true)
  }

  @Test("suggest similar names for an unknown one, and report a read-only control")
  func unknown() throws {
    let unknown = #expect(throws: OvercrankError.self) {
      try ControlSetting(text: "brigthness=1").change(among: controls, of: "cam")
    }
    #expect(unknown?.code == .noControl)
    #expect(unknown?.description.contains("Similar: brightness.") == true)
    let readOnly = #expect(throws: OvercrankError.self) {
      try ControlSetting(text: "serial=B2").change(among: controls, of: "cam")
    }
    #expect(readOnly?.code == .noControl)
    #expect(readOnly?.description.contains("read-only") == true)
  }

  @Test("must have the form NAME=VALUE", arguments: ["", "brightness", "=1", "brightness="])
  func form(_ text: String) {
    #expect(throws: QuantityError.self) { try ControlSetting(text: text) }
  }
}
