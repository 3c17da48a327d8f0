import FrameJudge
import Foundation
import Platform
import SystemPackage
import Testing

@testable import Cameras

@Suite("The program that has a device open")
struct DeviceHolderTests {
  @Test("is found by the open files of all visible processes")
  func found() throws {
    let root = try TemporaryFolder()
    let files = FileManager.default
    func process(_ number: Int, _ name: String, _ targets: [String]) throws {
      let folder = root.path("proc/\(number)")
      try files.createDirectory(atPath: "\(folder)/fd", withIntermediateDirectories: true)
      try "\(name)\n".write(toFile: "\(folder)/comm", atomically: true, encoding: .utf8)
      for (index, target) in targets.enumerated() {
        try files.createSymbolicLink(atPath: "\(folder)/fd/\(index)", withDestinationPath: target)
      }
    }
    try process(310, "ffmpeg", ["/dev/null", "/dev/video7", "/dev/video7"])
    try process(25, "cheese", ["/dev/video7"])
    try process(26, "other", ["/dev/video70", "socket:[7]"])
    try files.createDirectory(atPath: root.path("proc/27"), withIntermediateDirectories: true)
    let holders = DeviceHolder.all(of: "/dev/video7", in: SystemFolder(root: FilePath(root.url.path)))
    #expect(holders.map(\.description) == ["cheese (process 25)", "ffmpeg (process 310)"])
    #expect(DeviceHolder.all(of: "/dev/video9", in: SystemFolder(root: FilePath(root.url.path))).isEmpty)
  }
}
