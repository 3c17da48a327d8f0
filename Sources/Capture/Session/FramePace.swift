import Timebase

/// The rate at which frames come, by their own numbers and times.
struct FramePace {
  private var frames: [SessionStatus.LatestFrame] = []
  private static let span = Duration.seconds(1)

  /// Notes the newest frame, about ten times a second.
  mutating func note(_ frame: SessionStatus.LatestFrame) {
    if let last = frames.last, frame.sent < last.sent || frame.timestamp < last.timestamp { frames = [] }
    guard frame != frames.last else { return }
    frames.append(frame)
    while frames.count > 2, frame.timestamp - frames[1].timestamp >= Self.span { frames.removeFirst() }
  }

  /// Frames per second over the newest second; `nil` before two frames.
  var framesPerSecond: Double? {
    guard let first = frames.first, let last = frames.last, last.timestamp > first.timestamp else {
      return nil
    }
    // Frames that were lost were captured all the same.
    return Double(last.sent - first.sent) / ((last.timestamp - first.timestamp) / .seconds(1))
  }
}
