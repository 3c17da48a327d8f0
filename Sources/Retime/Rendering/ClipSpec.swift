public import CameraModel

/// A description of a clip: the part of a source that it shows, and how the clip is made. Options, the studio
/// and takes hold this value, and each clip is made from it.
public struct ClipSpec: Codable, Hashable, Sendable {
  /// The part of the source.
  public var part: ClipSpan
  /// The way in which the clip is made.
  public var making: Making

  /// A way of making a clip.
  public enum Making: Hashable, Sendable {
    /// Rendering: frames are decoded, changed and encoded.
    case render(RenderSpec)
    /// Copying: only times are rewritten, and nothing is decoded.
    case copy(CopySpec)
  }

  /// Creates a clip that is rendered; by default, one that shows every captured frame once.
  public init(_ render: RenderSpec = RenderSpec(), of part: ClipSpan = .whole) {
    (self.part, making) = (part, .render(render))
  }

  /// Creates a clip whose frames are copied.
  public init(copy: CopySpec, of part: ClipSpan = .whole) { (self.part, making) = (part, .copy(copy)) }

  /// The settings for rendering; `nil` if the clip is copied. Setting `nil` does nothing.
  public var render: RenderSpec? {
    get { if case .render(let render) = making { render } else { nil } }
    set { if let newValue { making = .render(newValue) } }
  }

  /// The speed; `nil` shows every captured frame once.
  public var speed: SpeedCurve? {
    switch making {
    case .render(let render): render.speed
    case .copy(let copy): copy.speed
    }
  }
}

/// The settings of a copy, which rewrites only the times.
public struct CopySpec: Codable, Hashable, Sendable {
  /// The speed.
  public var speed: SpeedCurve
  /// The turn for players to apply, after the source's own; `nil` for the take's.
  public var turn: PictureTurn?

  /// Creates the settings of a copy.
  public init(speed: SpeedCurve, turn: PictureTurn? = nil) { (self.speed, self.turn) = (speed, turn) }
}

extension ClipSpec {
  private enum CodingKeys: String, CodingKey { case part, render, copy }

  /// Reads a description.
  ///
  /// - Throws: `DecodingError` for content that this version does not know.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: CodingKeys.self)
    part = try keys.decode(ClipSpan.self, forKey: .part)
    making =
      keys.contains(.copy)
      ? .copy(try keys.decode(CopySpec.self, forKey: .copy))
      : .render(try keys.decode(RenderSpec.self, forKey: .render))
  }

  /// Writes `part`, and `render` or `copy`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(part, forKey: .part)
    switch making {
    case .render(let render): try keys.encode(render, forKey: .render)
    case .copy(let copy): try keys.encode(copy, forKey: .copy)
    }
  }
}
