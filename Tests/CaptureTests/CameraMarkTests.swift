import Cameras
import FrameJudge
import Foundation
import Platform
import SystemPackage
import Testing

@testable import Capture

@Suite("A camera that is plugged in again is recognized")
struct CameraMarkTests {
  /// A machine's video nodes in sysfs, and their links.
  private struct Machine {
    let folder: TemporaryFolder
    private static let nodes = "sys/class/video4linux"
    private static let links = "dev/v4l/by-id"

    init() throws {
      folder = try TemporaryFolder()
      for name in [Self.nodes, Self.links] {
        try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
      }
    }

    func plug(_ node: String, _ name: String, index: Int = 0, link: String? = nil) throws {
      let path = folder.path("\(Self.nodes)/\(node)")
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      try Data("\(name)\n".utf8).write(to: URL(filePath: "\(path)/name"))
      try Data("\(index)\n".utf8).write(to: URL(filePath: "\(path)/index"))
      guard let link else { return }
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("\(Self.links)/\(link)"), withDestinationPath: "../../\(node)")
    }

    func unplug(_ node: String, link: String? = nil) throws {
      try FileManager.default.removeItem(atPath: folder.path("\(Self.nodes)/\(node)"))
      if let link { try FileManager.default.removeItem(atPath: folder.path("\(Self.links)/\(link)")) }
    }

    func mark(_ node: String) -> CameraMark {
      CameraMark(
        of: .camera(V4L2Camera(path: FilePath("/dev/\(node)"))),
        in: SystemFolder(root: FilePath(folder.url.path)))
    }
  }

  @Test("at its old node")
  func sameNode() throws {
    let machine = try Machine()
    try machine.plug("video90", "USB Camera")
    try machine.plug("video92", "USB Camera")
    let mark = machine.mark("video90")
    #expect(mark.nodeNow == "video90")
    try machine.unplug("video90")
    // The remaining camera is another one.
    #expect(mark.nodeNow == nil)
    try machine.plug("video90", "USB Camera")
    #expect(mark.nodeNow == "video90")
  }

  @Test("at another node if it is the only one of its kind")
  func otherNode() throws {
    let machine = try Machine()
    try machine.plug("video90", "USB Camera")
    try machine.plug("video91", "USB Camera", index: 1)
    let mark = machine.mark("video90")
    try machine.unplug("video90")
    try machine.unplug("video91")
    try machine.plug("video90", "Another")
    #expect(mark.nodeNow == nil)
    try machine.plug("video94", "USB Camera", index: 1)
    #expect(mark.nodeNow == nil)
    try machine.plug("video93", "USB Camera")
    #expect(mark.nodeNow == "video93")
    try machine.plug("video95", "USB Camera")
    #expect(mark.nodeNow == nil)
  }

  @Test("by its link, so that it is not confused with another of its kind")
  func link() throws {
    let machine = try Machine()
    try machine.plug("video90", "USB Camera", link: "usb-Camera_1-video-index0")
    try machine.plug("video92", "USB Camera", link: "usb-Camera_2-video-index0")
    let mark = machine.mark("video90")
    try machine.unplug("video90", link: "usb-Camera_1-video-index0")
    #expect(mark.nodeNow == nil)
    try machine.plug("video90", "USB Camera", link: "usb-Camera_3-video-index0")
    #expect(mark.nodeNow == nil)
    try machine.plug("video94", "USB Camera", link: "usb-Camera_1-video-index0")
    #expect(mark.nodeNow == "video94")
  }
}
