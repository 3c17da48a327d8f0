import CameraModel
public import Timebase

/// What a recording answers to a mode that is wished for through its socket: one line of JSON.
public struct ModeReply: Codable, Hashable, Sendable {
  /// What came of the wish.
  public enum Outcome: String, Codable, Hashable, Sendable {
    /// The camera captures in the mode.
    case changed
    /// It did already.
    case unchanged
    /// The mode cannot be had; the former one goes on.
    case refused
    /// Another mode was asked for before this one was set.
    case superseded
    /// The recording ended before.
    case ended
  }

  /// What came of the wish.
  public let outcome: Outcome
  /// The four characters of the pixel format that the camera captures in since; `nil`, as all of it, where it did before.
  @Nullable public private(set) var fourcc: String?
  /// How many columns.
  @Nullable public private(set) var width: UInt32?
  /// How many rows.
  @Nullable public private(set) var height: UInt32?
  /// Seconds per frame as the driver accepted them; `nil` where it knows none.
  @Nullable public private(set) var interval: FrameInterval?
  /// How long no frame came.
  @Nanoseconds public private(set) var gap: Duration?
  /// Why the mode was refused; `nil` where it was not.
  @Nullable public private(set) var reason: String?
  /// When the wish came, on the session's clock.
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
