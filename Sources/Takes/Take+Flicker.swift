public import Timebase

extension Take.Clip {
  /// What a clip's maker found of the flicker of lamps on alternating current, and left of it.
  public struct Flicker: Codable, Hashable, Sendable {
    /// Swings of the light a second, 100 or 120; `nil` where the light is steady, and nothing was changed.
    @Nullable public var hertz: Int?
    /// How far the light of the film swings around its mean, in percent of that.
    @Nullable public var depthPercent: Double?
    /// The same of the clip.
    @Nullable public var depthAfterPercent: Double?

    /// What was found.
    public init(hertz: Int? = nil, depthPercent: Double? = nil, depthAfterPercent: Double? = nil) {
      self.hertz = hertz
      self.depthPercent = depthPercent
      self.depthAfterPercent = depthAfterPercent
    }

    enum CodingKeys: String, CodingKey {
      case hertz = "light_hz"
      case depthPercent = "depth_percent"
      case depthAfterPercent = "depth_after_percent"
    }
  }
}
