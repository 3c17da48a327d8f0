public import Timebase
import V4L2

/// The media graph that a camera's node is part of, and the way of its pictures through it.
public struct MediaGraph: Hashable, Sendable, Codable {
  /// The media device, such as `/dev/media0`.
  public var media: String
  /// The driver's name.
  public var driver: String
  /// The device's name.
  public var model: String
  /// Where it is attached.
  public var bus: String
  /// The numbers of the entities from the sensor, or from the farthest where there is none, to the camera's node.
  public var chain: [UInt32]
  /// Every entity of the graph.
  public var entities: [Entity]
  /// What the sensor itself lists.
  public var sensorModes: [SensorMode]
  /// Which bus formats, of those that can come in at the node, lead to each pixel format.
  public var busCodes: [String: [String]]

  enum CodingKeys: String, CodingKey {
    case media, driver, model, bus, chain, entities
    case sensorModes = "sensor_modes"
    case busCodes = "bus_codes"
  }

  /// A building block of the graph.
  public struct Entity: Hashable, Sendable, Codable {
    /// Its number.
    public var id: UInt32
    /// The driver's name for it.
    public var name: String
    /// What it does, in a word or two.
    public var function: String
    /// Its device node; `nil` where it has none.
    public var node: String?
    /// Where data comes in and goes out.
    public var pads: [Pad]
  }

  /// Where data comes into an entity or leaves it.
  public struct Pad: Hashable, Sendable, Codable {
    /// Its place among the entity's.
    public var index: UInt32
    /// `sink`, `source`, `must_connect`.
    public var flags: [String]
    /// The bus format that it is set to.
    public var code: String?
    /// The size that it is set to, across and down.
    public var size: [UInt32]?
    /// The interval that it is set to.
    public var interval: FrameInterval?
    /// The rectangles that it has: `crop`, `crop_default`, `crop_bounds`, `native_size`, `compose` and
    /// `compose_bounds`, each x, y, width, height.
    public var selections: [String: [Int]]
    /// What it is linked to.
    public var links: [Link]
  }

  /// A pad's link to another pad.
  public struct Link: Hashable, Sendable, Codable {
    /// The other entity's number.
    public var entity: UInt32
    /// The other entity's name.
    public var name: String
    /// The other pad's place.
    public var pad: UInt32
    /// `enabled`, `immutable`, `dynamic`.
    public var flags: [String]
  }

  /// The entities of the chain, sensor first.
  public var chainEntities: [Entity] {
    let byID = Dictionary(entities.map { ($0.id, $0) }) { first, _ in first }
    return chain.compactMap { byID[$0] }
  }
}

extension SensorMode: Codable {
  enum CodingKeys: String, CodingKey {
    case code, intervals
    case min = "min_size"
    case max = "max_size"
  }

  /// Reads a mode of a sensor.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: CodingKeys.self)
    // Whatever the driver gave, zero included, is kept.
    let min = try keys.decode(Dimensions.self, forKey: .min)
    let max = try keys.decode(Dimensions.self, forKey: .max)
    self.init(
      code: try keys.decode(String.self, forKey: .code),
      size: min == max ? .discrete(width: max.width, height: max.height) : .continuous(min: min, max: max),
      intervals: try keys.decode([FrameInterval].self, forKey: .intervals))
  }

  /// Writes a mode of a sensor, its size as the two ends of a range, which are the same where it is one size.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(code, forKey: .code)
    let min =
      switch size {
      case .discrete: size.largest
      case .stepwise(let min, _, _), .continuous(let min, _): min
      }
    try keys.encode(min, forKey: .min)
    try keys.encode(size.largest, forKey: .max)
    try keys.encode(intervals, forKey: .intervals)
  }
}
