import Timebase

/// Where nothing came from a camera for far longer than from one frame to the next, though by the frames' numbers none is
/// missing: its driver stalled, and then counted on.
package struct CapturePauses: Sendable {
  /// How many there are.
  package private(set) var count = 0
  /// How long the longest lasted, and the camera's number of the frame behind it; `nil` where there is none.
  package private(set) var longest: (duration: Duration, sequence: Int64)?
  /// Frames captured a second at all other times; 0 where that is not known.
  package private(set) var framesPerSecond = 0.0

  /// No pause is shorter, in nanoseconds: 50 ms.
  private static let shortest: Int64 = 50_000_000

  /// For how many nanoseconds nothing came in a `step` from one frame to the one that is `count` numbers on, where frames
  /// are `usual` nanoseconds apart; `nil` where that is no pause.
  package static func pause(in step: Int64, over count: Int64, usual: Int64) -> Int64? {
    let pause = step.subtracting(clamping: usual.multiplied(clamping: count))
    return pause > max(shortest, usual.multiplied(clamping: 4)) ? pause : nil
  }

  /// Those of `take`, whose frames should be `interval` apart.
  package init(of take: Take, framesEvery interval: Duration) {
    let usual = interval.wholeNanoseconds
    var (steps, paused) = (Int64(0), Int64(0))
    var last: FrameEntry?
    for frame in take.frameList {
      defer { last = frame }
      guard let last, frame.sequence > last.sequence else { continue }
      let count = frame.sequence.subtracting(clamping: last.sequence)
      steps = steps.adding(clamping: count)
      let step = (frame.sinceFirst - last.sinceFirst).wholeNanoseconds
      guard let pause = Self.pause(in: step, over: count, usual: usual) else { continue }
      self.count += 1
      paused = paused.adding(clamping: pause)
      let duration = Duration.nanoseconds(pause)
      if duration > longest?.duration ?? .zero { longest = (duration, frame.sequence) }
    }
    let time = (last?.sinceFirst ?? .zero).wholeNanoseconds.subtracting(clamping: paused)
    if time > 0 { framesPerSecond = Double(steps) * 1e9 / Double(time) }
  }
}
