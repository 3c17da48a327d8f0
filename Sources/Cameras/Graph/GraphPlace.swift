import Platform
import SystemPackage
import V4L2

/// Where a video node stands in its media graph.
struct GraphPlace {
  /// The whole graph.
  let topology: MediaTopology
  /// The way from the sensor to the node.
  let chain: SensorChain

  /// That of `device`; `nil` where no media device of this machine knows the node.
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
  /// The sub-devices' nodes along `chain`, from the sensor on, and of what belongs to one of these,
  /// such as a lens or a flash.
  func subdevices(along chain: SensorChain) -> [FilePath] {
    let nodes = nodes
    let belongings = chain.entities.flatMap { entity in
      links.filter { $0.flags.isAncillary && $0.source == entity }.map(\.sink)
    }
    var seen: Set<UInt32> = []
    return (chain.entities + belongings).compactMap { entity in
      // The video node is no sub-device.
      guard seen.insert(entity).inserted, let node = nodes[entity], node.hasPrefix("/dev/v4l-subdev")
      else { return nil }
      return FilePath(node)
    }
  }
}
