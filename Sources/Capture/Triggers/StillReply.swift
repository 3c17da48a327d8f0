public import CameraModel
public import Timebase

/// A recording's reply to a request for a still through its socket: one line of JSON.
///
/// A still in the current mode is answered at once, one in the camera's largest mode when its frame has come.
/// Its later stages are reported as ``SessionEvent/Kind/photo(_:_:inProgress:)``.
public struct StillReply: Codable, Hashable, Sendable {
  /// The ID of the still.
  public let id: Int
  /// The time of the request, on the session's clock.
  public let time: Instant
  @Nullable private var width: UInt32?
  @Nullable private var height: UInt32?
  /// The reason why there is no still; `nil` if it is taken.
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

  /// The size of a still in the camera's largest mode; `nil` for other stills, and if it failed.
  public var size: Dimensions? {
    width.flatMap { width in height.map { Dimensions(width: width, height: $0) } }
  }
}
