import CameraModel
import Testing
import Timebase

@testable import Simulator

@Suite("The scene of a simulated camera")
struct SceneConditionsTests {
  private static let (width, height) = (320, 240)
  /// The rows of strip and digits.
  private static let readout = FrameCounterOverlay(width: width, height: height).height

  /// The picture below the number, and the number.
  private func look(
    at picture: inout SimulatedPicture, _ number: UInt32, _ format: PixelFormat
  ) throws -> (scene: [UInt8], number: UInt32?) {
    let luma = try LumaPicture(
      frame: picture.bytes(of: number), format: format, width: Self.width, height: Self.height)
    return (Array(luma.below(Self.readout)), luma.stripNumber)
  }

  private func picture(_ format: PixelFormat, _ conditions: SceneConditions) throws -> SimulatedPicture {
    try SimulatedPicture(
      format: format, width: Self.width, height: Self.height, conditions: conditions)
  }

  @Test(
    "stands still to the pixel, except for strip and number, and then moves",
    arguments: SimulatedPicture.formats)
  func rests(format: PixelFormat) throws {
    var resting = try picture(format, SceneConditions(restingFrames: 70))
    var plain = try picture(format, SceneConditions())
    let first = try look(at: &resting, 0, format).scene
    for number: UInt32 in [1, 12, 59, 60, 69] {
      let seen = try look(at: &resting, number, format)
      #expect(seen.scene == first)
      #expect(seen.number == number)
    }
    // From there on it moves in the same way, from its second frame.
    for number: UInt32 in [70, 71, 100, 129, 130] {
      let seen = try look(at: &resting, number, format)
      #expect(seen.scene != first || (number - 69) % 60 == 0)
      #expect(try seen.scene == look(at: &plain, number - 69, format).scene)
      #expect(seen.number == number)
    }
  }

  @Test(
    "has the light of each frame's number, at rest and later", arguments: [PixelFormat.mjpeg, .yuyv])
  func restsInFlicker(format: PixelFormat) throws {
    let brightness = Lamp(hertz: Fraction(100)).brightness(interval: Fraction(1, 240))
    var resting = try picture(format, SceneConditions(restingFrames: 70, brightness: brightness))
    var steady = try picture(format, SceneConditions(restingFrames: 70))
    let black = format == .mjpeg ? 0.0 : 16
    for number: UInt32 in [0, 5, 63, 69, 70, 90, 131] {
      let (lit, plain) = try (look(at: &resting, number, format), look(at: &steady, number, format))
      let levels = [lit, plain].map { seen in
        Double(seen.scene.reduce(0) { $0 + Int($1) }) / Double(seen.scene.count) - black
      }
      #expect(abs(levels[0] / levels[1] - brightness[Int(number) % brightness.count]) < 0.015)
    }
  }

  @Test("has the given amount of noise, different in each frame", arguments: SimulatedPicture.formats)
  func noise(format: PixelFormat) throws {
    var noisy = try picture(format, SceneConditions(restingFrames: 1000, noise: 4, seed: 7))
    var clean = try picture(format, SceneConditions(restingFrames: 1000))
    let truth = try look(at: &clean, 0, format).scene
    var seen: [[UInt8]] = []
    for number: UInt32 in [0, 1, 2, 300] {
      let (scene, strip) = try look(at: &noisy, number, format)
      #expect(strip == number)
      // Pixels far from black and white, which would clip the noise.
      let errors = zip(scene, truth).filter { (40...200).contains($0.1) }.map { Double($0.0) - Double($0.1) }
      let mean = errors.reduce(0, +) / Double(errors.count)
      let deviation = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
      #expect(abs(mean) < 0.3)
      // A JPEG loses some of it, and adds its own.
      #expect(abs(deviation - 4) < (format == .mjpeg ? 1.5 : 0.3))
      #expect(!seen.contains(scene))
      seen.append(scene)
    }
    #expect(try look(at: &noisy, 2, format).scene == seen[2])
    var other = try picture(format, SceneConditions(restingFrames: 1000, noise: 4, seed: 8))
    #expect(try look(at: &other, 2, format).scene != seen[2])
  }

  @Test("rests and has noise as the camera's name states")
  func text() throws {
    let faults = try SimulatedFaults(text: "rest=3s,noise=2.5,seed=9,flicker=100")
    let conditions = faults.conditions(interval: Fraction(1, 240))
    #expect(conditions.restingFrames == 720)
    #expect(conditions.noise == 2.5 && conditions.seed == 9 && conditions.brightness.count == 60)
    #expect(faults.conditions(interval: Fraction(1001, 240_000)).restingFrames == 720)
    #expect(SimulatedFaults().conditions(interval: Fraction(1, 240)) == SceneConditions())
    for text in ["rest=", "rest=-1s", "noise=", "noise=-1", "noise=51", "noise=nan", "noise=loud"] {
      #expect(throws: QuantityError.self) { _ = try SimulatedFaults(text: text) }
    }
  }
}
