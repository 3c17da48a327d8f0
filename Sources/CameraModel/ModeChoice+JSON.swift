import Timebase

extension ModeChoice: Encodable {
  enum CodingKeys: String, CodingKey {
    case mode, reason, nearest
    case requestedRate = "asked_fps"
    case runnersUp = "runners_up"
  }

  /// Encodes the choice, with the runners-up, or with the nearest modes if it has no mode.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(mode, forKey: .mode)
    try keys.encode(requestedRate.framesPerSecond.doubleValue, forKey: .requestedRate)
    try keys.encode(reason, forKey: .reason)
    if mode == nil {
      try keys.encode(nearest, forKey: .nearest)
    } else {
      try keys.encode(runnersUp, forKey: .runnersUp)
    }
  }
}
