/// The conditions under which a simulated camera's scene is drawn, by frame number.
public struct SceneConditions: Hashable, Sendable {
  /// The number of the first frame that moves; until then the scene, but not its number, stands
  /// still.
  public var restingFrames: UInt32
  /// How bright the light is in each frame of a cycle, a multiple of the scene's steps: above 0, at
  /// most 1; empty for steady light.
  public var brightness: [Double]
  /// The standard deviation of the sensor's noise, in steps of luma; 0 for none.
  public var noise: Double
  /// What decides the noise.
  public var seed: UInt64

  /// Whether the camera looks at another scene, with another wall and its things elsewhere.
  public var isOtherScene = false

  /// A scene that moves from the first frame on, in steady light and without noise, or these.
  public init(
    restingFrames: UInt32 = 0, brightness: [Double] = [], noise: Double = 0, seed: UInt64 = 0
  ) {
    self.restingFrames = restingFrames
    self.brightness = brightness
    self.noise = noise
    self.seed = seed
  }

  /// The most noise that can be asked for: more would hide the scene.
  public static let mostNoise = 50.0

  /// How many frames the scene's course is late: the first frame that moves is its second step.
  private var delay: UInt32 { restingFrames > 0 ? restingFrames - 1 : 0 }

  /// Whether the scene still stands in frame `number`.
  func rests(in number: UInt32) -> Bool { number < restingFrames }

  /// The frames of the scene's course that have passed at frame `number`.
  func course(of number: UInt32) -> UInt32 { rests(in: number) ? 0 : number - delay }

  /// Where in the cycle of the light frame `course` of the scene's course lies.
  func lightIndex(ofCourse course: Int) -> Int {
    brightness.isEmpty ? 0 : (course + Int(delay)) % brightness.count
  }
}
