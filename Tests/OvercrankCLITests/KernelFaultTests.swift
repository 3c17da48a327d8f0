import FrameJudge
import Foundation
import Platform
import Takes
import Testing
import Timebase

@Suite("Faults of the kernel's test camera", .serialized, .tags(.kernel), .needs(KernelCameras.vivid))
struct KernelFaultTests {
  private let node = KernelCameras.vivid ?? ""
  private var vivid: FaultyVivid { FaultyVivid(node) }

  /// Records small pictures into `folder`, at 30 fps or at the rate in `arguments`.
  private func record(
    _ arguments: [String], into folder: TemporaryFolder, whileRunning: (Process) throws -> Void = { _ in }
  ) throws -> OvercrankProgram {
    let rate = arguments.contains("--fps") ? [] : ["--fps", "30"]
    return try OvercrankProgram(
      ["record", node, "--no-thumbnail", "--max-width", "320", "--no-clip", "-o", folder.path("x.mp4")] + rate
        + arguments,
      whileRunning: whileRunning)
  }

  /// Expects the master to hold the take's frames, at its times, and no other file to be left.
  private func checkMaster(_ take: Take, _ folder: TemporaryFolder) throws {
    checkTruth(take)
    #expect(try folder.names == ["x.master.mov", "x.take.json"])
    let probe = try Probe(folder.path("x.master.mov"))
    let start = try #require(take.timestamps.first)
    #expect(probe.packets.map(\.pts) == take.timestamps.map { ($0 - start).wholeNanoseconds / 1000 })
    #expect(probe.packets.allSatisfy { $0.size == "\(take.mode.width * take.mode.height * 2)" })
  }

  @Test("each buffer with the error flag is one corrupt frame in the ledger")
  func errorFlag() throws {
    let folder = try TemporaryFolder()
    let run = try record([], into: folder) { process in
      folder.waitForVideo(of: process)
      for _ in 0..<3 {
        try vivid.set("inject_v4l2_buf_flag_error")
        try vivid.waitForFrames()
      }
      folder.waitForVideo(of: process)
      kill(process.processIdentifier, SIGINT)
    }
    #expect(run.status == 0, "\(run.errors)")
    let take = try folder.take()
    #expect(take.frames.lost.corrupt == 3)
    #expect(take.losses.count { $0.stage == .corrupt } == 3)
    #expect(run.output.contains("corrupt 3"), "\(run.output)")
    try checkMaster(take, folder)
  }

  @Test("buffers that the driver dropped are gaps in its numbers and losses; --strict reports them")
  func dropped() throws {
    let folder = try TemporaryFolder()
    try vivid.set("percentage_of_dropped_buffers", to: 30)
    defer { vivid.reset() }
    let run = try record(["--frames", "60", "--strict"], into: folder)
    #expect(run.status == 4, "\(run.errors)")
    let take = try folder.take()
    #expect(take.frames.written == 60)
    // One in three of 85: fewer than 5 occur about once in a million runs.
    #expect(take.frames.lost.driver >= 5)
    #expect(take.frames.lost.corrupt == 0)
    try checkMaster(take, folder)
  }

  @Test("a camera that is unplugged leaves a complete take, exit code 74 and one message")
  func disconnect() throws {
    let folder = try TemporaryFolder()
    let run = try record([], into: folder) { process in
      folder.waitForVideo(of: process)
      try vivid.set("disconnect")
    }
    #expect(run.status == 74)
    #expect(run.errors.contains("unplugged"), "\(run.errors)")
    #expect(run.errors.components(separatedBy: "The camera is gone").count == 2, "\(run.errors)")
    let take = try folder.take()
    #expect(take.failure?.contains("unplugged") == true)
    try checkMaster(take, folder)
    // vivid is plugged in again as soon as no program has it open.
    let again = try TemporaryFolder()
    #expect(try record(["--frames", "5"], into: again).status == 0)
  }

