import CameraModel
import Foundation
import Testing
import Timebase

@testable import Simulator

@Suite("The lamp of a simulated camera")
struct SimulatedLampTests {
  @Test("is given as a frequency and a depth")
  func text() throws {
    #expect(try SimulatedFaults(text: "flicker=100").lamp == Lamp(hertz: Fraction(100), depth: 0.2))
    #expect(
      try SimulatedFaults(text: "flicker=119.9:0.3").lamp == Lamp(hertz: Fraction(1199, 10), depth: 0.3))
    for text in ["", "0", "-5", "1001", "100:", "100:0.7", "100:-1", "100:nan", "100:0.1:0.1", "fast"] {
      let error = #expect(throws: QuantityError.self) { _ = try SimulatedFaults(text: "flicker=\(text)") }
      #expect(error?.description.contains("100:0.3") == true)
    }
  }

  @Test(
    "flickers at its frequency at the camera's rate, and is never brighter than steady light",
    arguments: [(100, 240, 60), (120, 240, 60), (97, 240, 240), (50, 90, 180)])
  func swings(hertz: Int64, rate: Int64, cycle: Int) {
    let lamp = Lamp(hertz: Fraction(hertz))
    let brightness = lamp.brightness(interval: Fraction(1, rate))
    #expect(brightness.count == cycle)
    #expect(brightness.allSatisfy { $0 > 0 && $0 <= 1 })
    for (frame, value) in brightness.enumerated() {
      let angle = 2 * Double.pi * Double(hertz * Int64(frame)) / Double(rate)
      #expect(abs(1.23 * value - 1 - 0.2 * cos(angle) - 0.03 * cos(2 * angle)) < 0.01)
    }
  }

  @Test(
    "lights the scene and its number, but not the strip",
    arguments: SimulatedPicture.formats)
  func lights(format: PixelFormat) throws {
    let brightness = (0..<60).map { $0 % 2 == 0 ? 1 : 0.5 }
    var steady = try SimulatedPicture(format: format, width: 320, height: 180)
    var lit = try SimulatedPicture(
      format: format, width: 320, height: 180,
      conditions: SceneConditions(brightness: brightness))
    for number: UInt32 in [0, 1, 59, 60, 121] {
      let (plain, seen) = try (
        LumaPicture(frame: steady.bytes(of: number), format: format, width: 320, height: 180),
        LumaPicture(frame: lit.bytes(of: number), format: format, width: 320, height: 180)
      )
      #expect(seen.stripNumber == number)
      #expect(plain.samples[..<(8 * 320)] == seen.samples[..<(8 * 320)])
      let isFullRange = [.mjpeg, .rgb24, .bgr24].contains(format) || format.description == "420f"
      let black = isFullRange ? 0.0 : 16
      let levels = [plain, seen].map { picture in
        Double(picture.below(8).reduce(0) { $0 + Int($1) }) / Double(320 * 172) - black
      }
      #expect(abs(levels[1] / levels[0] - brightness[Int(number % 60)]) < 0.015)
    }
  }
}
