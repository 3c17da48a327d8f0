import CameraModel
import FrameJudge
import Foundation
import Platform
import SystemPackage
import Testing
import V4L2

@testable import Cameras

@Suite("A camera's mounting")
struct CameraMountingTests {
  /// Returns the mounting for a driver's answers: no kernel camera of the tests has these controls.
  private func mounting(
    _ orientation: Int64?, _ rotation: Int64?, isPortRemovable: Bool? = nil
  ) -> CameraMounting {
    CameraMounting(isPortRemovable: isPortRemovable) { id in
      switch id {
      case 0x009a_0922: orientation
      case 0x009a_0923: rotation
      default: nil
      }
    }
  }

  @Test("follows the driver's controls")
  func controls() {
    #expect(mounting(0, 0) == CameraMounting(orientation: .front, rotation: 0))
    #expect(mounting(1, 90) == CameraMounting(orientation: .back, rotation: 90))
    #expect(mounting(2, 270) == CameraMounting(orientation: .external, rotation: 270))
    #expect(mounting(nil, nil) == CameraMounting())
  }

  @Test("is unknown if a driver's values have no meaning")
  func strange() {
    #expect(mounting(3, 360) == CameraMounting())
    #expect(mounting(-1, -90) == CameraMounting())
    #expect(mounting(.max, .min) == CameraMounting())
  }

  @Test("of a USB camera is external if its port is removable, and otherwise unknown")
  func usb() {
    #expect(mounting(nil, nil, isPortRemovable: true).orientation == .external)
    #expect(mounting(nil, nil, isPortRemovable: false).orientation == nil)
    // The driver's answer takes precedence.
    #expect(mounting(0, nil, isPortRemovable: true).orientation == .front)
  }

  @Test(
    "depends on sysfs for whether a port is removable",
    arguments: [("removable", true), ("fixed", false), ("unknown", nil)])
  func removable(_ word: String, _ expected: Bool?) throws {
    let root = try TemporaryFolder()
    let device = root.path("sys/devices/1-2")
    try FileManager.default.createDirectory(atPath: "\(device)/1-2:1.0", withIntermediateDirectories: true)
    let node = root.path("sys/class/video4linux/video0")
    try FileManager.default.createDirectory(atPath: node, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: "\(node)/device", withDestinationPath: "../../../devices/1-2/1-2:1.0")
    for (name, text) in [("idVendor", "32e4"), ("idProduct", "9230"), ("removable", word)] {
      try text.write(toFile: "\(device)/\(name)", atomically: true, encoding: .utf8)
    }
    let usb = try #require(
      USBDevice(ofNode: "video0", in: SystemFolder(root: FilePath(root.url.path))))
    #expect(usb.isPortRemovable == expected)
  }

  private func node(_ number: Int, _ card: String, _ mounting: CameraMounting = CameraMounting()) -> VideoNode
  {
    VideoNode(
      path: FilePath("/dev/video\(number)"), links: [],
      capabilities: Capabilities(
        driver: "a driver", card: card, busInfo: "a bus", capabilities: [.videoCapture, .streaming]),
      failure: nil, usb: nil, mounting: mounting)
  }

  private var phone: [VideoNode] {
    [
      node(0, "tof", CameraMounting(orientation: .back, kind: .depth)),
      node(1, "ov back selfie", CameraMounting(orientation: .front)),
      node(2, "imx wide", CameraMounting(orientation: .back, kind: .wide)),
      node(3, "imx tele", CameraMounting(orientation: .back, kind: .telephoto)),
      node(4, "Front camera", CameraMounting(kind: .infrared)),
    ]
  }

  private func path(_ name: String?, _ nodes: [VideoNode]) throws -> FilePath {
    try CameraName.path(of: name.map(CameraName.init), among: nodes)
  }

  @Test(
    "selects the first camera that is front, back or external, before any part of a name",
    arguments: [
      ("back", "/dev/video2"), ("Front", "/dev/video1"), ("tof", "/dev/video0"), ("imx t", "/dev/video3"),
      ("front camera", "/dev/video4"), ("0", "/dev/video0"), (nil, "/dev/video1"),
    ] as [(String?, FilePath)])
  func words(_ name: String?, _ expected: FilePath) throws {
    #expect(try path(name, phone) == expected)
  }

  @Test("is listed for each camera in the error if no camera matches")
  func none() {
    let error = #expect(throws: OvercrankError.self) { try path("external", phone) }
    #expect(error?.code == .noCamera)
    #expect(error?.description.contains("/dev/video1 (front)") == true)
    #expect(error?.description.contains("/dev/video4 (orientation unknown)") == true)
  }

  @Test("never makes a depth or infrared camera the default, even if there is no other")
  func special() {
    let error = #expect(throws: OvercrankError.self) {
      try path(nil, [node(0, "tof", CameraMounting(kind: .depth))])
    }
    #expect(error?.code == .noCamera)
    #expect(error?.description.contains("/dev/video0 (depth)") == true)
  }

  @Test("survives a round trip through a table")
  func table() throws {
    let json = """
      {"orientation": "back", "rotation": 90, "kind": "telephoto", "modes": []}
      """
    let table = try JSONDecoder().decode(CameraTable.self, from: Data(json.utf8))
    #expect(table.mounting == CameraMounting(orientation: .back, kind: .telephoto, rotation: 90))
    #expect(try JSONDecoder().decode(CameraTable.self, from: JSONEncoder().encode(table)) == table)
    let library = ProfileLibrary(userFolder: "/no/such/folder")
    let depth = CameraTable(card: "DS5 mux 3", driver: "tegra-video", rows: []).described(by: library)
    #expect(depth.mounting.kind == .depth)
  }
}
