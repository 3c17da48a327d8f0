import CameraModel
public import Timebase

/// A recording's reply to a request for a mode through its socket: one line of JSON.
public struct ModeReply: Codable, Hashable, Sendable {
  /// The outcome of the request.
  public enum Outcome: String, Codable, Hashable, Sendable {
    /// The camera now captures in the mode.
    case changed
    /// The camera already captured in the mode.
    case unchanged
    /// The mode was refused; the former one continues.
    case refused
    /// Another mode was requested before this one was set.
    case superseded
    /// The recording ended before the change.
    case ended
  }

  /// The outcome of the request.
  public let outcome: Outcome
  /// The four characters of the new pixel format; `nil`, like the other fields of the mode, unless the mode
  /// changed.
  @Nullable public private(set) var fourcc: String?
  /// The number of columns.
  @Nullable public private(set) var width: UInt32?
  /// The number of rows.
  @Nullable public private(set) var height: UInt32?
  /// The frame interval that the driver accepted; `nil` if it reports none.
  @Nullable public private(set) var interval: FrameInterval?
  /// The time without frames.
  @Nanoseconds public private(set) var gap: Duration?
  /// The reason why the mode was refused; `nil` if it was not.
  @Nullable public private(set) var reason: String?
  /// The time of the request, on the session's clock.
  public let time: Instant

  private enum CodingKeys: String, CodingKey {
    case outcome, reason, fourcc, width, height
    case interval = "accepted_interval"
    case gap = "gap_ns"
    case time = "time_ns"
  }

  init(_ outcome: ConfigurationOutcome, at time: Instant) {
    self.time = time
    switch outcome {
    case .changed(let configuration, let gap):
      let frames = configuration.frameFormat
      self.outcome = .changed
      fourcc = frames.pixelFormat.description
      (width, height) = (UInt32(clamping: frames.width), UInt32(clamping: frames.height))
      interval = frames.acceptedInterval
      self.gap = gap
    case .unchanged: self.outcome = .unchanged
    case .refused(let error):
      self.outcome = .refused
      reason = error.description
    case .superseded: self.outcome = .superseded
    case .sessionEnded: self.outcome = .ended
    }
  }

  init(refusing reason: String, at time: Instant) {
    (outcome, self.time) = (.refused, time)
    self.reason = reason
  }
}
