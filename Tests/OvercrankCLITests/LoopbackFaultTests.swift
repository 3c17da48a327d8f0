import FrameJudge
import Foundation
import Takes
import Testing
import Timebase

@Suite(
  "Faults of a loopback's writer and reader", .serialized, .tags(.kernel), .needs(KernelCameras.loopback))
struct LoopbackFaultTests {
  private let node = KernelCameras.loopback ?? ""

  /// Expects each frame of the master to match the take, and returns the difference between the strip's
  /// numbers and the driver's.
  private func offset(_ take: Take, _ folder: TemporaryFolder) throws -> Int64 {
    let video = try StripVideo(folder.path("x.master.mov"))
    #expect(video.complaints.isEmpty, "\(video.complaints)")
    #expect(video.numbers.count == take.sequences.count)
    let offset = Int64(try #require(video.numbers.first.flatMap { $0 })) - (take.sequences.first ?? 0)
    let wrong = zip(video.numbers, take.sequences).filter { $0.map(Int64.init) != $1 + offset }
    #expect(wrong.isEmpty, "\(wrong.prefix(5))")
    return offset
  }

  private func record(
    _ arguments: String..., into folder: TemporaryFolder, whileRunning: (Process) throws -> Void = { _ in }
  ) throws -> OvercrankProgram {
    try OvercrankProgram(
      [
        "record", node, "--no-thumbnail", "--format", "MJPG", "--fps", "60", "--no-clip", "-o",
        folder.path("x.mp4"),
      ]
        + arguments,
      whileRunning: whileRunning)
  }

  @Test("empty, truncated, oversized and garbled frames, and no others, are corrupt in the ledger")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let player = try OddPlayer(node, damages: true)
    let run = try record("--frames", "120", into: folder)
    try player.stop()
    #expect(run.status == 0, "\(run.errors)")
    let take = try folder.take()
    checkTruth(take)
    #expect(take.frames.written == 120)
    let offset = try offset(take, folder)
    let corrupt = take.losses.filter { $0.stage == .corrupt }.flatMap { $0.sequence..<$0.sequence + $0.count }
    let damages = corrupt.map { OddPlayer.damage(of: UInt32($0 + offset)) }
    #expect(!damages.contains(nil))
    #expect(Set(damages).count == OddPlayer.Damage.allCases.count, "\(damages)")
    #expect(take.sequences.allSatisfy { OddPlayer.damage(of: UInt32($0 + offset)) == nil })
  }

  @Test(
    "a clock that jumps during a take is not trusted from there on",
    arguments: [-3600, -60, 3600])
  func clockStep(_ seconds: Int64) throws {
    let folder = try TemporaryFolder()
    // A clock of its own, like a program that stamps its frames from its start.
    let player = try OddPlayer(node, offset: 5_000_000_000_000)
    var turn: UInt32 = 0
    let run = try record(into: folder) { process in
      folder.waitForVideo(of: process)
      turn = player.setClock(offset: (5_000 + seconds) * 1_000_000_000)
      folder.waitForVideo(of: process)
      folder.waitForVideo(of: process)
      kill(process.processIdentifier, SIGINT)
    }
    try player.stop()
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("cannot be true"), "\(run.output)")
    let take = try folder.take()
    checkTruth(take)
    // v4l2loopback does not number frames from a streaming writer: their strips identify them.
    let numbers = try StripVideo(folder.path("x.master.mov")).numbers
    #expect(numbers.count == take.sequences.count)
    let disbelieved = Set(take.timedAtDequeue.flatMap { $0.sequence..<$0.sequence + $0.count })
    // The node may still hold a frame of the previous player, with another clock; then none of this one's is
    // trusted.
    let isStepMissed = zip(numbers, take.sequences).contains { number, sequence in
      number.map { $0 >= turn } != false && !disbelieved.contains(sequence)
    }
    #expect(!isStepMissed)
    #expect(take.clock == .dequeue)
    // Time continues by the machine's sleep, more or less, not by the hour that was skipped.
    let steps = zip(take.timestamps, take.timestamps.dropFirst()).map { $1 - $0 }
    #expect(steps.allSatisfy { $0 > .zero && $0 < .seconds(1800) })
    let probe = try Probe(folder.path("x.master.mov"))
    let start = try #require(take.timestamps.first)
    #expect(probe.packets.map(\.pts) == take.timestamps.map { ($0 - start).wholeNanoseconds / 1000 })
  }

  @Test("a writer that stops ends the take properly")
  func writerStops() throws {
    let folder = try TemporaryFolder()
    let player = try OddPlayer(node)
    let run = try record(into: folder) { process in
      folder.waitForVideo(of: process)
      try player.stop()
    }
    #expect(run.status == 74)
    #expect(run.errors.contains("sent no frame for 10 s"), "\(run.errors)")
    let take = try folder.take()
    checkTruth(take)
    _ = try offset(take, folder)
  }

  @Test("frames sent while the program was stopped are lost in the driver, and the pixels agree")
  func stopped() throws {
    let folder = try TemporaryFolder()
    let player = try OddPlayer(node)
    // A driver that gives two buffers of the eight requested.
    let run = try record("--verbose", into: folder) { process in
      folder.waitForVideo(of: process)
      kill(process.processIdentifier, SIGSTOP)
      player.wait(forFrames: 60)
      kill(process.processIdentifier, SIGCONT)
      folder.waitForVideo(of: process)
      kill(process.processIdentifier, SIGINT)
    }
    try player.stop()
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("with 2 buffers"), "\(run.errors)")
    let take = try folder.take()
    checkTruth(take)
    // All but those in the buffers, and a few at both ends.
    #expect(take.frames.lost.driver >= 50)
    #expect(take.frames.lost.corrupt == 0)
    _ = try offset(take, folder)
  }
}
