import FrameJudge
import Glibc
import Testing

@testable import Takes

@Suite("Estimates by several methods")
struct OffsetEstimateTests {
  /// An error whose bound in 95 of 100 cases is `bound`.
  private static func error(_ bound: Double, _ numbers: inout SplitMix) -> Double {
    let (one, other) = (Double.random(in: 0..<1, using: &numbers), Double.random(in: 0..<1, using: &numbers))
    return bound / 2 * (-2 * log(1 - one)).squareRoot() * cos(2 * .pi * other)
  }

  @Test("are joined to one that is more certain, and that holds its stated error")
  func joined() throws {
    var (held, certain) = (0, 0)
    let methods: [(AlignmentMethod, Double)] = [(.flash, 150e3), (.clap, 100e3), (.stamps, 40e3)]
    for seed in 1...4000 {
      var numbers = SplitMix(state: UInt64(seed))
      let truth = Double.random(in: -1e9...1e9, using: &numbers)
      let estimates = methods.map { method, bound in
        OffsetEstimate(method, offset: truth + Self.error(bound, &numbers), uncertainty: bound)
      }
      let (joint, counted) = try #require(OffsetEstimate.fused(estimates.shuffled(using: &numbers)))
      #expect(joint.method == .flash && counted.first == .flash)
      if joint.uncertainty < 37e3 { certain += 1 }
      if (joint.offset - truth).magnitude <= joint.uncertainty { held += 1 }
    }
    #expect(held >= 3800 && certain >= 3400, "\(held) and \(certain) of 4000")
  }

  @Test("do not count if they contradict a more direct one")
  func contradicting() throws {
    let flash = OffsetEstimate(.flash, offset: 1e6, uncertainty: 1e5)
    let stamps = OffsetEstimate(.stamps, offset: 9e6, uncertainty: 1e3, rate: 5, rateUncertainty: 1)
    let trigger = OffsetEstimate(.trigger, offset: 2e6, uncertainty: 4e6)
    let (joint, counted) = try #require(OffsetEstimate.fused([trigger, stamps, flash]))
    #expect(counted == [.flash, .trigger] && (joint.offset - 1e6).magnitude < 1e3)
    #expect(joint.rate == 0 && joint.rateUncertainty == nil)
  }

  @Test("have the rate of the most direct one that measured it")
  func rate() throws {
    let estimates = [
      OffsetEstimate(.flash, offset: 0, uncertainty: 1e5),
      OffsetEstimate(.clap, offset: 0, uncertainty: 1e5, rate: 12, rateUncertainty: 3),
      OffsetEstimate(.stamps, offset: 0, uncertainty: 1e5, rate: 20, rateUncertainty: 1),
    ]
    let (joint, counted) = try #require(OffsetEstimate.fused(estimates))
    #expect(joint.rate == 12 && joint.rateUncertainty == 3 && counted.count == 3)
  }

  @Test("of unknown error stay so if there is no other, and weigh nothing beside one")
  func unknown() throws {
    let trigger = OffsetEstimate(.trigger, offset: 5e6, uncertainty: .infinity)
    let alone = try #require(OffsetEstimate.fused([trigger])).0
    #expect(alone.offset == 5e6 && alone.uncertainty == .infinity)
    let clap = OffsetEstimate(.clap, offset: 1e6, uncertainty: 1e5)
    let joint = try #require(OffsetEstimate.fused([trigger, clap])).0
    #expect(joint.offset == 1e6 && joint.uncertainty == 1e5)
    #expect(OffsetEstimate.fused([]) == nil)
  }
}
