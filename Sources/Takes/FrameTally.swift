/// How many frames a stream has had, and how many of them are missing, by the camera's numbers.
///
/// A pure value of a few bytes, fed in the order in which frames left the camera. Whatever counts lost frames counts with
/// it, so that a gap in the numbers is a loss everywhere.
package struct FrameTally: Hashable, Sendable {
  /// Frames that came.
  package private(set) var came: Int64 = 0
  /// Frames that did not, by stage: numbers that the camera left out, and frames that were entered as lost.
  package private(set) var lost = Take.FrameCounts.Lost()
  /// How often a number came twice.
  private(set) var repeats: Int64 = 0
  /// Whether a number was less than the one before.
  private(set) var wentBack = false
  private(set) var first: Int64?
  private(set) var last: Int64 = 0
  private(set) var lastRaw: UInt32 = 0
  /// `lastRaw` past 32 bits; behind `last` where numbers were repeated.
  private var lastUnwrapped: Int64 = 0

  /// A run of numbers: those that the camera left out, and those that follow them.
  struct Step: Hashable, Sendable {
    /// The first number of the run, unwrapped past 32 bits.
    var start: Int64
    /// How many numbers before it were left out.
    var missing: Int64
  }

  /// A tally of no frames.
  package init() {}

  /// Enters a frame that came.
  package mutating func enterFrame(sequence: UInt32) { _ = frameCame(sequence) }

  /// Enters a frame that came, and returns its place.
  mutating func frameCame(_ sequence: UInt32) -> Step {
    came += 1
    return advance(to: sequence, by: 1)
  }

  /// Enters `count` frames from `sequence` on that were lost at `stage`.
  package mutating func enterLost(sequence: UInt32, count: UInt32 = 1, at stage: LossStage) {
    _ = framesLost(sequence, count, at: stage)
  }

  /// Enters frames that were lost, and returns their place; `nil` where they are no part of what is counted.
  ///
  /// What the driver lost before the first frame is not, as a gap there is none.
  mutating func framesLost(_ sequence: UInt32, _ count: UInt32, at stage: LossStage) -> Step? {
    guard count > 0, first != nil || stage != .driver else { return nil }
    lost[stage] += Int64(count)
    return advance(to: sequence, by: count)
  }

  /// Steps to a run of `count` frames.
  private mutating func advance(to raw: UInt32, by count: UInt32) -> Step {
    var step = Step(start: Int64(raw), missing: 0)
    if first == nil {
      lastUnwrapped = step.start
      first = step.start
    } else {
      // The difference of two wrapping numbers is right as long as a gap is shorter than 2^31 frames.
      let distance = Int64(Int32(bitPattern: raw &- lastRaw))
      if distance == 0 { repeats += 1 }
      if distance < 0 { wentBack = true }
      lastUnwrapped = distance < 0 ? last + 1 : lastUnwrapped + distance
      // A number that comes twice and then leaves one out was late to count, as vivid is: no frame is missing.
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
