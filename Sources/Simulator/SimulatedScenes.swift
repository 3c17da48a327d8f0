/// A simulated camera's scenes: one, or two with a change at some frame.
struct SimulatedScenes: ~Copyable {
  private var first: SimulatedPicture
  private var second: SimulatedPicture?
  /// The first frame of the second scene.
  private let change: UInt32
  /// The maximum size of a frame in bytes.
  let largestFrame: Int

  /// Creates a single scene.
  init(_ scene: consuming SimulatedPicture) {
    largestFrame = scene.largestFrame
    first = scene
    second = nil
    change = .max
  }

  /// Creates a scene that changes to another one at frame `change`.
  init(_ scene: consuming SimulatedPicture, _ other: consuming SimulatedPicture, from change: UInt32) {
    largestFrame = max(scene.largestFrame, other.largestFrame)
    first = scene
    second = .some(other)
    self.change = change
  }

  /// The number of bytes at a frame's start that precede the picture.
  var headerByteCount: Int { first.headerByteCount }

  /// Composes frame `number` with white in the rows `white`; its bytes are valid until the next call.
  mutating func compose(_ number: UInt32, white: [Range<Int>]) -> UnsafeRawBufferPointer {
    if number >= change, let frame = second?.compose(number, white: white) { return frame }
    return first.compose(number, white: white)
  }
}
