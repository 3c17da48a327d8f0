import Testing
import Timebase

@testable import Capture

@Suite("A session's plan")
struct SessionPlanTests {
  private let interval = Duration.milliseconds(4)

  @Test("has as its remaining limit what is not recorded yet, and never a negative one")
  func remaining() {
    let limit = RecordingLimit(frames: 10, duration: .seconds(2))
    #expect(
      limit.remaining(afterFrames: 4, duration: .milliseconds(500))
        == RecordingLimit(frames: 6, duration: .milliseconds(1500)))
    #expect(
      limit.remaining(afterFrames: 11, duration: .seconds(3)) == RecordingLimit(frames: 0, duration: .zero))
    #expect(RecordingLimit().remaining(afterFrames: 4, duration: .seconds(1)) == RecordingLimit())
  }

  @Test(
    "has reached its limit after the last frame, or if less than half a frame's time remains",
    arguments: [
      (RecordingLimit(), false), (RecordingLimit(frames: 0), true), (RecordingLimit(frames: 1), false),
      (RecordingLimit(duration: .zero), true), (RecordingLimit(duration: .milliseconds(2)), true),
      (RecordingLimit(duration: .microseconds(2001)), false),
      (RecordingLimit(frames: 1, duration: .milliseconds(2)), true),
    ])
  func reached(_ limit: RecordingLimit, _ isReached: Bool) {
    #expect(limit.isReached(interval: interval) == isReached)
  }

  @Test("holds the time before a trigger, or all of the take for a review")
  func held() {
    var plan = SessionPlan(preRoll: .seconds(2), limit: RecordingLimit(duration: .seconds(3)))
    #expect(plan.keptTime == .seconds(2) && plan.heldTime == .seconds(2))
    plan.longestPreRoll = .seconds(4)
    #expect(plan.keptTime == .seconds(4) && plan.heldTime == .seconds(4))
    plan.outcome = .review
    #expect(plan.heldTime == .seconds(7))
    #expect(!plan.isOpenEnded)
    plan.limit = RecordingLimit()
    #expect(plan.isOpenEnded && plan.heldTime == .seconds(4))
  }
}