  @Test(
    "--reconnect continues in a new take when the camera is back, at once or later",
    arguments: [false, true])
  func reconnect(_ isGoneForLong: Bool) throws {
    let folder = try TemporaryFolder()
    let run = try record(["--reconnect"], into: folder) { process in
      folder.waitForVideo(of: process)
      if isGoneForLong {
        try vivid.unplug()
        // Printed before the program waits for the camera.
        while process.isRunning, !(try folder.names.contains("x.take.json")) { usleep(50_000) }
        sleep(1)
        try vivid.plug()
      } else {
        try vivid.set("disconnect")
      }
      folder.waitForVideo(of: process, clip: "x-2")
      kill(process.processIdentifier, SIGINT)
    }
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("\(node) was unplugged"), "\(run.errors)")
    #expect(run.errors.contains("continues in x-2.mp4"), "\(run.errors)")
    #expect(try folder.names == ["x-2.master.mov", "x-2.take.json", "x.master.mov", "x.take.json"])
    let (first, second) = (try folder.take(), try folder.take("x-2"))
    #expect(first.failure?.contains("unplugged") == true)
    #expect(second.failure == nil)
    for take in [first, second] { checkTruth(take) }
  }

  @Test("a driver that fails during a take leaves a complete take and exit code 74")
  func fatal() throws {
    let folder = try TemporaryFolder()
    let run = try record([], into: folder) { process in
      folder.waitForVideo(of: process)
      try vivid.set("inject_fatal_streaming_error")
    }
    #expect(run.status == 74)
    // Either the next frame or the buffer of the last meets it first.
    #expect(run.errors.contains("gave up on the stream"), "\(run.errors)")
    try checkMaster(try folder.take(), folder)
  }

  @Test("a driver that refuses to start is reported with the call, leaves no file, and keeps its settings")
  func refused() throws {
    let folder = try TemporaryFolder()
    try KernelCameras.setElsewhere(node)
    let before = try KernelCameras.settings(of: node)
    for call in ["reqbufs", "streamon"] {
      try vivid.set("inject_vidioc_\(call)_error")
      let run = try record(["--frames", "10"], into: folder)
      #expect(run.status == 69, "\(call): \(run.errors)")
      #expect(run.errors.contains("VIDIOC_\(call.uppercased()) failed"), "\(run.errors)")
      #expect(try folder.names.isEmpty, "\(call)")
      #expect(try KernelCameras.settings(of: node) == before, "\(call)")
    }
    #expect(try record(["--frames", "10"], into: folder).status == 0)
  }

  @Test("a buffer that is refused once, before the first frame or later, has no effect")
  func refusedBuffer() throws {
    let folder = try TemporaryFolder()
    try vivid.set("inject_vidioc_qbuf_error")
    let run = try record([], into: folder) { process in
      folder.waitForVideo(of: process)
      try vivid.set("inject_vidioc_qbuf_error")
      folder.waitForVideo(of: process)
      folder.waitForVideo(of: process)
      kill(process.processIdentifier, SIGINT)
    }
    #expect(run.status == 0, "\(run.errors)")
    let take = try folder.take()
    #expect(take.frames.lost.corrupt == 0)
    try checkMaster(take, folder)
  }

  @Test("a camera that stops sending ends the take properly, with exit code 74 and a hint")
  func silence() throws {
    let folder = try TemporaryFolder()
    defer { vivid.reset() }
    let run = try record([], into: folder) { process in
      folder.waitForVideo(of: process)
      try vivid.set("percentage_of_dropped_buffers", to: 100)
    }
    #expect(run.status == 74)
    #expect(run.errors.contains("sent no frame for 10 s"), "\(run.errors)")
    try checkMaster(try folder.take(), folder)
  }

  @Test("numbers continue across the driver's 32-bit wrap")
  func sequenceWrap() throws {
    let folder = try TemporaryFolder()
    try vivid.set("wrap_sequence_number")
    defer { vivid.reset() }
    // vivid begins 128 frames before the wrap. At a higher rate, it repeats many numbers on a busy machine: it counts
    // the time, and hurries after a frame that took half an interval.
    let run = try record(["--frames", "136"], into: folder)
    #expect(run.status == 0, "\(run.errors)")
    let take = try folder.take()
    #expect(take.hasReliableSequence)
    #expect(take.sequences.first ?? 0 >= 0xffff_ff80)
    #expect(take.sequences.first ?? 0 <= 0xffff_ffff)
    #expect(take.sequences.last ?? 0 > 0xffff_ffff)
    #expect(take.frames.lost.corrupt == 0)
    try checkMaster(take, folder)
  }

  @Test(
    "impossible timestamps are not trusted: the frames have the times of their receipt",
    arguments: [1, 2])
  func timestampWrap(_ bits: Int) throws {
    let folder = try TemporaryFolder()
    try vivid.set("wrap_timestamp", to: bits)
    defer { vivid.reset() }
    let clock = MonotonicClock()
    let start = clock.now
    let run = try record(["--duration", "2s"], into: folder)
    let end = clock.now
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("cannot be true"), "\(run.output)")
    let take = try folder.take()
    #expect(take.clock == .dequeue)
    #expect(take.timedAtDequeue.reduce(0) { $0 + $1.count } == take.frames.written)
    #expect(take.timestamps.allSatisfy { start < $0 && $0 < end })
    #expect(try #require(take.timestamps.last) < #require(take.timestamps.first) + .seconds(2))
    try checkMaster(take, folder)
  }
}
