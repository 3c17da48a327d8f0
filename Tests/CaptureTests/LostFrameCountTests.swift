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

  /// Returns the number of frames that are missing from `arrived`, by their sequence numbers.
  private func missing(_ arrived: ArraySlice<SessionStage.Arrived>) -> Int64 {
    guard let first = arrived.first, let last = arrived.last else { return 0 }
    return Int64(last.number) - Int64(first.number) + 1 - Int64(arrived.count { $0.kind == .frame })
  }

  @Test(
    "are counted from the first frame on, whether lost before the driver or in the ring",
    arguments: ["sim:,drop=5%", "sim:,drop=10-19", "sim:,drop=20+40+60-62"])
  func newestFrame(_ camera: String) throws {
    var stage = try SessionStage(
      camera: camera, ring: 64 << 10, plan: Self.plan, makeOutput: { _ in NoOutput() })
    for step in 0..<200 {
      try stage.advance(by: .milliseconds(5), writerStalls: step % 40 > 30)
      guard let last = stage.arrived.last, last.kind == .frame else { continue }
      guard let newest = stage.status.newest, newest.sequence == last.number else { continue }
      let frames = stage.status.frames
      #expect(frames.lost.total == missing(stage.arrived[...]), "\(step)")
      #expect(frames.came == stage.arrived.count { $0.kind == .frame } && newest.sent == frames.sent)
    }
    #expect(stage.status.frames.lost.total > 0)
    try stage.stop()
  }

  @Test("are reported while frames gather for a review, and match those of the review")
  func gathering() async throws {
    var plan = Self.plan
    plan.outcome = .review
    var stage = try SessionStage(
      camera: "sim:,drop=100+110+150-152", ring: 4 << 20, plan: plan, makeOutput: { _ in NoOutput() })
    for _ in 0..<120 { try stage.advance(by: .milliseconds(5)) }
    let armed = stage.status
    #expect(armed.phase == .armed && armed.framesLost == 0 && armed.review == nil)
    let trigger = stage.now
    stage.commands.trigger(TriggerEvent(.signal, at: trigger))
    try stage.advance(by: .milliseconds(5))
    var told: Set<Int64> = [stage.status.framesLost]
    while stage.status.phase == .gathering {
      told.insert(stage.status.framesLost)
      try stage.advance(by: .milliseconds(5))
    }
    let (reviewing, review) = (stage.status, try #require(stage.status.review))
    #expect(told == [2, 5] && reviewing.phase == .reviewing && review.lost == 5)
    let before = stage.arrived.filter { (trigger - .milliseconds(500)...trigger).contains($0.timestamp) }
    #expect(review.triggerIndex == before.count - 1 && reviewing.reviewCount == 1)
    try stage.stop()
  }
}
