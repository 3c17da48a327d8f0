import Platform
import SystemPackage
import V4L2

/// The place of a video node in its media graph.
struct GraphPlace {
  /// The whole graph.
  let topology: MediaTopology
  /// The chain from the sensor to the node.
  let chain: SensorChain

  /// Finds the place of `device`; `nil` if no media device of this machine knows the node.
  ///
  /// - Parameter sensor: the name of the sensor to begin at; `nil` for the one that is linked.
  init?(of device: borrowing Device, from sensor: String? = nil) {
    guard let number = device.number else { return nil }
    for media in SystemFolder().nodeNumbers("media").map({ FilePath("/dev").appending("media\($0)") }) {
      guard let topology = try? MediaDevice(path: media).topology(),
        let chain = SensorChain(in: topology, to: number, from: sensor)
      else { continue }
      (self.topology, self.chain) = (topology, chain)
      return
    }
    return nil
  }
}

extension MediaTopology {
  /// Returns the nodes of the sub-devices along `chain`, from the sensor on, then those of their ancillary
  /// entities, such as a lens or a flash.
  func subdevices(along chain: SensorChain) -> [FilePath] {
    let nodes = nodes
    let belongings = chain.entities.flatMap { entity in
      links.filter { $0.flags.isAncillary && $0.source == entity }.map(\.sink)
    }
    var seen: Set<UInt32> = []
    return (chain.entities + belongings).compactMap { entity in
      // The video node is not a sub-device.
      guard seen.insert(entity).inserted, let node = nodes[entity], node.hasPrefix("/dev/v4l-subdev")
      else { return nil }
      return FilePath(node)
    }
  }
}
