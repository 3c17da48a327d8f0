import Takes
import Testing
import Timebase

@testable import Capture

/// An output that keeps nothing.
private final class NoOutput: TakeOutput {
  private(set) var bytesWritten: Int64 = 0

  func write(
    _ frame: UnsafeRawBufferPointer, sequence: UInt32, timestampNanoseconds: Int64, isTimedAtDequeue: Bool
  ) {
    bytesWritten += Int64(frame.count)
  }
}

@Suite("Lost frames")
struct LostFrameCountTests {
  private static let plan = SessionPlan(
    preRoll: .milliseconds(500), limit: RecordingLimit(duration: .milliseconds(500)))

  /// How many frames are missing among `arrived`, by their numbers.
  private func missing(_ arrived: ArraySlice<SessionStage.Arrived>) -> Int64 {
    guard let first = arrived.first, let last = arrived.last else { return 0 }
    return Int64(last.number) - Int64(first.number) + 1 - Int64(arrived.count { $0.kind == .frame })
  }

  @Test(
    "are counted from the first frame on, lost before the driver or in the ring",
    arguments: ["sim:,drop=5%", "sim:,drop=10-19", "sim:,drop=20+40+60-62"])
  func newestFrame(_ camera: String) throws {
    var stage = try SessionStage(
      camera: camera, ring: 64 << 10, plan: Self.plan, makeOutput: { _ in NoOutput() })
    for step in 0..<200 {
      try stage.advance(by: .milliseconds(5), writerStalls: step % 40 > 30)
      guard let last = stage.arrived.lastIndex(where: { $0.kind == .frame }) else { continue }
      guard let newest = stage.newest, newest.sequence == stage.arrived[last].number else { continue }
      #expect(newest.lost == missing(stage.arrived[...last]), "\(step)")
      #expect(newest.count == stage.arrived[...last].count { $0.kind == .frame })
    }
    let lost = stage.newest?.lost ?? 0
    #expect(lost > 0)
    try stage.stop()
  }

  @Test("are told while frames gather for a review, and are those that the review has then")
  func gathering() async throws {
    var plan = Self.plan
    plan.outcome = .review
    var stage = try SessionStage(
      camera: "sim:,drop=100+110+150-152", ring: 4 << 20, plan: plan, makeOutput: { _ in NoOutput() })
    for _ in 0..<120 { try stage.advance(by: .milliseconds(5)) }
    let armed = stage.progress.framesLost
    #expect(armed == 0)
    stage.commands.trigger(TriggerEvent(.signal, at: stage.now))
    try stage.advance(by: .milliseconds(5))
    var told: Set<Int64> = [stage.progress.framesLost]
    while stage.isGathering {
      told.insert(stage.progress.framesLost)
      try stage.advance(by: .milliseconds(5))
    }
    let reviewed = stage.lostInReview
    #expect(told == [2, 5] && reviewed == 5)
    try stage.stop()
  }
}
