import CameraModel
package import V4L2

/// The way that pictures take through a media graph to a video node, from the sensor.
///
/// Graphs are taken as they are given: pads that are missing, links that lead nowhere or round in
/// circles, and any number of sensors.
package struct SensorChain: Equatable {
  /// One link of the way.
  package struct Connection: Equatable {
    var source: MediaTopology.Pad
    var sink: MediaTopology.Pad
    var flags: LinkFlags
  }

  /// The entities' numbers, from the sensor, or from the farthest where there is none, to the
  /// node's own.
  let entities: [UInt32]
  /// What leads from each of them to the next.
  let connections: [Connection]
  /// The sensor's number; `nil` where none is found.
  let sensor: UInt32?
  /// Other sensors that lead to the node as well.
  let otherSensors: [UInt32]

  /// The way to the node with the number `device`; `nil` where the graph is not that node's.
  ///
  /// Goes upstream from the node, by the links that are enabled, and at an entity without any by
  /// those that could be. Of several sensors, the one with the fewest links between is taken, and
  /// then the first in the driver's order.
  /// - Parameter wanted: the name of the sensor to begin at, by whatever links there are. Where
  ///   none of this name leads to the node, the way is found as without.
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

  /// - Parameter wanted: the sensors that count, reached by any link; `nil` for all, by those that
  ///   are enabled.
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
    // Each step goes to an entity that was seen earlier, and so to the start at last.
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
  /// The entity that the node with the number `device` speaks for.
  func entity(of device: DeviceNumber) -> UInt32? {
    let interfaces = Set(interfaces.filter { $0.device == device }.map(\.id))
    let known = Set(entities.map(\.id))
    return links.first {
      $0.flags.contains(.interface) && interfaces.contains($0.source) && known.contains($0.sink)
    }?.sink
  }

  /// The links between pads that are there, by the entity that they lead to.
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
