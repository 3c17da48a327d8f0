import Timebase

/// The pauses of a camera in which nothing came for far longer than a frame interval, though no frame is
/// missing by the numbers: the driver stalled, and then counted on.
package struct CapturePauses: Sendable {
  /// The number of pauses.
  package private(set) var count = 0
  /// The duration of the longest pause, and the camera's number of the frame after it; `nil` if there are
  /// none.
  package private(set) var longest: (duration: Duration, sequence: Int64)?
  /// Frames captured per second outside the pauses; 0 if unknown.
  package private(set) var framesPerSecond = 0.0

  /// The shortest pause that counts, in nanoseconds: 50 ms.
  private static let shortest: Int64 = 50_000_000

  /// Returns the nanoseconds of the pause in a `step` over `count` frames that are usually `usual`
  /// nanoseconds apart; `nil` if there is no pause.
  package static func pause(in step: Int64, over count: Int64, usual: Int64) -> Int64? {
    let pause = step.subtracting(clamping: usual.multiplied(clamping: count))
    return pause > max(shortest, usual.multiplied(clamping: 4)) ? pause : nil
  }

  /// Finds the pauses of `take`, whose frames should be `interval` apart.
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
