public import Timebase

/// What a recording answers to who asks it for a still through its socket: one line of JSON.
///
/// What becomes of the still is told as ``SessionEvent/Kind/photo(_:_:inProgress:)``.
public struct StillReply: Codable, Hashable, Sendable {
  /// What the still is called.
  public var id: Int
  /// When it was asked for, on `CLOCK_MONOTONIC`.
  public var time: Instant

  init(_ request: StillRequest, at time: Instant) {
    id = request.id
    self.time = time
  }

  private enum CodingKeys: String, CodingKey {
    case id
    case time = "time_ns"
  }
}
