extension Take.Clip {
  /// The frames of a clip that were made of the two captured ones around them.
  public struct Interpolation: Codable, Hashable, Sendable {
    /// How they were made: `blend` or `flow`.
    public var fill: String
    /// How many there are.
    public var frames: Int
    /// How many of them stand where frames were lost or damaged.
    public var framesInGaps: Int
    /// How much of what was to be made shows a captured frame as it is, as nothing there was found in the other; in
    /// percent.
    public var heldPercent: Double

    /// Frames that were made.
    public init(fill: String, frames: Int, framesInGaps: Int, heldPercent: Double) {
      self.fill = fill
      self.frames = frames
      self.framesInGaps = framesInGaps
      self.heldPercent = heldPercent
    }

    enum CodingKeys: String, CodingKey {
      case fill, frames
      case framesInGaps = "frames_in_gaps"
      case heldPercent = "held_percent"
    }
  }
}
