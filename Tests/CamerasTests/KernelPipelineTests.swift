import Platform
import CameraModel
import FrameJudge
import Foundation
import SystemPackage
import Testing
import Timebase
import V4L2

@testable import Cameras

/// vimc has two sensors, each with a raw node and a debayer, and a scaler that either debayer can feed.
@Suite(
  "A recording through a media graph of the kernel", .serialized,
  .tags(.kernel), .needs(KernelCameras.vimc))
final class KernelPipelineTests {
  private let media: String
  private let raw: String
  private let scaled: String

  init() throws {
    raw = try #require(KernelCameras.vimcNodes.first)
    scaled = try #require(KernelCameras.vimcNodes.last)
    var warnings: [String] = []
    media = try #require(MediaGraph(around: try Device(path: FilePath(raw)), warnings: &warnings)).media
    // Settings that no default would restore.
    try set(
      [
        "\"Sensor A\":0[fmt:SGBRG8_1X8/800x600]", "\"Debayer A\":0[fmt:SBGGR8_1X8/322x244]",
        "\"Sensor B\":0[fmt:SGRBG10_1X10/1024x768]", "\"Scaler\":0[fmt:RGB888_1X24/640x480]",
        "\"Scaler\":0[crop:(100,50)/400x150]", "\"Scaler\":1[fmt:RGB888_1X24/300x700]",
      ], nodes: "width=352,height=288,pixelformat=RGB3")
  }

  // Other suites read the same graph, so the driver's initial state is restored.
  deinit {
    let size = "640x480"
    try? set(
      [
        "\"Sensor A\":0[fmt:RGB888_1X24/\(size)]", "\"Debayer A\":0[fmt:SRGGB8_1X8/\(size)]",
        "\"Sensor B\":0[fmt:RGB888_1X24/\(size)]", "\"Debayer B\":0[fmt:SRGGB8_1X8/\(size)]",
        "\"Scaler\":0[fmt:RGB888_1X24/\(size)]", "\"Scaler\":1[fmt:RGB888_1X24/\(size)]",
      ], nodes: "width=640,height=480,pixelformat=RGB3")
  }

  private func set(_ pads: [String], nodes: String) throws {
    // All in one run, as programs start slowly in an emulated machine.
    try Program.run("media-ctl", ["-d", media, "-V", pads.joined(separator: ",")])
    for node in KernelCameras.vimcNodes { try Program.run("v4l2-ctl", ["-d", node, "-v", nodes]) }
  }

  private func mode(
    _ fourcc: String, _ width: UInt32, _ height: UInt32, isScaled: Bool? = nil
  ) -> Mode {
    Mode(
      fourcc: fourcc, width: width, height: height, interval: FrameInterval(1, 60),
      readout: Readout(isScaled: isScaled))
  }

  /// Returns everything that media-ctl and v4l2-ctl print about the graph and its nodes.
  private func printed() throws -> String {
    var text = try print("media-ctl", "-d", media, "-p")
    for node in KernelCameras.vimcNodes { text += try print("v4l2-ctl", "-d", node, "-V") }
    return text
  }

  private func print(_ program: String, _ arguments: String...) throws -> String {
    String(decoding: try Program.run(program, arguments).output, as: UTF8.self)
  }

  private func link(_ debayer: String, _ state: Int) throws {
    try Program.run("media-ctl", ["-d", media, "-l", "\"Debayer \(debayer)\":1 -> \"Scaler\":0 [\(state)]"])
  }

  /// Captures a few frames, and returns media-ctl's description of the graph meanwhile.
  private func record(_ camera: V4L2Camera, _ mode: Mode) throws -> String {
    var stream = try camera.start(mode)
    try stream.begin()
    var sequences: [UInt32] = []
    for _ in 0..<200 where sequences.count < 3 {
      let arrival = try stream.next(within: .seconds(1)) { frame in sequences.append(frame.sequence) }
      #expect(arrival != .ended)
    }
    #expect(sequences.count == 3)
    #expect(sequences == sequences.sorted())
    #expect(stream.configuration.frameFormat.width == Int(mode.width))
    #expect(stream.configuration.frameFormat.height == Int(mode.height))
    #expect(stream.configuration.frameFormat.pixelFormat == mode.pixelFormat)
    let during = try print("media-ctl", "-d", media, "-p")
    try stream.stop()
    return during
  }

