import CameraModel
import FrameJudge
import SystemPackage
import Testing
import Timebase

@testable import V4L2

@Suite("The kernel's test camera", .serialized, .tags(.kernel), .needs(KernelCameras.vivid))
struct VividTests {
  private let node = KernelCameras.vivid ?? ""

  /// Both APIs, where the machine has both.
  static let nodes = [KernelCameras.vivid, KernelCameras.multiplanarVivid].compactMap { $0 }

  @Test("identifies itself", arguments: nodes)
  func identity(_ node: String) throws {
    let device = try Device(path: FilePath(node))
    let capabilities = device.capabilities
    #expect(capabilities.driver == "vivid")
    #expect(capabilities.canCapture)
    #expect(capabilities.isMultiplanar == (node == KernelCameras.multiplanarVivid))
  }

  @Test("lists the webcam's modes, 640x480 at 120 fps among them", arguments: nodes)
  func table(_ node: String) throws {
    let device = try Device(path: FilePath(node))
    var formats = device.formats()
    let first = try formats.next()
    #expect(first?.format == .yuyv)
    var count = 1
    while let format = try formats.next() {
      #expect(!format.name.isEmpty)
      count += 1
    }
    #expect(count > 20 && count < 1000)
    let sizes = try device.frameSizes(of: .yuyv).collect()
    #expect(sizes.first == .discrete(width: 320, height: 180))
    let intervals = try device.frameIntervals(of: .yuyv, size: Dimensions(width: 640, height: 480)).collect()
    #expect(intervals.count == 13)
    #expect(intervals.first == .discrete(FrameInterval(1, 1)))
    #expect(intervals.last == .discrete(FrameInterval(1, 120)))
  }

  @Test("reports what it would give for a format, without a change", arguments: nodes)
  func tryFormat(_ node: String) throws {
    let device = try Device(path: FilePath(node))
    let before = try device.captureFormat()
    let given = try #require(try device.tryCaptureFormat(.yuyv, width: 641, height: 400))
    #expect(given.width == 640)
    #expect(try device.captureFormat() == before)
  }

  @Test(
    "sends frames of the agreed size whose times increase and whose numbers never decrease", arguments: nodes)
  func frames(_ node: String) throws {
    let device = try Device(path: FilePath(node))
    var queue = try device.configure(.yuyv, width: 640, height: 480, interval: FrameInterval(1, 120))
      .requestBuffers(count: 8)
    #expect(queue.acceptedInterval == FrameInterval(1, 120))
    #expect(queue.format.pixelFormat == .yuyv)
    #expect(queue.clock == .monotonic)
    try queue.start()
    var seen: [(sequence: UInt32, time: Int64)] = []
    // The last time of each buffer.
    var times: [Int: Int64] = [:]
    while seen.count < 20 {
      let exists = try queue.read { buffer in
        let (count, flags) = (buffer.bytes(ofPlane: 0).count, buffer.flags)
        #expect(count == 640 * 480 * 2)
        #expect(!flags.contains(.error))
        let (index, sequence, time) = (buffer.index, buffer.sequence, buffer.timestampNanoseconds)
        // vivid stamps a buffer after it has returned it. Where its thread waits in between, the time is the last one's.
        if time != times[index, default: 0] { seen.append((sequence, time)) }
        times[index] = time
      }
      #expect(exists)
    }
    // vivid counts late when its thread is late: two frames then have one number, and the next number is
    // skipped.
    let steps = zip(seen, seen.dropFirst())
    #expect(steps.allSatisfy { $0.sequence <= $1.sequence && $0.time < $1.time }, "\(seen)")
    #expect(try #require(seen.last).sequence > seen[0].sequence, "\(seen)")
    try queue.stop()
  }

