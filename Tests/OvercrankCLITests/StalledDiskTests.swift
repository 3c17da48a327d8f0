import FrameJudge
import Foundation
import SystemPackage
import Takes
import Testing

@Suite(
  "A disk that stalls", .tags(.realTime), .timeLimit(.minutes(1)),
  .enabled(if: FreezableDisk.isPossible, "freezing a disk needs root and a loop device"))
struct StalledDiskTests {
  @Test("for two seconds costs no frame that fits into the ring")
  func stall() throws {
    let disk = try #require(try FreezableDisk())
    // Small pictures: the ring would hold half a minute of them, so even a machine that is late to thaw the
    // disk loses none.
    var frozen: ClosedRange<Int64> = 0...0
    let rate = 120
    let run = try OvercrankProgram(
      [
        "record", SmallCamera.inRealTime("buffers=32"), "--fps", "\(rate)", "--no-clip", "-o",
        disk.path("x.mp4"),
      ],
      whileRunning: { process in
        let journal = WatchedJournal(path: disk.path("x.master.mov.part.journal"))
        journal.wait(for: 40, of: process)
        try disk.freeze()
        defer { disk.thaw() }
        let written = journal.count
        let start = Int64(DispatchTime.now().uptimeNanoseconds)
        sleep(2)
        frozen = start...Int64(DispatchTime.now().uptimeNanoseconds)
        disk.thaw()
        // One that was captured later is written, however slow the machine.
        let meanwhile = Int(frozen.upperBound - frozen.lowerBound) * rate / 1_000_000_000
        journal.wait(for: written + meanwhile + rate / 4, of: process)
        kill(process.processIdentifier, SIGINT)
      })
    #expect(run.status == 0, "\(run.errors)")
    let take = try #require(try Take.read(from: FilePath(disk.path("x.take.json"))))
    #expect(take.frames.lost.ring == 0)
    #expect(take.frames.lost.disk == 0)
    #expect(take.frames.sent == take.frames.written + take.frames.lost.total)
    // The frames captured meanwhile are in the take, except for those that a busy machine read too late from
    // the camera.
    let meanwhile = take.timestamps.count { frozen.contains($0.nanoseconds) }
    #expect(Int64(meanwhile) + take.frames.lost.driver >= 240 - 2)
    #expect(meanwhile > 0)
    #expect(try StripVideo(disk.path("x.master.mov")).numbers == take.sequences.map { UInt32($0) })
  }
}
