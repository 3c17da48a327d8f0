/// What a simulated camera looks at: one scene, or another one from some frame on.
struct SimulatedScenes: ~Copyable {
  private var first: SimulatedPicture
  private var second: SimulatedPicture?
  /// The first frame of the second scene.
  private let change: UInt32
  /// The most bytes that a frame has.
  let largestFrame: Int

  /// One scene.
  init(_ scene: consuming SimulatedPicture) {
    largestFrame = scene.largestFrame
    first = scene
    second = nil
    change = .max
  }

  /// A scene, and another one from frame `change` on.
  init(_ scene: consuming SimulatedPicture, _ other: consuming SimulatedPicture, from change: UInt32) {
    largestFrame = max(scene.largestFrame, other.largestFrame)
    first = scene
    second = .some(other)
    self.change = change
  }

  /// The bytes at a frame's start that hold no picture.
  var headerByteCount: Int { first.headerByteCount }

  /// Makes frame `number`; its bytes hold until the next is made.
  mutating func compose(_ number: UInt32) -> UnsafeRawBufferPointer {
    if number >= change, let frame = second?.compose(number) { return frame }
    return first.compose(number)
  }
}
