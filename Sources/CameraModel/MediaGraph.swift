public import Timebase

/// The media graph that a camera's node is part of, and the path of its pictures through it.
public struct MediaGraph: Hashable, Sendable, Codable {
  /// The media device, such as `/dev/media0`.
  public var media: String
  /// The driver's name.
  public var driver: String
  /// The device's name.
  public var model: String
  /// The bus that it is attached to.
  public var bus: String
  /// The numbers of the entities from the sensor, or from the farthest if there is none, to the camera's
  /// node.
  public var chain: [UInt32]
  /// Every entity of the graph.
  public var entities: [Entity]
  /// The modes that the sensor itself lists.
  public var sensorModes: [SensorMode]
  /// The bus formats at the node's input that lead to each pixel format.
  public var busCodes: [String: [String]]
  /// Whether the sensor has no intervals, and the blanking after each frame sets its rate; `nil` if unknown.
  public var isTimedByBlanking: Bool?

  /// Creates a graph around a camera's node.
  package init(
    media: String,
    driver: String,
    model: String,
    bus: String,
    chain: [UInt32],
    entities: [Entity],
    sensorModes: [SensorMode],
    busCodes: [String: [String]]
  ) {
    self.media = media
    self.driver = driver
    self.model = model
    self.bus = bus
    self.chain = chain
    self.entities = entities
    self.sensorModes = sensorModes
    self.busCodes = busCodes
  }

  enum CodingKeys: String, CodingKey {
    case media, driver, model, bus, chain, entities
    case sensorModes = "sensor_modes"
    case busCodes = "bus_codes"
    case isTimedByBlanking = "timed_by_blanking"
  }

  /// A building block of the graph.
  public struct Entity: Hashable, Sendable, Codable {
    /// Its number.
    public var id: UInt32
    /// The driver's name for it.
    public var name: String
    /// Its function, in a word or two.
    public var function: String
    /// Its device node; `nil` if it has none.
    public var node: String?
    /// Its inputs and outputs.
    public var pads: [Pad]

    /// Creates an entity with its pads.
    package init(
      id: UInt32,
      name: String,
      function: String,
      node: String? = nil,
      pads: [Pad]
    ) {
      self.id = id
      self.name = name
      self.function = function
      self.node = node
      self.pads = pads
    }
  }

  /// An input or output of an entity.
  public struct Pad: Hashable, Sendable, Codable {
    /// Its index within the entity.
    public var index: UInt32
    /// `sink`, `source`, `must_connect`.
    public var flags: [String]
    /// Its present bus format.
    public var code: String?
    /// Its present size, across and down.
    public var size: [UInt32]?
    /// Its present interval.
    public var interval: FrameInterval?
    /// Its rectangles: `crop`, `crop_default`, `crop_bounds`, `native_size`, `compose` and `compose_bounds`,
    /// each x, y, width, height.
    public var selections: [String: [Int]]
    /// Its links to other pads.
    public var links: [Link]

    /// Creates a pad with its settings and links.
    package init(
      index: UInt32,
      flags: [String],
      code: String? = nil,
      size: [UInt32]? = nil,
      interval: FrameInterval? = nil,
      selections: [String: [Int]],
      links: [Link]
    ) {
      self.index = index
      self.flags = flags
      self.code = code
      self.size = size
      self.interval = interval
      self.selections = selections
      self.links = links
    }
  }

  /// A pad's link to another pad.
  public struct Link: Hashable, Sendable, Codable {
    /// The other entity's number.
    public var entity: UInt32
    /// The other entity's name.
    public var name: String
    /// The other pad's index.
    public var pad: UInt32
    /// `enabled`, `immutable`, `dynamic`.
    public var flags: [String]

    /// Creates a link to `pad` of `entity`.
    package init(
      entity: UInt32,
      name: String,
      pad: UInt32,
      flags: [String]
    ) {
      self.entity = entity
      self.name = name
      self.pad = pad
      self.flags = flags
    }
  }

  /// The entities of the chain, sensor first.
  public var chainEntities: [Entity] {
    let byID = Dictionary(entities.map { ($0.id, $0) }) { first, _ in first }
    return chain.compactMap { byID[$0] }
  }
}
