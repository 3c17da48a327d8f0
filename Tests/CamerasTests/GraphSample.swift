import V4L2

@testable import Cameras

/// Builds a media graph entity by entity.
struct GraphSample {
  static let bridge = EntityFunction(rawValue: 0x5002)
  static let videoNode = EntityFunction(rawValue: 0x10001)
  static let device = DeviceNumber(major: 81, minor: 7)

  var topology = MediaTopology(entities: [], interfaces: [], pads: [], links: [])

  /// Adds an entity with a sink pad, which is number 0, and a source pad, which is number 1.
  mutating func entity(_ id: UInt32, _ name: String, _ function: EntityFunction = bridge) {
    topology.entities.append(.init(id: id, name: name, function: function))
    topology.pads.append(.init(id: Self.sink(id), entity: id, index: 0, flags: .sink))
    topology.pads.append(.init(id: Self.source(id), entity: id, index: 1, flags: .source))
  }

  static func sink(_ entity: UInt32) -> UInt32 { 1 << 24 | entity << 1 }
  static func source(_ entity: UInt32) -> UInt32 { 1 << 24 | entity << 1 | 1 }

  mutating func link(_ from: UInt32, _ to: UInt32, _ flags: LinkFlags = .enabled) {
    topology.links.append(.init(source: Self.source(from), sink: Self.sink(to), flags: flags))
  }

  /// Adds the video node as entity 1, and makes it the device's.
  init() {
    entity(1, "node", Self.videoNode)
    topology.interfaces.append(.init(id: 3 << 24 | 1, device: Self.device))
    topology.links.append(.init(source: 3 << 24 | 1, sink: 1, flags: [.interface, .enabled, .immutable]))
  }

  var chain: SensorChain? { SensorChain(in: topology, to: Self.device) }
}
