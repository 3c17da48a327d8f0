import Testing
import Timebase

@testable import Takes

@Suite("The tally of a stream")
struct FrameTallyTests {
  /// Possible numbers of a camera: gaps, repeats, numbers that go back, and a wrap.
  @Test("agrees with the frame accounting of a take, whatever the camera's numbers", arguments: 0..<200)
  func agrees(_ seed: UInt64) {
    var random = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    func next(_ bound: UInt64) -> UInt64 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (random >> 33) % bound
    }
    var (tally, accounting) = (FrameTally(), FrameAccounting())
    var sequence = next(3) == 0 ? UInt32.max - 20 : UInt32(next(5))
    for _ in 0..<100 {
      switch next(12) {
      case 0: sequence &+= UInt32(next(7))
      case 1 where seed % 3 == 0: sequence &-= UInt32(next(3))
      default: break
      }
      if next(5) == 0 {
        let (stage, count) = (LossStage.allCases[Int(next(4))], UInt32(next(4)))
        tally.enterLost(sequence: sequence, count: count, at: stage)
        accounting.enterLost(sequence: sequence, count: count, at: stage)
        sequence &+= count
      } else {
        tally.enterFrame(sequence: sequence)
        accounting.enterWritten(sequence: sequence, at: Instant(nanoseconds: 0))
        sequence &+= 1
      }
      #expect(tally.lost == accounting.lost && tally.came == accounting.written)
      for stage in LossStage.allCases { #expect(tally.lost[stage] == accounting.ledger.count(of: stage)) }
      #expect(accounting.sent == tally.came + tally.lost.total)
    }
  }
}
