public import CameraModel
import FoundationEssentials
public import Timebase

/// What a recording answers to a mode that is wished for through its socket: one line of JSON.
public struct ModeReply: Hashable, Sendable {
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

  /// What the camera captures in since.
  public struct Accepted: Hashable, Sendable {
    /// The pixel format's four characters.
    public var fourcc: String
    /// How large.
    public var size: Dimensions
    /// Seconds per frame as the driver accepted them; `nil` where it knows none.
    public var interval: FrameInterval?
    /// How long no frame came.
    public var gap: Duration
  }

  /// What came of the wish.
  public var outcome: Outcome
  /// What the camera captures in since; `nil` where the mode has not changed.
  public var accepted: Accepted?
  /// Why the mode was refused; `nil` where it was not.
  public var reason: String?
  /// When the wish came, on the session's clock.
  public var time: Instant

  init(_ outcome: ConfigurationOutcome, at time: Instant) {
    self.time = time
    switch outcome {
    case .changed(let configuration, let gap):
      let frames = configuration.frameFormat
      self.outcome = .changed
      accepted = Accepted(
        fourcc: frames.pixelFormat.description,
        size: Dimensions(width: UInt32(clamping: frames.width), height: UInt32(clamping: frames.height)),
        interval: frames.acceptedInterval, gap: gap)
    case .unchanged: self.outcome = .unchanged
    case .refused(let error):
      self.outcome = .refused
      reason = error.description
    case .superseded: self.outcome = .superseded
    case .sessionEnded: self.outcome = .ended
    }
  }

  init(refusing reason: String, at time: Instant) {
    (outcome, self.reason, self.time) = (.refused, reason, time)
  }
}

extension ModeReply: Codable {
  enum CodingKeys: String, CodingKey {
    case outcome, reason, fourcc, width, height
    case interval = "accepted_interval"
    case gap = "gap_ns"
    case time = "time_ns"
  }

  /// Reads a reply.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: CodingKeys.self)
    outcome = try keys.decode(Outcome.self, forKey: .outcome)
    reason = try keys.decodeIfPresent(String.self, forKey: .reason)
    time = try keys.decode(Instant.self, forKey: .time)
    guard let fourcc = try keys.decodeIfPresent(String.self, forKey: .fourcc) else { return }
    accepted = Accepted(
      fourcc: fourcc,
      size: Dimensions(
        width: try keys.decode(UInt32.self, forKey: .width),
        height: try keys.decode(UInt32.self, forKey: .height)),
      interval: try keys.decodeIfPresent(FrameInterval.self, forKey: .interval),
      gap: .nanoseconds(try keys.decode(Int64.self, forKey: .gap)))
  }

  /// Writes the reply; what is unknown is `null`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(outcome, forKey: .outcome)
    try keys.encode(reason, forKey: .reason)
    try keys.encode(accepted?.fourcc, forKey: .fourcc)
    try keys.encode(accepted?.size.width, forKey: .width)
    try keys.encode(accepted?.size.height, forKey: .height)
    try keys.encode(accepted?.interval, forKey: .interval)
    try keys.encode(accepted?.gap.wholeNanoseconds, forKey: .gap)
    try keys.encode(time, forKey: .time)
  }
}
