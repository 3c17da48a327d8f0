package import V4L2

/// The path of pictures through a media graph, from the sensor to a video node.
///
/// Any graph is accepted: with missing pads, dead links or cycles, and any number of sensors.
package struct SensorChain: Equatable {
  /// One link of the path.
  package struct Connection: Equatable {
    var source: MediaTopology.Pad
    var sink: MediaTopology.Pad
    var flags: LinkFlags
  }

  /// The entities' numbers, from the sensor, or from the farthest entity if there is none, to the node's own.
  let entities: [UInt32]
  /// The links from each of them to the next.
  let connections: [Connection]
  /// The sensor's number; `nil` if none is found.
  let sensor: UInt32?
  /// Other sensors that lead to the node as well.
  let otherSensors: [UInt32]

  /// Finds the path to the node with the number `device`; `nil` if the node is not in this graph.
  ///
  /// Goes upstream from the node along enabled links, and at an entity without any along those that could be
  /// enabled. Of several sensors, it takes the one with the fewest links between, and then the first in the
  /// driver's order.
  /// - Parameter wanted: the name of the sensor to begin at, over any links. If no sensor of this name leads
  ///   to the node, the name is ignored.
  package init?(in topology: MediaTopology, to device: DeviceNumber, from wanted: String? = nil) {
    if let wanted {
      let named = Set(topology.entities.filter { $0.name == wanted && $0.function == .sensor }.map(\.id))
      if let way = SensorChain(in: topology, to: device, among: named), way.sensor != nil {
        self = way
        return
      }
    }
    self.init(in: topology, to: device, among: nil)
  }

  /// - Parameter wanted: the sensors to consider, over any link; `nil` for all, over enabled links.
  private init?(in topology: MediaTopology, to device: DeviceNumber, among wanted: Set<UInt32>?) {
    guard let start = topology.entity(of: device) else { return nil }
    let functions = Dictionary(topology.entities.map { ($0.id, $0.function) }) { first, _ in first }
    let incoming = topology.incomingConnections

    var downstream: [UInt32: Connection] = [:]
    var queue = [start]
    var seen: Set<UInt32> = [start]
    var sensors: [UInt32] = []
    var ends: [UInt32] = []
    var next = 0
    while next < queue.count {
      let entity = queue[next]
      next += 1
      if functions[entity] == .sensor {
        if wanted?.contains(entity) ?? true { sensors.append(entity) }
        continue
      }
      let possible = incoming[entity] ?? []
      let enabled = possible.filter { $0.flags.contains(.enabled) }
      if possible.isEmpty { ends.append(entity) }
      for connection in enabled.isEmpty || wanted != nil ? possible : enabled
      where seen.insert(connection.source.entity).inserted {
        downstream[connection.source.entity] = connection
        queue.append(connection.source.entity)
      }
    }

    var entities = [sensors.first ?? ends.first ?? start]
    var connections: [Connection] = []
    // Each step goes to an entity that was visited earlier, and so reaches the start in the end.
    while let last = entities.last, let connection = downstream[last] {
      connections.append(connection)
      entities.append(connection.sink.entity)
    }
    self.entities = entities
    self.connections = connections
    self.sensor = sensors.first
    self.otherSensors = Array(sensors.dropFirst())
  }
}

extension MediaTopology {
  /// Returns the entity that the node with the number `device` belongs to.
  func entity(of device: DeviceNumber) -> UInt32? {
    let interfaces = Set(interfaces.filter { $0.device == device }.map(\.id))
    let known = Set(entities.map(\.id))
    return links.first {
      $0.flags.contains(.interface) && interfaces.contains($0.source) && known.contains($0.sink)
    }?.sink
  }

  /// The links between existing pads, by the entity that they lead to.
  var incomingConnections: [UInt32: [SensorChain.Connection]] {
    let known = Set(entities.map(\.id))
    let pads = Dictionary(pads.map { ($0.id, $0) }) { first, _ in first }
    var found: [UInt32: [SensorChain.Connection]] = [:]
    for link in links where link.flags.isData {
      guard let source = pads[link.source], let sink = pads[link.sink], known.contains(source.entity),
        known.contains(sink.entity)
      else { continue }
      found[sink.entity, default: []].append(.init(source: source, sink: sink, flags: link.flags))
    }
    return found
  }
}
