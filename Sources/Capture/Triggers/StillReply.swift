public import CameraModel
public import Timebase

/// What a recording answers to who asks it for a still through its socket: one line of JSON.
///
/// A still in the mode that is captured is answered as soon as it is asked for, one in the camera's largest mode when
/// its frame has come. What becomes of it then is told as ``SessionEvent/Kind/photo(_:_:inProgress:)``.
public struct StillReply: Codable, Hashable, Sendable {
  /// What the still is called.
  public let id: Int
  /// When it was asked for, on the session's clock.
  public let time: Instant
  @Nullable private var width: UInt32?
  @Nullable private var height: UInt32?
  /// Why there is none; `nil` where it is taken.
  @Nullable public private(set) var reason: String?

  private enum CodingKeys: String, CodingKey {
    case id, width, height, reason
    case time = "time_ns"
  }

  init(_ request: StillRequest, _ outcome: StillOutcome? = nil, at time: Instant) {
    id = request.id
    self.time = time
    switch outcome {
    case .captured(_, let configuration):
      let frames = configuration.frameFormat
      (width, height) = (UInt32(clamping: frames.width), UInt32(clamping: frames.height))
    case .failed(let reason): self.reason = reason
    case nil: break
    }
  }

  /// How large a still in the camera's largest mode is; `nil` for others, and where there is none.
  public var size: Dimensions? {
    width.flatMap { width in height.map { Dimensions(width: width, height: $0) } }
  }
}