  @Test("sets up either sensor and its raw node, and whatever else the sensor feeds", arguments: [0, 1])
  func raw(_ index: Int) throws {
    let before = try printed()
    let during = try record(
      V4L2Camera(path: FilePath(KernelCameras.vimcNodes[index])), mode("RGGB", 640, 360))
    // The sensor, and the debayer that it also feeds.
    #expect(during.matches(of: /fmt:SRGGB8_1X8\/640x360/).count == 2)
    #expect(try printed() == before)
  }

  @Test("from sensor A passes through debayer and scaler, unscaled and at half the size")
  func scaler() throws {
    let before = try printed()
    for isScaled in [false, true] {
      let during = try record(V4L2Camera(path: FilePath(scaled)), mode("RGB3", 640, 360, isScaled: isScaled))
      let entity = try #require(during.firstRange(of: ": Scaler (")).upperBound
      let scaler = during[entity...]
      #expect(scaler.contains(isScaled ? "crop:(0,0)/1280x720" : "crop:(0,0)/640x360"))
      #expect(try printed() == before)
    }
  }

  @Test("from sensor B enables its link to the scaler in place of the other sensor's")
  func otherSensor() throws {
    let before = try printed()
    let during = try record(V4L2Camera(path: FilePath(scaled), sensor: "Sensor B"), mode("RGB3", 800, 600))
    #expect(during.contains("\"Debayer B\":1 [ENABLED]"))
    #expect(during.contains("\"Debayer A\":1 []"))
    #expect(try printed() == before)
  }

  @Test("enables the nearest sensor's link if all links to the scaler are disabled")
  func unlinked() throws {
    try link("A", 0)
    defer { try? link("A", 1) }
    let before = try printed()
    let during = try record(V4L2Camera(path: FilePath(scaled)), mode("RGB3", 320, 240))
    #expect(during.contains("\"RGB/YUV Input\":0 [ENABLED]"))
    #expect(try printed() == before)
  }

  @Test("of a window of the picture is cropped but not scaled")
  func window() throws {
    let before = try printed()
    var warnings: [String] = []
    let device = try Device(path: FilePath(scaled))
    let graph = try #require(MediaGraph(around: device, warnings: &warnings))
    let driver = try OpenPipeline(graph)
    var search = try #require(PipelineSearch(in: graph, on: driver))
    var configuration = try #require(try search.configuration(for: mode("RGB3", 1280, 960)))
    let sink = try #require(configuration.pads.firstIndex { $0.isSink && $0.crop != nil })
    configuration.pads[sink].crop = Rectangle(left: 320, top: 240, width: 640, height: 480)
    configuration.pads[sink + 1].format.size = Dimensions(width: 640, height: 480)
    let setup = try PipelineSetup(
      PipelinePlan(configuration, in: graph, interval: nil), on: driver, of: graph)
    let format = try #require(PixelFormat(fourcc: "RGB3"))
    let queue = try device.configure(format, width: 640, height: 480, interval: nil)
      .requestBuffers(count: 4)
    var node = ConfiguredNode(queue: queue, graph: setup)
    try node.queue.start()
    var bytes = 0
    for _ in 0..<200 where bytes == 0 {
      // Dropping the buffer returns it to the driver.
      switch try node.queue.dequeue(within: .seconds(1)) {
      case .buffer(let buffer): bytes = buffer.bytes(ofPlane: 0).count
      case .notReady: continue
      case .endOfStream: break
      }
    }
    #expect(bytes == 640 * 480 * 3)
    #expect(try print("media-ctl", "-d", media, "-p").contains("crop:(320,240)/640x480"))
    try node.stop(on: FilePath(scaled))
    #expect(try printed() == before)
  }

