/// The count of a stream's frames, and of those that are missing by the camera's numbers.
///
/// A plain value of a few bytes, fed in the order in which frames left the camera. All code that counts lost
/// frames uses it, so that a gap in the numbers is a loss everywhere.
package struct FrameTally: Hashable, Sendable {
  /// The number of frames that arrived.
  package private(set) var came: Int64 = 0
  /// The frames that did not, by stage: gaps in the camera's numbers, and frames that were recorded as lost.
  package private(set) var lost = Take.FrameCounts.Lost()
  /// The count of repeated numbers.
  private(set) var repeats: Int64 = 0
  /// Whether a number was lower than the one before.
  private(set) var wentBack = false
  private(set) var first: Int64?
  private(set) var last: Int64 = 0
  private(set) var lastRaw: UInt32 = 0
  /// `lastRaw` unwrapped past 32 bits; less than `last` after repeated numbers.
  private var lastUnwrapped: Int64 = 0

  /// A run of numbers, and the gap before it.
  struct Step: Hashable, Sendable {
    /// The first number of the run, unwrapped past 32 bits.
    var start: Int64
    /// The size of the gap before it.
    var missing: Int64
  }

  /// Creates a tally of no frames.
  package init() {}

  /// Records a frame that arrived.
  package mutating func enterFrame(sequence: UInt32) { _ = frameArrived(sequence) }

  /// Records a frame that arrived, and returns its place.
  mutating func frameArrived(_ sequence: UInt32) -> Step {
    came += 1
    return advance(to: sequence, by: 1)
  }

  /// Records `count` frames from `sequence` on that were lost at `stage`.
  package mutating func enterLost(sequence: UInt32, count: UInt32 = 1, at stage: LossStage) {
    _ = framesLost(sequence, count, at: stage)
  }

  /// Records frames that were lost, and returns their place; `nil` if they do not count.
  ///
  /// Frames that the driver dropped before the first one do not count, just as a gap there does not.
  mutating func framesLost(_ sequence: UInt32, _ count: UInt32, at stage: LossStage) -> Step? {
    guard count > 0, first != nil || stage != .driver else { return nil }
    lost[stage] += Int64(count)
    return advance(to: sequence, by: count)
  }

  /// Advances to a run of `count` frames.
  private mutating func advance(to raw: UInt32, by count: UInt32) -> Step {
    var step = Step(start: Int64(raw), missing: 0)
    if first == nil {
      lastUnwrapped = step.start
      first = step.start
    } else {
      // The difference of two wrapping numbers is correct for gaps shorter than 2^31 frames.
      let distance = Int64(Int32(bitPattern: raw &- lastRaw))
      if distance == 0 { repeats += 1 }
      if distance < 0 { wentBack = true }
      lastUnwrapped = distance < 0 ? last + 1 : lastUnwrapped + distance
      // A number that repeats before a gap of one comes from a late counter, as in vivid: no frame is
      // missing.
      step.start = max(lastUnwrapped, last + 1)
      step.missing = step.start - last - 1
      lost.driver += step.missing
    }
    last = step.start + Int64(count) - 1
    lastUnwrapped += Int64(count) - 1
    lastRaw = raw &+ (count - 1)
    return step
  }
}
