public import CameraModel
import FoundationEssentials
public import Timebase

/// What a recording answers to who asks it for a still through its socket: one line of JSON.
///
/// A still in the mode that is captured is answered as soon as it is asked for, one in the camera's largest mode when
/// its frame has come. What becomes of it then is told as ``SessionEvent/Kind/photo(_:_:inProgress:)``.
public struct StillReply: Hashable, Sendable {
  /// What the still is called.
  public var id: Int
  /// When it was asked for, on the session's clock.
  public var time: Instant
  /// How large a still in the camera's largest mode is; `nil` for others, and where there is none.
  public var size: Dimensions?
  /// Why there is none; `nil` where it is taken.
  public var reason: String?

  init(_ request: StillRequest, at time: Instant) {
    id = request.id
    self.time = time
  }

  init(_ request: StillRequest, _ outcome: StillOutcome, at time: Instant) {
    self.init(request, at: time)
    switch outcome {
    case .captured(_, let configuration):
      let frames = configuration.frameFormat
      size = Dimensions(width: UInt32(clamping: frames.width), height: UInt32(clamping: frames.height))
    case .failed(let reason): self.reason = reason
    }
  }
}

extension StillReply: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, width, height, reason
    case time = "time_ns"
  }

  /// Reads a reply.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: CodingKeys.self)
    id = try keys.decode(Int.self, forKey: .id)
    time = try keys.decode(Instant.self, forKey: .time)
    reason = try keys.decodeIfPresent(String.self, forKey: .reason)
    guard let width = try keys.decodeIfPresent(UInt32.self, forKey: .width) else { return }
    size = Dimensions(width: width, height: try keys.decode(UInt32.self, forKey: .height))
  }

  /// Writes the reply; what is unknown is `null`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(id, forKey: .id)
    try keys.encode(time, forKey: .time)
    try keys.encode(size?.width, forKey: .width)
    try keys.encode(size?.height, forKey: .height)
    try keys.encode(reason, forKey: .reason)
  }
}
