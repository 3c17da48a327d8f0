import FrameJudge
import Glibc
import Testing

@testable import Takes

@Suite("Flashes in the rows of frames")
struct FlashDetectorTests {
  /// A scene before a rolling shutter, by rows.
  private struct Scene {
    var height = 180
    var interval = 1e9 / 240
    var line = 20_000.0
    /// Rows at the top that show a number, which changes with each frame.
    var overlay = 72
    /// The time for which a flash lasts before its end, in nanoseconds.
    var length = 0.0
    var noise: Float = 0.01
    var light: ClosedRange<Float> = 0.1...0.6

    /// Returns the detector after `count` frames, with flashes that end at `moments`.
    func detector(_ moments: [Double], frames count: Int = 300, seed: Int = 1) -> FlashDetector {
      var numbers = SplitMix(state: UInt64(seed))
      let still = (0..<height).map { _ in Float.random(in: light, using: &numbers) }
      var detector = FlashDetector()
      for frame in 0..<count {
        let rows = (0..<height).map { row in
          guard row >= overlay else { return number(frame, row) }
          let start = Double(frame) * interval + Double(row) * line
          var value = still[row] + noise * Float.random(in: -1...1, using: &numbers)
          value += 0.1 * Float(sin(Double(frame) * 0.1 + Double(row) * 0.05))
          for moment in moments {
            let seen = min(start + interval, moment) - max(start, moment - length)
            let part =
              length > 0 ? max(0, seen / length) : start <= moment && moment < start + interval ? 1 : 0
            value += 0.5 * Float(part)
          }
          return min(1, value)
        }
        detector.add(rows, of: frame)
      }
      detector.finish()
      return detector
    }

    /// The light of a row of digits, of which the last changes most often.
    private func number(_ frame: Int, _ row: Int) -> Float {
      var (rest, sum) = (frame, 0)
      for _ in 0..<7 {
        sum += (rest % 10 * 2_654_435_761 >> (row / 8 + 3)) % 6
        rest /= 10
      }
      return 0.1 + Float(sum) * 0.02
    }

    /// Whether `end` is where a flash that ends at `moment` must be.
    func holds(_ end: FlashEnd, _ moment: Double, within rows: Double = 0) -> Bool {
      let lit = Double(end.lit.frame) * interval + Double(end.lit.row) * line
      let dark = Double(end.dark.frame) * interval + Double(end.dark.row) * line
      return lit <= moment && moment <= dark + rows * line
    }
  }

  private static func moments(_ count: Int, _ numbers: inout SplitMix) -> [Double] {
    (0..<count).map { 0.1e9 + (Double($0) + Double.random(in: 0..<0.7, using: &numbers)) * 0.2e9 }
  }

  @Test("end between two rows, beside digits that change and rows that move")
  func ends() {
    for seed in 1...20 {
      var numbers = SplitMix(state: UInt64(seed))
      var scene = Scene()
      scene.line = Double.random(in: 0.3...0.98, using: &numbers) * scene.interval / Double(scene.height)
      let moments = Self.moments(5, &numbers)
      let ends = scene.detector(moments, seed: seed).ends
      #expect(ends.count == moments.count, "seed \(seed)")
      for (end, moment) in zip(ends, moments) {
        #expect(scene.holds(end, moment), "seed \(seed): \(end), \(moment)")
        if end.isWithinFrame { #expect(end.dark.row - end.lit.row <= 20, "seed \(seed): \(end)") }
      }
    }
  }

  @Test("end in the last rows too, though few rows of the frame before are lit")
  func lastRows() {
    let scene = Scene()
    let frames = [100, 150, 200]
    let ends = scene.detector(frames.map { Double($0) * scene.interval + 175.5 * scene.line }).ends
    #expect(ends.map(\.lit) == frames.map { FlashEnd.Place(frame: $0, row: 175) })
    #expect(ends.map(\.dark) == frames.map { FlashEnd.Place(frame: $0, row: 176) })
  }

  @Test("that go out slowly end among the rows that they reach less")
  func slow() {
    for seed in 1...20 {
      var numbers = SplitMix(state: UInt64(seed))
      var scene = Scene()
      scene.length = 0.5e6
      scene.noise = 0.005
      let moments = Self.moments(5, &numbers)
      let ends = scene.detector(moments, seed: seed).ends
      #expect(ends.count == moments.count, "seed \(seed)")
      for (end, moment) in zip(ends, moments) {
        #expect(scene.holds(end, moment, within: 8), "seed \(seed): \(end), \(moment)")
      }
    }
  }

  @Test("are whole frames for a global shutter")
  func global() {
    var scene = Scene()
    (scene.line, scene.overlay) = (0, 0)
    let ends = scene.detector([0.4e9 + 1e6, 0.7e9 + 1e6]).ends
    #expect(ends.map(\.lit.frame) == [96, 168] && ends.map(\.dark.frame) == [97, 169])
    #expect(ends.allSatisfy { $0.lit.row == 179 && $0.dark.row == 0 })
  }

  @Test("are none in a steady scene, in a lamp that stays on, and in a white picture")
  func none() {
    let scene = Scene()
    #expect(scene.detector([]).ends.isEmpty && !scene.detector([]).isSaturated)
    var lamp = Scene()
    lamp.length = 10e9
    #expect(lamp.detector([10.5e9]).ends.isEmpty)
    var white = Scene()
    (white.light, white.overlay) = (1.2...1.3, 0)
    let detector = white.detector([0.5e9])
    #expect(detector.ends.isEmpty && detector.isSaturated)
  }
}
