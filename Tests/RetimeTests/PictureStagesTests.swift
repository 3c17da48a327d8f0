import Media
import Testing

@testable import Retime

@Suite("The stages of a clip's pictures")
struct PictureStagesTests {
  /// A stage of another library.
  private struct Foreign: PictureStage {
    static var name: String { "foreign" }
    var strength = 1
  }

  @Test("put a foreign one after all others, where it changes none of them")
  func foreign() {
    var stages = PictureStages(Foreign(), FrameStamp(), ClipScale.height(90), Foreign(strength: 2))
    #expect(stages[Foreign.self] == Foreign(strength: 2))
    #expect(stages.moving.count == 1 && stages.changing(overlays: true).count == 1)
    stages[Foreign.self] = nil
    #expect(stages == PictureStages(ClipScale.height(90), FrameStamp()))
  }
}
