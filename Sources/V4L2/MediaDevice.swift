import CV4L2
public import SystemPackage

/// An open media device, `/dev/mediaN`: the connections of a camera's parts.
///
/// Closed when dropped. One thread at a time.
public struct MediaDevice: ~Copyable, Sendable {
  /// The path by which it was opened.
  public let path: FilePath
  /// The device's description of itself.
  public let info: Info
  let descriptor: Descriptor

  /// A media device's description of itself; V4L2's `struct media_device_info`.
  public struct Info: Hashable, Sendable {
    /// The driver's name.
    public let driver: String
    /// The device's name.
    public let model: String
    /// The bus that it is attached to.
    public let busInfo: String
    /// Whether pads report their index within the entity: `MEDIA_V2_PAD_HAS_INDEX` of linux/media.h, which is
    /// true since KERNEL_VERSION(4, 19, 0).
    fileprivate let padsHaveIndex: Bool
  }

  /// Opens the device at `path`, only for reading unless `isWritable`, and reads its description.
  ///
  /// Links can only be set on a device that is opened for writing. The corresponding calls are `open(2)` and
  /// `MEDIA_IOC_DEVICE_INFO`.
  public init(path: FilePath, isWritable: Bool = false) throws(V4L2Error) {
    let fd = path.withPlatformString { cv4l2_open($0, isWritable ? 1 : 0) }
    guard fd >= 0 else { throw .open(path, Errno(rawValue: -fd)) }
    let descriptor = Descriptor(rawValue: fd)
    var raw = media_device_info()
    try check(cv4l2_media_device_info(fd, &raw), "MEDIA_IOC_DEVICE_INFO", on: path)
    self.path = path
    self.info = Info(
      driver: String(fixedField: raw.driver), model: String(fixedField: raw.model),
      busInfo: String(fixedField: raw.bus_info), padsHaveIndex: raw.media_version >= 0x4_13_00)
    self.descriptor = descriptor
  }

  /// The most objects of a kind that are read: a graph of real hardware has a few hundred.
  private static let mostObjects: UInt32 = 65_536
  /// The number of attempts to read a graph that changes meanwhile.
  private static let mostAttempts = 8

  /// Reads the present graph.
  ///
  /// The corresponding ioctl is `MEDIA_IOC_G_TOPOLOGY`.
  public borrowing func topology() throws(V4L2Error) -> MediaTopology {
    for _ in 0..<Self.mostAttempts {
      // The first call reads the counts, the second the objects, which may be more by then.
      var counts = media_v2_topology()
      try check(
        cv4l2_media_g_topology(descriptor.rawValue, &counts), "MEDIA_IOC_G_TOPOLOGY", on: path)
      let largest = max(counts.num_entities, counts.num_interfaces, counts.num_pads, counts.num_links)
      guard largest <= Self.mostObjects else {
        throw V4L2Error(
          device: path, .failed, call: "MEDIA_IOC_G_TOPOLOGY",
          "The driver reports a media graph with \(largest) objects of one kind, which is impossible.")
      }
      var objects = Objects(counts)
      let result = objects.read(from: descriptor.rawValue, counts)
      if result == -ENOSPC { continue }
      try check(result, "MEDIA_IOC_G_TOPOLOGY", on: path)
      return MediaTopology(objects, padsHaveIndex: info.padsHaveIndex)
    }
    throw V4L2Error(
      device: path, .busy, call: "MEDIA_IOC_G_TOPOLOGY",
      "The media graph changes faster than it can be read; is its driver still loading?")
  }
}

/// The memory for the kernel's objects.
private struct Objects {
  var entities: [media_v2_entity]
  var interfaces: [media_v2_interface]
  var pads: [media_v2_pad]
  var links: [media_v2_link]

  init(_ counts: media_v2_topology) {
    entities = Array(repeating: media_v2_entity(), count: Int(counts.num_entities))
    interfaces = Array(repeating: media_v2_interface(), count: Int(counts.num_interfaces))
    pads = Array(repeating: media_v2_pad(), count: Int(counts.num_pads))
    links = Array(repeating: media_v2_link(), count: Int(counts.num_links))
  }

  mutating func read(from descriptor: CInt, _ counts: media_v2_topology) -> CInt {
    var raw = counts
    let result = entities.withUnsafeMutableBufferPointer { entities in
      interfaces.withUnsafeMutableBufferPointer { interfaces in
        pads.withUnsafeMutableBufferPointer { pads in
          links.withUnsafeMutableBufferPointer { links in
            raw.ptr_entities = entities.kernelAddress
            raw.ptr_interfaces = interfaces.kernelAddress
            raw.ptr_pads = pads.kernelAddress
            raw.ptr_links = links.kernelAddress
            return cv4l2_media_g_topology(descriptor, &raw)
          }
        }
      }
    }
    guard result >= 0 else { return result }
    // Some objects may have disappeared since they were counted.
    entities.removeLast(max(0, entities.count - Int(raw.num_entities)))
    interfaces.removeLast(max(0, interfaces.count - Int(raw.num_interfaces)))
    pads.removeLast(max(0, pads.count - Int(raw.num_pads)))
    links.removeLast(max(0, links.count - Int(raw.num_links)))
    return result
  }
}

extension UnsafeMutableBufferPointer {
  fileprivate var kernelAddress: UInt64 { UInt64(UInt(bitPattern: baseAddress)) }
}

extension MediaTopology {
  fileprivate init(_ objects: Objects, padsHaveIndex: Bool) {
    var counts: [UInt32: UInt32] = [:]
    self.init(
      entities: objects.entities.map { raw in
        Entity(
          id: raw.id, name: String(fixedField: raw.name),
          function: EntityFunction(rawValue: raw.function))
      },
      interfaces: objects.interfaces.map { raw in
        Interface(
          id: raw.id, device: DeviceNumber(major: raw.devnode.major, minor: raw.devnode.minor))
      },
      pads: objects.pads.map { raw in
        let place = counts[raw.entity_id, default: 0]
        counts[raw.entity_id] = place + 1
        return Pad(
          id: raw.id, entity: raw.entity_id, index: padsHaveIndex ? raw.index : place,
          flags: PadFlags(rawValue: raw.flags))
      },
      links: objects.links.map { raw in
        Link(source: raw.source_id, sink: raw.sink_id, flags: LinkFlags(rawValue: raw.flags))
      })
  }
}