  @Test("reports a format that an entity cannot take, with its pad, and changes nothing")
  func refusal() throws {
    let before = try printed()
    // The sensor also feeds the debayer, which accepts only Bayer formats.
    let error = #expect(throws: OvercrankError.self) {
      _ = try V4L2Camera(path: FilePath(raw)).start(mode("RGB3", 640, 480))
    }
    #expect(error?.code == .noMode)
    #expect(error?.description.contains("Debayer A, pad 0 (/dev/v4l-subdev") == true)
    #expect(error?.description.contains("asked for RGB888_1X24 640x480, the driver gives") == true)
    #expect(try printed() == before)
  }

  @Test("tries the next mode if the sensor does not have the size")
  func trial() throws {
    let before = try printed()
    var table = CameraTable(rows: [])
    for size in [(8192, 4320), (1920, 1080)] as [(UInt32, UInt32)] {
      table.rows.append(
        ModeRow(
          fourcc: "RGGB", size: .discrete(width: size.0, height: size.1), intervals: [FrameInterval(1, 60)]))
    }
    let camera = V4L2Camera(path: FilePath(raw))
    let choice = ModeChoice(from: table, for: .init(rate: FrameRate(whole: 60)))
    let trial = try ModeTrial(of: [choice]) { mode throws(OvercrankError) in
      try camera.acceptance(of: mode)
    }
    #expect(trial.mode?.width == 1920)
    #expect(trial.refused.map(\.mode.width) == [8192])
    #expect(try printed() == before)
  }

  @Test("is refused as busy if the sensor already streams, and leaves that stream's settings alone")
  func busy() throws {
    let before = try printed()
    var stream = try V4L2Camera(path: FilePath(raw)).start(mode("RGGB", 640, 480))
    try stream.begin()
    let during = try printed()
    for size in [(640, 480), (320, 240)] as [(UInt32, UInt32)] {
      let error = #expect(throws: OvercrankError.self) {
        _ = try V4L2Camera(path: FilePath(scaled), sensor: "Sensor A").start(mode("RGB3", size.0, size.1))
      }
      #expect(error?.code == .busy)
      #expect(error?.description.contains("media graph cannot be set up") == true)
      #expect(try printed() == during)
    }
    try stream.stop()
    #expect(try printed() == before)
  }

  @Test("reports pads that disagree at the start, and restores everything")
  func brokenPipe() throws {
    let before = try printed()
    do {
      var stream = try V4L2Camera(path: FilePath(scaled)).start(mode("RGB3", 640, 480))
      try Program.run("media-ctl", ["-d", media, "-V", "\"Sensor A\":0[fmt:SRGGB8_1X8/1600x1200]"])
      let error = #expect(throws: OvercrankError.self) { try stream.begin() }
      #expect(error?.code == .noMode)
      #expect(error?.description.contains("VIDIOC_STREAMON") == true)
      #expect(error?.description.contains("media pipeline") == true)
    }
    #expect(try printed() == before)
  }

  @Test("restores everything if its stream is dropped while running")
  func dropped() throws {
    let before = try printed()
    do {
      var stream = try V4L2Camera(path: FilePath(scaled)).start(mode("RGB3", 320, 240))
      try stream.begin()
      _ = try stream.next(within: .seconds(1)) { _ in }
    }
    #expect(try printed() == before)
  }

  @Test("cannot change an immutable link, and the error states the reason")
  func immutable() throws {
    var warnings: [String] = []
    let graph = try #require(MediaGraph(around: try Device(path: FilePath(raw)), warnings: &warnings))
    let step = try #require(graph.steps.first)
    let driver = try OpenPipeline(graph)
    let error = #expect(throws: PipelineRefusal.self) {
      _ = try driver.carryOut(
        .link(from: step.sourcePlace, to: step.sinkPlace, isEnabled: false), of: graph)
    }
    #expect(error?.entity == "Sensor A")
    #expect(error?.cause?.code == .unsupported)
    #expect(error?.description.contains("immutable") == true)
    #expect(error?.description.contains("a disabled link to Raw Capture 0, pad 0") == true)
  }
}
