import FrameJudge
import Foundation
import SystemPackage
import Takes
import Testing
import Timebase

@Suite(
  "Triggered takes with the kernel's cameras", .serialized, .tags(.kernel), .needs(KernelCameras.vivid))
struct KernelTriggerTests {
  /// Two takes of `node` around calls of `overcrank trigger`.
  private func takes(of node: String, fps: String, pre: String, _ folder: TemporaryFolder) throws -> [Take] {
    let environment = ["XDG_RUNTIME_DIR": folder.url.path]
    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.path(name)) }
    let run = try OvercrankProgram(
      [
        "record", node, "--no-thumbnail", "--fps", fps, "--max-width", "320", "--trigger", "socket", "--pre",
        pre, "--post", "300ms", "--takes", "2", "--no-clip", "-o", folder.path("x.mp4"),
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
    // Long enough to hold a frame even where the machine stood still before the trigger.
    for take in try takes(of: node, fps: "30", pre: "4s", folder) {
      try checkTriggered(take, pre: .seconds(4), post: .milliseconds(300))
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
    for take in try takes(of: node, fps: "240", pre: "500ms", folder) {
      try checkTriggered(take, pre: .milliseconds(500), post: .milliseconds(300))
      let video = try StripVideo(folder.path(try #require(take.master)))
      #expect(video.complaints.isEmpty, "\(video.complaints)")
      #expect(video.numbers.count == take.sequences.count)
      let offset = Int64(try #require(video.numbers.first.flatMap { $0 })) - (take.sequences.first ?? 0)
      let wrong = zip(video.numbers, take.sequences).filter { $0.map(Int64.init) != $1 + offset }
      #expect(wrong.isEmpty, "\(wrong.prefix(5))")
    }
  }

  @Test("two v4l2loopbacks are a group, whose takes lie on one clock around one trigger")
  func group() throws {
    let nodes = KernelCameras.loopbacks
    try #require(nodes.count > 1)
    let fed = try nodes.prefix(2).map { try FedLoopback($0, rate: 60) }
    defer { for player in fed { player.stop() } }
    let folder = try TemporaryFolder()
    let environment = ["XDG_RUNTIME_DIR": folder.url.path]
    let run = try OvercrankProgram(
      [
        "record", nodes[0], "--with", nodes[1], "--fps", "60", "--trigger", "socket", "--pre", "500ms",
        "--post",
        "300ms", "--no-clip", "--no-thumbnail", "-o", folder.path("x.mp4"),
      ], environment: environment,
      whileRunning: { (process: Process) throws in
        let socket = folder.path("overcrank/record.sock")
        while process.isRunning, !FileManager.default.fileExists(atPath: socket) { usleep(50_000) }
        #expect(try OvercrankProgram(["trigger", "record"], environment: environment).status == 0)
      })
    try #require(run.status == 0, "\(run.errors)")
    let takes = try ["x-A", "x-B"].map { try folder.take($0) }
    let group = try TakeGroup.read(from: FilePath(folder.path("x.group.json")))
    #expect(group.cameras.map(\.take) == ["x-A.take.json", "x-B.take.json"] && group.failed.isEmpty)
    #expect(group.trigger == takes[0].trigger)
    for (take, name) in zip(takes, ["x-A", "x-B"]) {
      try checkTriggered(take, pre: .milliseconds(500), post: .milliseconds(300))
      #expect(take.trigger?.time == takes[0].trigger?.time)
      let video = try StripVideo(folder.path("\(name).master.mov"))
      #expect(video.complaints.isEmpty, "\(video.complaints)")
      #expect(video.numbers.count == take.sequences.count)
      let offset = Int64(try #require(video.numbers.first.flatMap { $0 })) - (take.sequences.first ?? 0)
      let wrong = zip(video.numbers, take.sequences).filter { $0.map(Int64.init) != $1 + offset }
      #expect(wrong.isEmpty, "\(name): \(wrong.prefix(5))")
    }
    // Both drivers stamp frames with the machine's clock, unless a take says otherwise.
    let place = group.cameras[1]
    let isOnOneClock = takes.allSatisfy {
      $0.clock == .monotonic && $0.trigger?.frameTime == $0.trigger?.time
    }
    #expect(place.methods == [isOnOneClock ? .stamps : .trigger], "\(place)")
    // The place leaves out the lateness of the first frames, which is that of the players: as late as any frame may be.
    let first = try takes.map { try #require($0.timestamps.first) }
    let lateness = try takes.map { take in
      let deviations = zip(take.sequences, take.timestamps).map { $1 - .seconds(Double($0) / 60) }
      return try #require(deviations.max()) - #require(deviations.min())
    }
    if isOnOneClock, let uncertainty = place.uncertainty {
      let distance = place.offset - (first[1] - first[0])
      let most = uncertainty + lateness[0] + lateness[1] + .milliseconds(100)
      #expect(max(distance, .zero - distance) <= most, "\(place), \(first), \(lateness)")
    }
  }
}
