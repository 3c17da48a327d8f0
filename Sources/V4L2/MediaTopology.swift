/// The entities of a media device, their pads and what links them, at one moment; V4L2's `struct
/// media_v2_topology`.
///
/// A value that promises nothing: links may lead to pads that are not there, and round in circles.
public struct MediaTopology: Hashable, Sendable {
  /// A building block: a sensor, a receiver, a scaler, a DMA engine. `struct media_v2_entity`.
  public struct Entity: Hashable, Sendable {
    /// Its number, unlike that of any other object of the graph.
    public var id: UInt32
    /// The driver's name for it, such as `imx219 10-0010`.
    public var name: String
    /// What it does.
    public var function: EntityFunction

    /// An entity.
    public init(id: UInt32, name: String, function: EntityFunction) {
      self.id = id
      self.name = name
      self.function = function
    }
  }

  /// A device node that speaks for an entity. `struct media_v2_interface`.
  public struct Interface: Hashable, Sendable {
    /// Its number.
    public var id: UInt32
    /// The node.
    public var device: DeviceNumber

    /// A node `device`.
    public init(id: UInt32, device: DeviceNumber) {
      self.id = id
      self.device = device
    }
  }

  /// Where data comes into an entity or leaves it. `struct media_v2_pad`.
  public struct Pad: Hashable, Sendable {
    /// Its number.
    public var id: UInt32
    /// The entity's number.
    public var entity: UInt32
    /// Its place among the entity's pads.
    public var index: UInt32
    /// Whether it is a sink or a source.
    public var flags: PadFlags

    /// A pad of `entity`.
    public init(id: UInt32, entity: UInt32, index: UInt32, flags: PadFlags) {
      self.id = id
      self.entity = entity
      self.index = index
      self.flags = flags
    }
  }

  /// A connection of two objects. `struct media_v2_link`.
  public struct Link: Hashable, Sendable {
    /// The number of the pad it comes from, of an interface, or of the entity that another belongs to.
    public var source: UInt32
    /// The number of the pad it leads to, of the interface's entity, or of the one that belongs to another.
    public var sink: UInt32
    /// What kind of link it is, and whether data flows.
    public var flags: LinkFlags

    /// A link from `source` to `sink`.
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

  /// A graph of these objects.
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

  /// The flags in `rawValue`, known or not.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Data comes in.
  public static let sink = PadFlags(rawValue: 1 << 0)
  /// Data goes out.
  public static let source = PadFlags(rawValue: 1 << 1)
  /// Some link of it must be enabled to stream.
  public static let mustConnect = PadFlags(rawValue: 1 << 2)
}

/// V4L2's `MEDIA_LNK_FL_*`.
public struct LinkFlags: OptionSet, Hashable, Sendable {
  /// The kernel's bits.
  public let rawValue: UInt32

  /// The flags in `rawValue`, known or not.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Data flows.
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

/// What an entity does; V4L2's `MEDIA_ENT_F_*`.
public struct EntityFunction: RawRepresentable, Hashable, Sendable {
  /// The kernel's value.
  public let rawValue: UInt32

  /// The function with the kernel's value `rawValue`.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A camera's sensor, or what stands for it.
  public static let sensor = EntityFunction(rawValue: 0x20001)
  /// Scales pictures.
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
  /// In words, such as `sensor`; the number where there are none.
  public var description: String {
    Self.names[rawValue] ?? "function 0x" + String(rawValue, radix: 16)
  }
}
