import FrameJudge
import Glibc
import SystemPackage
import Testing
import Timebase
import V4L2

@Suite("Buffers of the kernel's test camera", .serialized, .tags(.kernel), .needs(KernelCameras.vivid))
struct BufferVividTests {
  private static let nodes = [KernelCameras.vivid, KernelCameras.multiplanarVivid].compactMap { $0 }

  private func queue(_ node: String, count: Int) throws -> CaptureQueue {
    try Device(path: FilePath(node)).configure(.yuyv, width: 320, height: 180, interval: FrameInterval(1, 60))
      .requestBuffers(count: count)
  }

  @Test("that are dropped return to the driver, so the stream continues", arguments: nodes)
  func dropped(_ node: String) throws {
    var queue = try queue(node, count: 4)
    try queue.start()
    var sequences: [UInt32] = []
    for _ in 0..<(queue.bufferCount * 4) {
      guard case .buffer(let buffer) = try queue.dequeue(within: .seconds(60)) else { break }
      sequences.append(buffer.sequence)
      // Not requeued: dropped here.
    }
    #expect(sequences.count == queue.bufferCount * 4)
    let (first, last) = try (#require(sequences.first), #require(sequences.last))
    #expect(last > first + UInt32(queue.bufferCount), "\(sequences)")
    try queue.stop()
  }

  @Test("that are held are not filled again, and the stream continues with the others", arguments: nodes)
  func held(_ node: String) throws {
    var queue = try queue(node, count: 4)
    try queue.start()
    try hold(queue)
    for _ in 0..<8 { #expect(try queue.read()) }
    try queue.stop()
  }

  private func hold(_ queue: borrowing CaptureQueue) throws {
    let first = try queue.dequeue(within: .seconds(60))
    guard case .buffer(let held) = first else {
      Issue.record("no buffer came")
      return
    }
    let (index, sequence) = (held.index, held.sequence)
    let before = held.withBytes(ofPlane: 0) { bytes in bytes.indices.map { bytes[$0] } }
    var others: [Int] = []
    for _ in 0..<6 { try queue.read { others.append($0.index) } }
    #expect(others.count == 6)
    #expect(!others.contains(index))
    let (now, isSame) = (
      held.sequence,
      held.withBytes(ofPlane: 0) { bytes in
        bytes.count == before.count && bytes.indices.allSatisfy { bytes[$0] == before[$0] }
      }
    )
    #expect(now == sequence)
    #expect(isSame)
    try held.requeue()
  }

  @Test("are as many as the caller requests, or as the driver needs", arguments: nodes)
  func count(_ node: String) throws {
    for (asked, given) in [(5, 5...5), (16, 16...16), (1, 2...8)] {
      let queue = try queue(node, count: asked)
      let count = queue.bufferCount
      #expect(given.contains(count), "asked for \(asked)")
      try queue.stop()
    }
  }

  @Test("can be polled by the caller, together with other descriptors", arguments: nodes)
  func polled(_ node: String) throws {
    var queue = try queue(node, count: 4)
    try queue.start()
    var stop: [Int32] = [0, 0]
    try #require(pipe(&stop) == 0)
    defer { for end in stop { close(end) } }
    var entries = [
      pollfd(fd: queue.fileDescriptor.rawValue, events: Int16(POLLIN), revents: 0),
      pollfd(fd: stop[0], events: Int16(POLLIN), revents: 0),
    ]
    var frames = 0
    while entries[1].revents == 0 {
      try #require(poll(&entries, 2, 60_000) > 0)
      if entries[0].revents & Int16(POLLIN) != 0 {
        // There is one: no wait is needed.
        guard case .buffer = try queue.dequeue() else {
          Issue.record("poll told of a buffer that is not there")
          break
        }
        frames += 1
      }
      if frames == 3 { _ = write(stop[1], "x", 1) }
    }
    #expect(frames >= 3)
    try queue.stop()
  }

  @Test("state which clock stamped them, and when in the frame")
  func stamped() throws {
    var queue = try queue(#require(KernelCameras.vivid), count: 2)
    try queue.start()
    var flags: BufferFlags?
    try queue.read { flags = $0.flags }
    #expect(flags?.timestampClock == .monotonic)
    #expect(flags?.timestampSource == .endOfFrame)
    try queue.stop()
  }
}
