import FrameJudge
import Foundation
import Platform
import SystemPackage
import Takes
import Testing
import Timebase

@Suite("Takes around sudden sounds", .tags(.program), .timeLimit(.minutes(1)))
struct AudioTriggerProgramTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func record(_ arguments: String...) throws -> OvercrankProgram {
    try OvercrankProgram(
      [
        "record", SmallCamera.inVirtualTime(), "--fps", "120", "--no-clip", "-o", folder.path("x.mp4"),
        "--pre", "300ms", "--post", "200ms",
      ] + arguments)
  }

  @Test(
    "a click begins a take at its time, less the sound's way, whatever the microphone's clock and delay",
    arguments: [
      ("audio", "sim:,clock=virtual", 0), ("audio=20", "sim:,clock=virtual,late=20ms,drift=500ppm", 0),
      ("audio=12,distance:34.3m", "sim:,clock=virtual,channels=1,rate=44100,format=float", 100),
    ] as [(String, String, Int)])
  func click(_ trigger: String, _ microphone: String, _ way: Int) throws {
    let run = try record("--trigger", trigger, "--mic", microphone, "--takes", "2")
    #expect(run.status == 0, "\(run.errors)")
    for name in ["x-1", "x-2"] {
      let take = try folder.take(name)
      try checkTriggered(take, pre: .milliseconds(300), post: .milliseconds(200))
      let trigger = try #require(take.trigger)
      #expect(trigger.kind == "audio" && trigger.uncertainty == .milliseconds(1))
      // A click begins when a frame is captured whose number is a multiple of 120.
      let heard = try #require(trigger.frameTime) + .milliseconds(way)
      let clicks = zip(take.sequences, take.timestamps).filter { $0.0 % 120 == 0 }.map(\.1)
      let errors = clicks.map { ($0 - heard) / .milliseconds(1) }
      #expect(errors.contains { $0.magnitude < 1 }, "\(errors) ms")
    }
  }

  @Test("without a microphone, it is refused with the option that records one")
  func refused() throws {
    for microphones in [[], ["--mic", "none"]] {
      let run = try OvercrankProgram(
        ["record", SmallCamera.inVirtualTime(), "--trigger", "audio", "-o", folder.path("x.mp4")]
          + microphones)
      #expect(run.status == 69 && run.errors.contains("--mic default"), "\(run.errors)")
    }
    #expect(try folder.names == [])
  }
}
