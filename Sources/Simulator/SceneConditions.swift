/// The conditions under which a simulated camera's scene is drawn, by frame number.
public struct SceneConditions: Hashable, Sendable {
  /// The number of the first frame with motion; until then, the scene is still, but its number changes.
  public var restingFrames: UInt32
  /// The brightness in each frame of a cycle, above 0 and at most 1; the cycle is a multiple of the scene's
  /// steps. Empty for steady light.
  public var brightness: [Double]
  /// The standard deviation of the sensor's noise, in steps of luma; 0 for none.
  public var noise: Double
  /// The seed of the noise.
  public var seed: UInt64

  /// Whether flashes may whiten rows of some frames.
  public var hasFlashes = false

  /// Whether the camera shows the other scene, with another wall.
  public var isOtherScene = false

  /// The file whose frames modes of compressed streams send; `nil` to draw them.
  public var recording: String?

  /// Creates conditions; by default the scene moves from the first frame on, in steady light and without
  /// noise.
  public init(
    restingFrames: UInt32 = 0, brightness: [Double] = [], noise: Double = 0, seed: UInt64 = 0
  ) {
    self.restingFrames = restingFrames
    self.brightness = brightness
    self.noise = noise
    self.seed = seed
  }

  /// The maximum noise; more would hide the scene.
  public static let mostNoise = 50.0

  /// The delay of the scene's motion in frames; the first frame with motion is its second step.
  private var delay: UInt32 { restingFrames > 0 ? restingFrames - 1 : 0 }

  /// Returns whether the scene is still at rest in frame `number`.
  func rests(in number: UInt32) -> Bool { number < restingFrames }

  /// Returns the number of frames that the scene has moved at frame `number`.
  func course(of number: UInt32) -> UInt32 { rests(in: number) ? 0 : number - delay }

  /// Returns the index in the light's cycle of frame `course` of the motion.
  func lightIndex(ofCourse course: Int) -> Int {
    brightness.isEmpty ? 0 : (course + Int(delay)) % brightness.count
  }
}
