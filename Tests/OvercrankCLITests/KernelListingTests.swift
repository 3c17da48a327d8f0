import Cameras
import FilmJudge
import Foundation
import Testing

@Suite(
  "What v4l2-ctl prints of a kernel camera is the table that its driver gives", .serialized,
  .enabled(if: KernelCameras.vivid != nil))
struct KernelListingTests {
  /// The table of `node` as it is probed, after the text has been seen to say the same.
  private func checkedTable(of node: String) throws -> CameraTable {
    let text = try Program.run("v4l2-ctl", ["-d", node, "--list-formats-ext"]).output
    let pasted = try OvercrankProgram(["formats", "--from", "-", "--json"], input: text)
    #expect(pasted.status == 0, "\(pasted.errors)")
    let probed = try OvercrankProgram("formats", node, "--json").json(CameraTable.self)
    let read = try pasted.json(CameraTable.self)
    #expect(read.rows == probed.rows.filter { !$0.isSampled })
    #expect(read.isMultiplanar == probed.isMultiplanar)
    return probed
  }

  @Test("vivid, single- and multi-planar", arguments: [false, true])
  func vivid(_ isMultiplanar: Bool) throws {
    let node = try #require(isMultiplanar ? KernelCameras.multiplanarVivid : KernelCameras.vivid)
    let table = try checkedTable(of: node)
    #expect(table.isMultiplanar == isMultiplanar)
    #expect(table.rows.count > 100)
    #expect(table.rows.allSatisfy { !$0.intervals.isEmpty })
  }

  @Test(
    "vimc, whose ranges of sizes are sampled beyond what v4l2-ctl prints",
    .enabled(if: KernelCameras.vimc != nil))
  func vimc() throws {
    let table = try checkedTable(of: try #require(KernelCameras.vimc))
    let sizes = table.rows.filter { $0.isSampled && $0.fourcc == "BGR3" }.map(\.size)
    #expect(sizes.first == .discrete(width: 4096, height: 2160))
    #expect(sizes.last == .discrete(width: 16, height: 16))
    #expect(sizes.contains(.discrete(width: 1920, height: 1080)))
    #expect(table.rows.allSatisfy { $0.intervals.isEmpty })
  }

  @Test("v4l2loopback, which has no formats until something writes to it")
  func loopback() throws {
    let node = try #require(KernelCameras.loopback)
    #expect(try checkedTable(of: node).rows.isEmpty)
    let fed = try FedLoopback(node)
    defer { fed.stop() }
    #expect(try checkedTable(of: node).rows.map(\.fourcc) == ["MJPG"])
  }
}
