import CameraModel
import Platform
import SystemPackage
import V4L2

extension MediaGraph {
  /// Reads the graph that `device` is part of; `nil` if no media device of this machine knows the node.
  ///
  /// Media devices and sub-devices are opened for reading, and no setting changes. What cannot be read is
  /// left out and reported in `warnings`.
  /// - Parameter sensor: the name of the sensor to begin at; `nil` for the one that is linked.
  init?(around device: borrowing Device, from sensor: String? = nil, warnings: inout [String]) {
    guard let number = device.number else { return nil }
    for path in SystemFolder().nodeNumbers("media").map({ FilePath("/dev").appending("media\($0)") }) {
      do throws(V4L2Error) {
        let media = try MediaDevice(path: path)
        let topology = try media.topology()
        guard let chain = SensorChain(in: topology, to: number, from: sensor) else { continue }
        self.init(media.info, at: path, topology, chain)
        read(topology, chain, of: device, warnings: &warnings)
        return
      } catch {
        // If formats do not depend on a graph, a graph that cannot be read belongs to another camera or does
        // not matter.
        guard device.capabilities.deviceCaps.contains(.mediaControllerIO) else { continue }
        warnings.append("\(error)")
      }
    }
    return nil
  }

  /// Creates the graph from its topology alone.
  init(_ info: MediaDevice.Info, at path: FilePath, _ topology: MediaTopology, _ chain: SensorChain) {
    self.init(
      media: path.string, driver: info.driver, model: info.model, bus: info.busInfo, chain: chain.entities,
      entities: Self.entities(of: topology), sensorModes: [], busCodes: [:])
  }

  /// Returns every entity with its pads and their links, in the driver's order.
  static func entities(of topology: MediaTopology) -> [Entity] {
    let names = Dictionary(topology.entities.map { ($0.id, $0.name) }) { first, _ in first }
    let nodes = topology.nodes
    var links: [UInt32: [Link]] = [:]
    let pads = Dictionary(topology.pads.map { ($0.id, $0) }) { first, _ in first }
    for link in topology.links where link.flags.isData {
      for (here, there) in [(link.source, link.sink), (link.sink, link.source)] {
        guard let other = pads[there], let name = names[other.entity] else { continue }
        links[here, default: []].append(
          Link(entity: other.entity, name: name, pad: other.index, flags: link.flags.words))
      }
    }
    let padsByEntity = Dictionary(grouping: topology.pads, by: \.entity)
    return topology.entities.map { entity in
      Entity(
        id: entity.id, name: entity.name, function: entity.function.description, node: nodes[entity.id],
        pads: (padsByEntity[entity.id] ?? []).map { pad in
          Pad(index: pad.index, flags: pad.flags.words, selections: [:], links: links[pad.id] ?? [])
        })
    }
  }

  /// Adds what the sub-devices report: the settings of each pad, the sensor's modes, and which bus codes lead
  /// to which pixel format.
  private mutating func read(
    _ topology: MediaTopology, _ chain: SensorChain, of device: borrowing Device, warnings: inout [String]
  ) {
    var lists = ListReader()
    for index in entities.indices {
      // A video node is not a sub-device; its format is in the table.
      guard let path = entities[index].node, path.hasPrefix("/dev/v4l-subdev") else { continue }
      do throws(V4L2Error) {
        let subdevice = try Subdevice(path: FilePath(path))
        for pad in entities[index].pads.indices { try entities[index].pads[pad].read(from: subdevice) }
        let id = entities[index].id
        if id == chain.sensor, let pad = chain.connections.first?.source.index {
          sensorModes = try lists.sensorModes(of: subdevice, pad: pad)
        }
        if let last = chain.connections.last, id == last.source.entity,
          device.capabilities.deviceCaps.contains(.mediaControllerIO)
        {
          for code in try lists.busCodes(of: subdevice, pad: last.source.index) {
            let formats = try lists.list("formats for \(code)") { index throws(V4L2Error) in
              try device.format(at: index, for: code)?.format
            }
            for format in Set(formats) { busCodes[format.description, default: []].append(code.description) }
          }
        }
      } catch {
        warnings.append("\(error)")
      }
    }
    warnings += lists.warnings
    let names = Dictionary(topology.entities.map { ($0.id, $0.name) }) { first, _ in first }
    if let sensor = chain.sensor, !chain.otherSensors.isEmpty {
      let others = chain.otherSensors.compactMap { names[$0] }
      warnings.append(
        "\(media) has several sensors that lead to \(device.path): \(names[sensor] ?? "") is assumed to be its own, not \(others.prefix(4).joined(separator: ", "))\(others.count > 4 ? ", ..." : "")."
      )
    }
  }
}

extension MediaTopology {
  /// The device nodes' paths, by the entity that each belongs to.
  var nodes: [UInt32: String] {
    let devices = Dictionary(interfaces.map { ($0.id, $0.device) }) { first, _ in first }
    var found: [UInt32: String] = [:]
    for link in links where link.flags.contains(.interface) {
      guard found[link.sink] == nil, let device = devices[link.source] else { continue }
      found[link.sink] = device.node?.string
    }
    return found
  }
}

extension MediaGraph.Pad {
  fileprivate static let targets: [(name: String, target: SelectionTarget)] = [
    ("crop", .crop), ("crop_default", .cropDefault), ("crop_bounds", .cropBounds),
    ("native_size", .nativeSize), ("compose", .compose), ("compose_bounds", .composeBounds),
  ]

  fileprivate mutating func read(from subdevice: borrowing Subdevice) throws(V4L2Error) {
    if let format = try subdevice.format(ofPad: index) {
      code = format.code.description
      size = [format.size.width, format.size.height]
    }
    interval = try subdevice.frameInterval(ofPad: index)
    for (name, target) in Self.targets {
      guard let rectangle = try subdevice.selection(target, ofPad: index) else { continue }
      selections[name] = rectangle.terms
    }
  }

  /// Returns one of its rectangles.
  func selection(_ name: String) -> Rectangle? { selections[name].flatMap(Rectangle.init) }
}

extension Rectangle {
  /// The rectangle as x, y, width, height.
  var terms: [Int] { [Int(left), Int(top), Int(width), Int(height)] }

  /// Creates a rectangle from ``terms``; `nil` if they are not four valid numbers.
  init?(_ terms: [Int]) {
    guard terms.count == 4, let left = Int32(exactly: terms[0]), let top = Int32(exactly: terms[1]),
      let width = UInt32(exactly: terms[2]), let height = UInt32(exactly: terms[3])
    else { return nil }
    self.init(left: left, top: top, width: width, height: height)
  }
}

extension PadFlags {
  fileprivate var words: [String] {
    [(Self.sink, "sink"), (.source, "source"), (.mustConnect, "must_connect")]
      .filter { contains($0.0) }.map(\.1)
  }
}

extension LinkFlags {
  fileprivate var words: [String] {
    [(Self.enabled, "enabled"), (.immutable, "immutable"), (.dynamic, "dynamic")]
      .filter { contains($0.0) }.map(\.1)
  }
}
