import FrameJudge
import Foundation
import Synchronization
import Testing
import Timebase

@testable import Capture

@Suite(
  "A session whose disk stalls", .tags(.program), .timeLimit(.minutes(1)),
  .enabled(if: FreezableDisk.isPossible, "freezing a disk requires root and a loop device"))
struct StalledSessionTests {

  @Test("continues: its writer does not wait, taps get frames, and no frame is lost")
  func stall() throws {
    let disk = try #require(try FreezableDisk())
    let tap = FrameTap()
    var stage = try SessionStage(
      ring: 64 << 20, plan: SessionPlan(limit: RecordingLimit()), taps: [tap], waitsForDisk: false
    ) { _ in disk.path("x.mov") }
    for _ in 0..<200 {
      try stage.advance(by: .milliseconds(5))
      _ = tap.poll()
    }
    #expect(stage.written == stage.arrived.count)
    try disk.freeze()
    // A writer that waits would block forever, and this test with it.
    let wasThawed = Mutex(false)
    let watch = DispatchWorkItem {
      wasThawed.withLock { $0 = true }
      disk.thaw()
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: watch)
    // Half a minute of frames, 28 MiB: more than the blocks and the reserved space hold.
    var looks = 0
    for _ in 0..<6000 {
      try stage.advance(by: .milliseconds(5))
      if tap.poll() != nil { looks += 1 }
    }
    watch.cancel()
    #expect(!wasThawed.withLock { $0 })
    #expect(looks == 900)
    let written = stage.written
    #expect(written < stage.arrived.count)
    disk.thaw()
    while stage.written < stage.arrived.count {
      try stage.advance(by: .zero)
      usleep(1000)
    }
    try stage.stop()
    let accounting = try #require(stage.ended.first).get().accounting
    #expect(accounting.ledger.total == 0)
    #expect(Array(accounting.sequences) == stage.arrived.map { Int64($0.number) })
    #expect(try stripNumbers(inMaster: disk.path("x.mov")) == stage.arrived.map(\.number))
  }
}
