public import CameraModel

/// A description of a clip: which part of a source it shows, and how it is made of that. Options, the studio and takes hold this
/// value, and each clip is made from it.
public struct ClipSpec: Codable, Hashable, Sendable {
  /// The part of the source.
  public var part: ClipSpan
  /// How it is made.
  public var making: Making

  /// How a clip is made.
  public enum Making: Hashable, Sendable {
    /// Frames are decoded, changed and encoded.
    case render(RenderSpec)
    /// Only times are rewritten: nothing is decoded.
    case copy(CopySpec)
  }

  /// A clip that is rendered; of no further facts, one that shows every captured frame once.
  public init(_ render: RenderSpec = RenderSpec(), of part: ClipSpan = .whole) {
    (self.part, making) = (part, .render(render))
  }

  /// A clip whose frames stay as they are.
  public init(copy: CopySpec, of part: ClipSpan = .whole) { (self.part, making) = (part, .copy(copy)) }

  /// How it is rendered; `nil` where it is copied.
  public var render: RenderSpec? {
    get { if case .render(let render) = making { render } else { nil } }
    set { if let newValue { making = .render(newValue) } }
  }

  /// How fast it plays; `nil` shows every captured frame once.
  public var speed: SpeedCurve? {
    switch making {
    case .render(let render): render.speed
    case .copy(let copy): copy.speed
    }
  }
}

/// How only the times of a clip are rewritten.
public struct CopySpec: Codable, Hashable, Sendable {
  /// How fast it plays.
  public var speed: SpeedCurve
  /// How players are told to turn its pictures, after what the source itself says; `nil` for what its take says.
  public var turn: PictureTurn?

  /// A copy that plays so.
  public init(speed: SpeedCurve, turn: PictureTurn? = nil) { (self.speed, self.turn) = (speed, turn) }
}

extension ClipSpec {
  private enum CodingKeys: String, CodingKey { case part, render, copy }

  /// Reads a description.
  ///
  /// - Throws: `DecodingError` for what this version does not know.
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
