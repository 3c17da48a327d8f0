import Media
import Timebase

/// Whether the presentation times that a source states for its frames can be true.
///
/// Broken writers state the decode times of reordered frames, one time for all, or times that run backwards.
/// Pictures found by such times would be lost or shown in the wrong order.
struct StatedTimes {
  /// The most places by which a codec reorders frames (H.264 and HEVC: the size of the decoded picture
  /// buffer).
  private static let reordering = 16
  /// The fewest frames that show a contradiction.
  private static let leastCount = 4

  /// Returns whether the order of `frames`, in file order, contradicts itself.
  ///
  /// A few wrong times are tolerated: their frames take the place that the decoder gives them.
  ///
  /// - Parameters:
  ///   - decodeTimes: as many decode times as frames, or none.
  ///   - delay: the number of frames that the decoder holds back to reorder them.
  static func areContradictory(_ frames: [FrameTime], decodeTimes: [Int64], delay: Int) -> Bool {
    guard frames.count >= leastCount else { return false }
    let times = frames.map(\.timestamp)
    if delay > 0, decodeTimes == times { return true }
    let order = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
    let repeated = zip(order, order.dropFirst()).count { times[$0] == times[$1] }
    return max(repeated, displaced(order).count) * 4 > frames.count
  }

  /// Returns whether the time of one of `frames`, in file order, is far from its decode time and from its neighbours'.
  ///
  /// Even a single such time is not tolerated: the frame would be shown hours late, and the one before it till then. A
  /// frame near the end may truly follow a long time later.
  ///
  /// - Parameters:
  ///   - decodeTimes: as many decode times as frames, or none.
  ///   - far: the least distance that is far, in ticks.
  static func includeFarTime(_ frames: [FrameTime], decodeTimes: [Int64], far: Int64) -> Bool {
    guard frames.count >= leastCount, decodeTimes.count == frames.count else { return false }
    let times = frames.map(\.timestamp)
    guard zip(times, decodeTimes).contains(where: { $0.subtracting(clamping: $1).magnitude >= far }) else {
      return false
    }
    return displaced(times.indices.sorted { (times[$0], $0) < (times[$1], $1) })
      .contains { times[$0].subtracting(clamping: decodeTimes[$0]).magnitude >= far }
  }

  /// Returns the frames that are not near their places in the file if they are shown in this order.
  private static func displaced(_ order: [Int]) -> [Int] {
    let most = min(reordering, order.count / 2)
    return zip(order, 0...).filter { !(-most...most).contains($0 - $1) }.map(\.0)
  }

  /// Returns whether `frames`, in file order, have ascending times although the decoder reorders frames.
  ///
  /// In a file without decode times, such frames are all in order, or their times are decode times. In both
  /// cases the frames that the decoder returns have these times one after another.
  ///
  /// - Parameter delay: the number of frames that the decoder holds back to reorder them.
  static func hideReordering(_ frames: [FrameTime], delay: Int) -> Bool {
    delay > 0 && zip(frames, frames.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp }
  }

  /// Returns times for frames in the order in which the decoder returns them: their decode times if these
  /// ascend at about the right rate, otherwise one after another.
  ///
  /// - Parameter step: the interval between frames in ticks, by the file's mean rate.
  static func replaced(_ frames: [FrameTime], decodeTimes: [Int64], step: Fraction) -> [FrameTime] {
    let steps = zip(decodeTimes, decodeTimes.dropFirst()).map { $1.subtracting(clamping: $0) }
    // Muxers that refuse equal times make them a tick apart.
    let squeezed = steps.count { $0 <= step.rounded / 4 }
    if decodeTimes.count == frames.count, steps.allSatisfy({ $0 > 0 }), squeezed * 4 <= steps.count {
      return zip(decodeTimes, frames).map { FrameTime(timestamp: $0, duration: $1.duration) }
    }
    let start = decodeTimes.first ?? frames.first?.timestamp ?? 0
    let step = max(Fraction(1), step)
    return frames.indices.map { place in
      let ticks = step.scaling(Int64(place))
      return FrameTime(
        timestamp: start.adding(clamping: ticks), duration: step.scaling(Int64(place) + 1) - ticks)
    }
  }
}
