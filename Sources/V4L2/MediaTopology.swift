/// The entities of a media device with their pads and links, at one moment; V4L2's `struct
/// media_v2_topology`.
///
/// Nothing is guaranteed: links may lead to missing pads, or form cycles.
public struct MediaTopology: Hashable, Sendable {
  /// A building block: a sensor, a receiver, a scaler, a DMA engine; `struct media_v2_entity`.
  public struct Entity: Hashable, Sendable {
    /// Its number, unique among all objects of the graph.
    public var id: UInt32
    /// The driver's name for it, such as `imx219 10-0010`.
    public var name: String
    /// Its function.
    public var function: EntityFunction

    /// Creates an entity.
    public init(id: UInt32, name: String, function: EntityFunction) {
      self.id = id
      self.name = name
      self.function = function
    }
  }

  /// A device node that belongs to an entity; `struct media_v2_interface`.
  public struct Interface: Hashable, Sendable {
    /// Its number.
    public var id: UInt32
    /// The node's device number.
    public var device: DeviceNumber

    /// Creates an interface for the node `device`.
    public init(id: UInt32, device: DeviceNumber) {
      self.id = id
      self.device = device
    }
  }

  /// An input or output of an entity; `struct media_v2_pad`.
  public struct Pad: Hashable, Sendable {
    /// Its number.
    public var id: UInt32
    /// The entity's number.
    public var entity: UInt32
    /// Its index within the entity.
    public var index: UInt32
    /// Whether it is a sink or a source.
    public var flags: PadFlags

    /// Creates a pad of `entity`.
    public init(id: UInt32, entity: UInt32, index: UInt32, flags: PadFlags) {
      self.id = id
      self.entity = entity
      self.index = index
      self.flags = flags
    }
  }

  /// A connection of two objects; `struct media_v2_link`.
  public struct Link: Hashable, Sendable {
    /// The number of the source: a pad, an interface, or the entity to which another belongs.
    public var source: UInt32
    /// The number of the sink: a pad, the interface's entity, or the entity that belongs to another.
    public var sink: UInt32
    /// The kind of link, and whether it is enabled.
    public var flags: LinkFlags

    /// Creates a link from `source` to `sink`.
    public init(source: UInt32, sink: UInt32, flags: LinkFlags) {
      self.source = source
      self.sink = sink
      self.flags = flags
    }
  }

  /// All entities, in the driver's order.
  public var entities: [Entity]
  /// All device nodes.
  public var interfaces: [Interface]
  /// All pads, in the driver's order.
  public var pads: [Pad]
  /// All links, of every kind.
  public var links: [Link]

  /// Creates a graph of these objects.
  public init(entities: [Entity], interfaces: [Interface], pads: [Pad], links: [Link]) {
    self.entities = entities
    self.interfaces = interfaces
    self.pads = pads
    self.links = links
  }
}

/// V4L2's `MEDIA_PAD_FL_*`.
public struct PadFlags: OptionSet, Hashable, Sendable {
  /// The kernel's bits.
  public let rawValue: UInt32

  /// Creates a set of the flags in `rawValue`, known or not.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The pad is an input.
  public static let sink = PadFlags(rawValue: 1 << 0)
  /// The pad is an output.
  public static let source = PadFlags(rawValue: 1 << 1)
  /// At least one of its links must be enabled to stream.
  public static let mustConnect = PadFlags(rawValue: 1 << 2)
}

/// V4L2's `MEDIA_LNK_FL_*`.
public struct LinkFlags: OptionSet, Hashable, Sendable {
  /// The kernel's bits.
  public let rawValue: UInt32

  /// Creates a set of the flags in `rawValue`, known or not.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The link passes data.
  public static let enabled = LinkFlags(rawValue: 1 << 0)
  /// It cannot be enabled or disabled.
  public static let immutable = LinkFlags(rawValue: 1 << 1)
  /// It can be enabled and disabled while data flows.
  public static let dynamic = LinkFlags(rawValue: 1 << 2)
  /// It joins a device node and an entity, not two pads.
  public static let interface = LinkFlags(rawValue: 1 << 28)

  /// Whether it joins two entities that belong together, such as a sensor and its lens.
  public var isAncillary: Bool { rawValue >> 28 == 2 }
  /// Whether it joins two pads.
  public var isData: Bool { rawValue >> 28 == 0 }
}

/// The function of an entity; V4L2's `MEDIA_ENT_F_*`.
public struct EntityFunction: RawRepresentable, Hashable, Sendable {
  /// The kernel's value.
  public let rawValue: UInt32

  /// Creates the function with the kernel's value `rawValue`.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A camera's sensor, or a substitute for it.
  public static let sensor = EntityFunction(rawValue: 0x20001)
  /// A scaler of pictures.
  public static let scaler = EntityFunction(rawValue: 0x4005)

  private static let names: [UInt32: String] = [
    0x10001: "video node", 0x20001: "sensor", 0x20002: "flash", 0x20003: "lens", 0x20004: "TV decoder",
    0x20005: "tuner", 0x2001: "TV interface", 0x3001: "sound capture", 0x4001: "composer",
    0x4002: "pixel formatter", 0x4003: "pixel converter", 0x4004: "look-up table", 0x4005: "scaler",
    0x4006: "statistics", 0x4007: "encoder", 0x4008: "decoder", 0x4009: "image processor",
    0x5001: "multiplexer", 0x5002: "bridge", 0x6001: "digital video decoder",
    0x6002: "digital video encoder",
  ]
}

extension EntityFunction: CustomStringConvertible {
  /// The function in words, such as `sensor`, or its number if it has no name here.
  public var description: String {
    Self.names[rawValue] ?? "function 0x" + String(rawValue, radix: 16)
  }
}
