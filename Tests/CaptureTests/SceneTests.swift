import CameraModel
import Cameras
import FilmJudge
import Media
import Simulator
import Testing
import Timebase

@testable import Capture

/// Two scenes of a simulated camera in cells, in made-up time.
@Suite("Another scene")
struct SceneTests {
  private static let columns = 160
  private static let rows = 120

  /// A wall with an object of some width at its left, in some light.
  private func grid(_ seed: UInt64 = 1, light: Double = 1, object: Range<Int> = 0..<0) -> LumaGrid {
    var random = SplitMix(state: seed)
    // Blocks, as scenes are not noise.
    let blocks = (0..<300).map { _ in Double.random(in: 20...200, using: &random) }
    var values: [UInt8] = []
    for row in 0..<Self.rows {
      for column in 0..<Self.columns {
        let luma = object.contains(column) ? 230 : blocks[row / 8 * 20 + column / 8] * light
        values.append(UInt8(min(255, luma)))
      }
    }
    return LumaGrid(columns: Self.columns, rows: Self.rows, values: values)
  }

  private func time(_ look: Int) -> Instant { 1_000_000_000 + SceneAnalysis.interval * look }

  /// When the scene is said to have changed, by the number of the look.
  private func changes(_ scene: (Int) -> LumaGrid, looks: Int = 60) -> [Int] {
    var analysis = SceneAnalysis(MotionField(columns: Self.columns, rows: Self.rows))
    return (0..<looks).filter { analysis.look(scene($0), at: time($0)) != nil }
  }

  @Test("is told once, a second after it has come to stay")
  func change() {
    #expect(changes { grid($0 < 20 ? 1 : 2) } == [25])
    #expect(changes { grid($0 < 20 ? 1 : $0 < 40 ? 2 : 1) } == [25, 45])
  }

  @Test("is none where it is gone within a second, or where something moves through the picture")
  func passing() {
    #expect(changes { grid((20..<25).contains($0) ? 2 : 1) }.isEmpty)
    #expect(changes { look in grid(object: max(0, 8 * (look - 10) - 40)..<max(0, 8 * (look - 10))) }.isEmpty)
    // As large as the half of the picture, and never at rest.
    #expect(changes { look in grid(object: look % 2 == 0 ? 0..<80 : 80..<160) }.isEmpty)
  }

  @Test("is none where the light changes, be it for good", arguments: [0.4, 0.8, 1.2])
  func light(_ light: Double) {
    #expect(changes { grid(light: $0 < 20 ? 1 : light) }.isEmpty)
    // What comes after it is one.
    #expect(changes { $0 < 40 ? grid(light: $0 < 20 ? 1 : light) : grid(2, light: light) } == [45])
  }

  @Test("is none where less than a third of it has changed; a large thing that stays is one")
  func size() {
    #expect(changes { grid(object: 0..<($0 < 20 ? 0 : 32)) }.isEmpty)
    #expect(changes { grid(object: 0..<($0 < 20 ? 0 : 90)) } == [25])
  }

  @Test("is told once it is still, where a camera is turned slowly")
  func pan() {
    let told = changes({ look in grid(look < 20 ? 1 : look < 40 ? UInt64(look) : 99) }, looks: 80)
    #expect(told == [45])
  }

  @Test("is told after a take where it changed during that, and another stream begins anew")
  func takes() {
    var analysis = SceneAnalysis(MotionField(columns: Self.columns, rows: Self.rows))
    var told: [Int] = []
    for look in 0..<60 {
      if (20..<40).contains(look) {
        analysis.pause()
      } else if analysis.look(grid(look < 30 ? 1 : 2), at: time(look)) != nil {
        told.append(look)
      }
    }
    #expect(told == [45])
    // Its clock has gone back.
    #expect(analysis.look(grid(3), at: time(0)) == nil)
    for look in 1..<20 { #expect(analysis.look(grid(3), at: time(look)) == nil) }
  }
}
