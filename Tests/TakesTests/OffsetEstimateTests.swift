import Testing

@testable import Takes

@Suite("Estimates of several methods")
struct OffsetEstimateTests {
  @Test("are weighted if they agree, and the most direct one counts if they do not")
  func fused() throws {
    let clap = OffsetEstimate(.clap, offset: 3_000_000, uncertainty: 100_000)
    let near = OffsetEstimate(.stamps, offset: 3_050_000, uncertainty: 100_000)
    let (joint, methods) = try #require(OffsetEstimate.fused([near, clap]))
    #expect(methods == [.clap, .stamps])
    #expect(joint.offset == 3_025_000 && joint.method == .clap)
    #expect(joint.uncertainty > 70_000 && joint.uncertainty < 71_000)
    let far = OffsetEstimate(.stamps, offset: 10_000_000, uncertainty: 20_000)
    let (best, only) = try #require(OffsetEstimate.fused([far, clap]))
    #expect(best == clap && only == [.clap])
    #expect(OffsetEstimate.fused([]) == nil)
  }
}
