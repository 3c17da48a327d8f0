import CameraModel
import Cameras
import FrameJudge
import Media
import Simulator
import Testing
import Timebase

@testable import Capture

/// Grids of invented scenes, in simulated time.
@Suite("A change of scene")
struct SceneTests {
  private static let columns = 160
  private static let rows = 120

  /// Returns a patterned wall, optionally with an object in some columns, in some light.
  private func grid(_ seed: UInt64 = 1, light: Double = 1, object: Range<Int> = 0..<0) -> LumaGrid {
    var random = SplitMix(state: seed)
    // Blocks, because a real scene is not noise.
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

  /// Returns the analyses that report a change of scene, by number.
  private func changes(_ scene: (Int) -> LumaGrid, looks: Int = 60) -> [Int] {
    var analysis = SceneAnalysis(MotionField(columns: Self.columns, rows: Self.rows))
    return (0..<looks).filter { analysis.look(scene($0), at: time($0)) != nil }
  }

  @Test("is reported once, after it has lasted for a second")
  func change() {
    #expect(changes { grid($0 < 20 ? 1 : 2) } == [25])
    #expect(changes { grid($0 < 20 ? 1 : $0 < 40 ? 2 : 1) } == [25, 45])
  }

  @Test("is not reported if it reverts within a second, or if an object moves through the picture")
  func passing() {
    #expect(changes { grid((20..<25).contains($0) ? 2 : 1) }.isEmpty)
    #expect(changes { look in grid(object: max(0, 8 * (look - 10) - 40)..<max(0, 8 * (look - 10))) }.isEmpty)
    // An object that covers half of the picture and never rests.
    #expect(changes { look in grid(object: look % 2 == 0 ? 0..<80 : 80..<160) }.isEmpty)
  }

  @Test("is not reported for a change of light, even a lasting one", arguments: [0.4, 0.8, 1.2])
  func light(_ light: Double) {
    #expect(changes { grid(light: $0 < 20 ? 1 : light) }.isEmpty)
    // A change of scene after it is reported.
    #expect(changes { $0 < 40 ? grid(light: $0 < 20 ? 1 : light) : grid(2, light: light) } == [45])
  }

  @Test("must affect at least a third of the picture, such as a large object that stays")
  func size() {
    #expect(changes { grid(object: 0..<($0 < 20 ? 0 : 32)) }.isEmpty)
    #expect(changes { grid(object: 0..<($0 < 20 ? 0 : 90)) } == [25])
  }

  @Test("is reported when a slowly panned camera comes to rest")
  func pan() {
    let told = changes({ look in grid(look < 20 ? 1 : look < 40 ? UInt64(look) : 99) }, looks: 80)
    #expect(told == [45])
  }

  @Test("during a take is reported after it, and a new stream starts afresh")
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
    // The new stream's clock is behind.
    #expect(analysis.look(grid(3), at: time(0)) == nil)
    for look in 1..<20 { #expect(analysis.look(grid(3), at: time(look)) == nil) }
  }
}