  @Test(
    "sends a format with separate planes in as many planes",
    .tags(.kernel), .needs(KernelCameras.multiplanarVivid))
  func apart() throws {
    let device = try Device(path: FilePath(try #require(KernelCameras.multiplanarVivid)))
    var queue = try device.configure(.nv12m, width: 640, height: 480, interval: FrameInterval(1, 60))
      .requestBuffers(count: 8)
    try queue.start()
    var counts: [Int] = []
    try queue.read { buffer in
      for plane in 0..<buffer.planeCount { counts.append(buffer.bytes(ofPlane: plane).count) }
    }
    #expect(counts == [640 * 480, 640 * 240])
    try queue.stop()
  }

  @Test(
    "is restored, whether the stream is stopped or just dropped", arguments: nodes,
    [true, false])
  func restored(_ node: String, _ isStopped: Bool) throws {
    try KernelCameras.setElsewhere(node)
    let before = try KernelCameras.settings(of: node)
    let device = try Device(path: FilePath(node))
    var queue = try device.configure(.yuyv, width: 640, height: 480, interval: FrameInterval(1, 120))
      .requestBuffers(count: 8)
    #expect(try KernelCameras.settings(of: node) != before)
    try queue.start()
    try queue.read()
    if isStopped { try queue.stop() } else { _ = consume queue }
    #expect(try KernelCameras.settings(of: node) == before)
  }

  @Test("reports what it gives for a mode that it does not have")
  func unknownMode() throws {
    let device = try Device(path: FilePath(node))
    let configured = try device.configure(.yuyv, width: 641, height: 479, interval: FrameInterval(1, 1000))
    #expect(configured.format.width == 640 && configured.format.height == 480)
    #expect(configured.acceptedInterval == FrameInterval(1, 120))
    try configured.restore()
  }

  @Test("that is in use is reported as busy, with how to find its user")
  func busy() throws {
    let first = try Device(path: FilePath(node))
    let queue = try first.configure(.yuyv, width: 640, height: 480, interval: nil).requestBuffers(count: 4)
    do throws(V4L2Error) {
      let second = try Device(path: FilePath(node))
      _ = try second.configure(.uyvy, width: 320, height: 180, interval: nil)
      Issue.record("two streams on one device")
    } catch {
      #expect(error.code == .busy)
      #expect(error.description.contains("fuser -v \(node)"))
    }
    try queue.stop()
  }

  @Test("flags buffers that it damaged")
  func errorFlag() throws {
    let device = try Device(path: FilePath(node))
    let other = try Device(path: FilePath(node))
    var queue = try device.configure(.yuyv, width: 320, height: 180, interval: FrameInterval(1, 60))
      .requestBuffers(count: 8)
    try queue.start()
    try Program.run("v4l2-ctl", ["-d", other.path.string, "-c", "inject_v4l2_buf_flag_error=1"])
    var flagged = 0
    for _ in 0..<30 where flagged == 0 {
      try queue.read { if $0.flags.contains(.error) { flagged += 1 } }
    }
    #expect(flagged == 1)
    try queue.stop()
  }

  @Test("that fails during a stream reports it")
  func fatal() throws {
    let device = try Device(path: FilePath(node))
    var queue = try device.configure(.yuyv, width: 320, height: 180, interval: FrameInterval(1, 60))
      .requestBuffers(count: 8)
    try queue.start()
    try queue.read()
    try Program.run("v4l2-ctl", ["-d", node, "-c", "inject_fatal_streaming_error=1"])
    var failure: V4L2Error?
    for _ in 0..<30 where failure == nil {
      do throws(V4L2Error) { try queue.read(within: .seconds(1)) } catch { failure = error }
    }
    #expect(failure?.code == .failed)
    #expect(failure?.call == "VIDIOC_DQBUF")
    try? queue.stop()
  }
}

@Suite("The virtual machine")
struct MachineTests {
  @Test("has all the cameras that the tests need", .tags(.kernel), .enabled(if: KernelCameras.areExpected))
  func cameras() {
    #expect(KernelCameras.vivid != nil)
    #expect(KernelCameras.multiplanarVivid != nil)
    #expect(KernelCameras.loopback != nil)
    #expect(KernelCameras.vimcNodes.count == 3)
    #expect(KernelCameras.vividInputs.count == 4)
  }
}
