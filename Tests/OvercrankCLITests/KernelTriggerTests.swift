import FrameJudge
import Foundation
import Takes
import Testing
import Timebase

@Suite(
  "Triggered takes with the kernel's cameras", .serialized, .tags(.kernel), .needs(KernelCameras.vivid))
struct KernelTriggerTests {
  /// Two takes of `node` around calls of `overcrank trigger`.
  private func takes(of node: String, fps: String, _ folder: TemporaryFolder) throws -> [Take] {
    let environment = ["XDG_RUNTIME_DIR": folder.url.path]
    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.path(name)) }
    let run = try OvercrankProgram(
      [
        "record", node, "--no-thumbnail", "--fps", fps, "--trigger", "socket", "--pre", "500ms", "--post",
        "300ms", "--takes",
        "2",
        "--no-clip", "-o", folder.path("x.mp4"),
      ], environment: environment,
      whileRunning: { process in
        while process.isRunning, !exists("overcrank/record.sock") { usleep(50_000) }
        // The first is answered when there are frames, so the second finds some in the ring.
        let first = try OvercrankProgram(["trigger", "record"], environment: environment)
        #expect(first.output == "Take 1 has started.\n", "\(first.errors)")
        while process.isRunning, !exists("x-1.take.json") { usleep(50_000) }
        let second = try OvercrankProgram(["trigger", "record"], environment: environment)
        #expect(second.output == "Take 2 has started.\n", "\(second.errors)")
      })
    #expect(run.status == 0, "\(run.errors)")
    return try ["x-1", "x-2"].map { try folder.take($0) }
  }

  @Test("every frame is placed by vivid's own clock")
  func vivid() throws {
    let node = try #require(KernelCameras.vivid)
    let before = try KernelCameras.settings(of: node)
    let folder = try TemporaryFolder()
    for take in try takes(of: node, fps: "60", folder) {
      try checkTriggered(take, pre: .milliseconds(500), post: .milliseconds(300))
      #expect(take.clock == .monotonic)
      let trigger = try #require(take.trigger)
      #expect(trigger.frameTime == trigger.time || take.timestamps.first == trigger.frameTime)
      let master = try #require(take.master)
      #expect(try Probe(folder.path(master)).packets.count == Int(take.frames.written))
    }
    let second = try folder.take("x-2")
    #expect(try #require(second.trigger?.preRoll) > .zero)
    #expect(try KernelCameras.settings(of: node) == before)
  }

  @Test("v4l2loopback, whose pictures show their numbers, misses none before, at, or after the trigger")
  func loopback() throws {
    let node = try #require(KernelCameras.loopback)
    let fed = try FedLoopback(node)
    defer { fed.stop() }
    let folder = try TemporaryFolder()
    for take in try takes(of: node, fps: "240", folder) {
      try checkTriggered(take, pre: .milliseconds(500), post: .milliseconds(300))
      let video = try StripVideo(folder.path(try #require(take.master)))
      #expect(video.complaints.isEmpty, "\(video.complaints)")
      #expect(video.numbers.count == take.sequences.count)
      let offset = Int64(try #require(video.numbers.first.flatMap { $0 })) - (take.sequences.first ?? 0)
      let wrong = zip(video.numbers, take.sequences).filter { $0.map(Int64.init) != $1 + offset }
      #expect(wrong.isEmpty, "\(wrong.prefix(5))")
    }
  }
}
