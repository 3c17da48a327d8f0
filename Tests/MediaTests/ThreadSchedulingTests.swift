import FrameJudge
import Foundation
import Testing
import Timebase

@testable import Media

@Suite struct ThreadSchedulingTests {
  /// Returns the number of this program's threads that have the highest real-time priority.
  private func raisedThreads() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap { pid_t($0) }.count {
      sched_getscheduler($0) == SCHED_FIFO && priority(of: $0) == sched_get_priority_max(SCHED_FIFO)
    }
  }

  /// Whether a thread stays raised: an encoder that another test opens raises its own for a moment.
  private func staysRaised() throws -> Bool { try !(0..<10_000).contains { _ in try raisedThreads() == 0 } }

  private func priority(of thread: pid_t) -> CInt {
    var parameter = sched_param()
    return sched_getparam(thread, &parameter) == 0 ? parameter.sched_priority : 0
  }

  @Test("libsvtav1, which raises priorities when run by root, leaves all threads unchanged")
  func svt() throws {
    let before = sched_getscheduler(0)
    var encoder = try VideoEncoder(
      .av1, width: 64, height: 64, rate: FrameRate(whole: 30), color: .bt601, preset: .ultrafast, quality: 40)
    #expect(sched_getscheduler(0) == before)
    #expect(try !staysRaised())
    var pool = PicturePool()
    let picture = try pool.picture(layout: .yuv420p, width: 64, height: 64, color: .bt601)
    try encoder.send(picture, timestamp: 0)
    try encoder.finish()
    while try encoder.nextPacket() != nil {}
    #expect(sched_getscheduler(0) == before)
    #expect(try !staysRaised())
  }
}
