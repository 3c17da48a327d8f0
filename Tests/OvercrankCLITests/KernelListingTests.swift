import CameraModel
import Cameras
import Capture
import FrameJudge
import Foundation
import SystemPackage
import Testing
import Timebase
import V4L2

@Suite(
  "v4l2-ctl's output for a kernel camera becomes the table that its driver reports", .serialized,
  .tags(.kernel), .needs(KernelCameras.vivid))
struct KernelListingTests {
  /// The table of `node` as probed, after it was compared with the text.
  ///
  /// - Parameter usesProgram: whether the program reads both. It starts slowly in an emulated machine.
  private func checkedTable(of node: String, usesProgram: Bool = false) throws -> CameraTable {
    let text = try Program.run("v4l2-ctl", ["-d", node, "--list-formats-ext"]).output
    let (probed, read): (CameraTable, CameraTable)
    if usesProgram {
      let pasted = try OvercrankProgram(["formats", "--from", "-", "--json"], input: text)
      #expect(pasted.status == 0, "\(pasted.errors)")
      probed = try OvercrankProgram("formats", node, "--json").json(CameraTable.self)
      read = try pasted.json(CameraTable.self)
    } else {
      let profiles = ProfileLibrary(userFolder: "/no/such/folder")
      probed = try CaptureDevice.camera(V4L2Camera(path: FilePath(node))).table(profiles: profiles)
      read = try CameraTable(contents: text, named: "v4l2-ctl")
    }
    // v4l2-ctl prints no samples of a range of sizes, and no rates for one.
    let printable = probed.rows.filter { !$0.isSampled }.map { row in
      guard case .discrete = row.size else { return ModeRow(fourcc: row.fourcc, size: row.size) }
      return row
    }
    #expect(read.rows == printable)
    #expect(read.isMultiplanar == probed.isMultiplanar)
    return probed
  }

  @Test("for vivid, single- and multi-planar", arguments: [false, true])
  func vivid(_ isMultiplanar: Bool) throws {
    let node = try #require(isMultiplanar ? KernelCameras.multiplanarVivid : KernelCameras.vivid)
    let table = try checkedTable(of: node, usesProgram: true)
    #expect(table.isMultiplanar == isMultiplanar)
    #expect(table.rows.count > 100)
    #expect(table.rows.allSatisfy { !$0.intervals.isEmpty })
  }

  @Test(
    "for vivid's television, S-video and HDMI inputs, whose ranges of sizes v4l2-ctl prints without rates",
    .enabled(if: KernelCameras.vividInputs.count == 4 || KernelCameras.areExpected), arguments: [1, 2, 3],
    [false, true])
  func inputs(_ input: Int, _ isMultiplanar: Bool) throws {
    let node = try #require(isMultiplanar ? KernelCameras.multiplanarVivid : KernelCameras.vivid)
    defer { _ = try? Program.run("v4l2-ctl", ["-d", node, "-i", "0"]) }
    try Program.run("v4l2-ctl", ["-d", node, "-i", "\(input)"])
    let table = try checkedTable(of: node)
    let ranges = table.rows.filter { !$0.isSampled }
    #expect(ranges.count > 20)
    // For a single size, v4l2-ctl does print the rate, which is that of the signal.
    for row in ranges.prefix(1) {
      guard case .stepwise(_, let max, _) = row.size else {
        Issue.record("\(row) has no range of sizes")
        continue
      }
      let said = try Program.run(
        "v4l2-ctl",
        [
          "-d", node, "--list-frameintervals",
          "width=\(max.width),height=\(max.height),pixelformat=\(row.fourcc)",
        ])
      let printed = String(decoding: said.output, as: UTF8.self)
      let rate = try #require(row.intervals.first?.rate).framesPerSecond.doubleValue
      #expect(row.intervals.count == 1)
      #expect(printed.contains("(\(String(format: "%.3f", rate)) fps)"), "\(printed)")
    }
    // A signal has no sensor, whatever rectangles the node has.
    #expect(table.native == nil)
    #expect(table.rows.allSatisfy { $0.readout.evidence == nil })
  }

  /// Bytes of the next frame; `nil` if none came.
  private func nextByteCount(of queue: borrowing CaptureQueue) throws -> Int? {
    guard case .buffer(let buffer) = try queue.dequeue(within: .seconds(60)) else { return nil }
    return buffer.bytes(ofPlane: 0).count
  }

  @Test(
    "for a camera in use by another program, with its whole table, and the stream is not disturbed",
    arguments: [false, true])
  func streaming(_ isMultiplanar: Bool) throws {
    let node = try #require(isMultiplanar ? KernelCameras.multiplanarVivid : KernelCameras.vivid)
    func rows() throws -> [ModeRow] {
      try OvercrankProgram("formats", node, "--json").json(CameraTable.self).rows
    }
    let idle = try rows()
    #expect(!idle.isEmpty)
    let device = try Device(path: FilePath(node))
    var queue = try device.configure(.uyvy, width: 320, height: 180, interval: FrameInterval(1, 30))
      .requestBuffers(count: 8)
    try queue.start()
    let first = try nextByteCount(of: queue)
    #expect(first != nil)
    // Only now, as vivid locks some of its controls while it streams.
    let before = try KernelCameras.settings(of: node)
    #expect(try rows() == idle)
    #expect(try KernelCameras.settings(of: node) == before)
    // More frames than can have been queued.
    for _ in 0..<60 {
      let count = try nextByteCount(of: queue)
      #expect(count == 320 * 180 * 2)
    }
    try queue.stop()
  }

  @Test(
    "for vimc, whose ranges of sizes are sampled beyond what v4l2-ctl prints",
    .tags(.kernel), .needs(KernelCameras.vimc), arguments: KernelCameras.vimcNodes)
  func vimc(_ node: String) throws {
    let table = try checkedTable(of: node)
    let sizes = table.rows.filter { $0.isSampled && $0.fourcc == "BGR3" }.map(\.size)
    #expect(sizes.first == .discrete(width: 4096, height: 2160))
    #expect(sizes.last == .discrete(width: 16, height: 16))
    #expect(sizes.contains(.discrete(width: 1920, height: 1080)))
    #expect(table.rows.allSatisfy { $0.intervals.isEmpty })
  }

  @Test("for v4l2loopback, which has no formats until a program writes to it")
  func loopback() throws {
    let node = try #require(KernelCameras.loopback)
    #expect(try checkedTable(of: node, usesProgram: true).rows.isEmpty)
    let fed = try FedLoopback(node)
    defer { fed.stop() }
    #expect(try checkedTable(of: node).rows.map(\.fourcc) == ["MJPG"])
  }
}
