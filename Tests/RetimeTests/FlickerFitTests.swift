import FrameJudge
import Foundation
import Testing

@testable import Retime

@Suite("The flicker of lamps in a source's brightness")
struct FlickerFitTests {
  /// The light that a camera captures: a scene, a lamp, and noise.
  struct Light: CustomTestStringConvertible {
    var rate = 240.0
    var hertz = 100.0
    var depth = 0.2
    var noise = 0.002
    var seconds = 2.0
    /// As a fraction of the depth; a beat between this and the camera's rate cannot be separated from the
    /// scene.
    var harmonic = 0.15
    /// The brightness of the scene.
    var scene: @Sendable (Double) -> Double = { 0.3 + 0.05 * $0 }

    var testDescription: String { "\(hertz) Hz, depth \(depth), at \(rate) fps" }

    var times: [Double] {
      var chance = SplitMix(state: 3)
      // Frames come up to 0.3 ms off their schedule; their times are known.
      return (0..<Int(rate * seconds)).map {
        Double($0) / rate + Double(chance.next() % 1000) / 1000 * 0.0003
      }
    }

    func lamp(_ time: Double) -> Double {
      let angle = 2 * Double.pi * hertz * time + 0.7
      return 1 + depth * (cos(angle) + harmonic * cos(2 * angle))
    }

    var light: [Double?] {
      var chance = SplitMix(state: 4)
      return times.map {
        scene($0) * lamp($0) * (1 + noise * (Double(chance.next() % 2001) / 1000 - 1))
      }
    }

    var fit: FlickerFit? { FlickerFit(times: times, light: light) }

    /// The largest deviation from the scene after the correction by `fit`.
    func error(_ fit: FlickerFit) -> Double {
      zip(times, zip(light, fit.swing)).map { time, seen in
        abs((seen.0 ?? 0) * exp(-seen.1) / scene(time) - 1)
      }.max() ?? 0
    }
  }

  @Test(
    "is found and removed, whatever the camera's rate",
    arguments: [
      Light(), Light(hertz: 120), Light(rate: 239.7, hertz: 120, harmonic: 0), Light(depth: 0.02),
      Light(hertz: 99.6, depth: 0.1), Light(hertz: 120.3, depth: 0.1, harmonic: 0), Light(rate: 119.88),
      Light(rate: 480, depth: 0.4), Light(rate: 90, hertz: 120, seconds: 4), Light(rate: 330, hertz: 120),
      Light(rate: 1000, seconds: 0.3), Light(rate: 25, hertz: 120, depth: 0.1, seconds: 6),
    ])
  func found(_ light: Light) throws {
    let fit = try #require(light.fit)
    #expect(fit.hertz == (light.hertz < 110 ? 100 : 120))
    #expect(fit.depth > 0.75 * light.depth && fit.depth < 1.25 * light.depth)
    #expect(light.error(fit) < 0.012 + 0.04 * light.depth)
  }

  @Test("is known not to be found where the camera's rate hides it, and in few frames")
  func hiddenLamps() {
    func lamps(_ rate: Double, _ seconds: Double = 2) -> [Int] {
      FlickerFit.hiddenLamps(times: Light(rate: rate, seconds: seconds).times)
    }
    #expect(lamps(240) == [] && lamps(25, 6) == [100] && lamps(60) == [120] && lamps(59) == [120])
    #expect(lamps(240, 0.05) == [100, 120])
    #expect(Light(rate: 59, hertz: 120, seconds: 6).fit == nil)
  }

  @Test("is not detected in light that is steady, fades, moves or is switched")
  func steady() {
    let scenes: [@Sendable (Double) -> Double] = [
      { _ in 0.3 }, { 0.5 * exp(-$0) }, { 0.3 + 0.1 * sin(2 * .pi * 4 * $0) + 0.02 * sin(2 * .pi * 48 * $0) },
      { $0 < 1 ? 0.3 : 0.6 }, { 0.3 + 0.1 * ($0 * 7).truncatingRemainder(dividingBy: 1) },
    ]
    for scene in scenes { #expect(Light(depth: 0, noise: 0.001, scene: scene).fit == nil) }
    for noise in [0.0, 0.02] { #expect(Light(depth: 0, noise: noise).fit == nil) }
  }

  @Test("is separated from motion, fades and switching that occur at the same time")
  func scenes() throws {
    let fading = Light(scene: { 0.5 * exp(-$0) })
    #expect(fading.error(try #require(fading.fit)) < 0.01)
    let moving = Light(scene: { 0.3 + 0.02 * sin(2 * .pi * 3 * $0) + 0.01 * sin(2 * .pi * 48 * $0) })
    #expect(moving.error(try #require(moving.fit)) < 0.01)
    let switched = Light(scene: { $0 < 1 ? 0.3 : 0.6 })
    #expect(switched.error(try #require(switched.fit)) < 0.03)
  }

  @Test("is not detected if the camera's rate hides it, or in a few frames")
  func hidden() {
    #expect(Light(rate: 120, hertz: 120).fit == nil)
    #expect(Light(rate: 50).fit == nil)
    #expect(Light(seconds: 0.08).fit == nil)
    #expect(FlickerFit(times: [], light: []) == nil)
    #expect(FlickerFit(times: [0, 0, 0], light: [1, 1, 1]) == nil)
  }

  @Test("is fitted without frames of unknown light, and corrected in them from their neighbours")
  func gaps() throws {
    let light = Light()
    var known = light.light
    for index in stride(from: 5, to: known.count, by: 17) { known[index] = index % 2 == 0 ? nil : 0 }
    let fit = try #require(FlickerFit(times: light.times, light: known))
    #expect(light.error(fit) < 0.015)
  }
}
