package import CameraModel
import SystemPackage
package import Timebase
package import V4L2

/// What a media graph is set up through: its sub-devices, its links and its other video nodes.
///
/// Stands between the plan and the kernel, so that graphs can be set up that no machine here has.
package protocol PipelineDriver: AnyObject {
  /// The bus formats that a pad lists, as its entity is tried at present.
  func busCodes(of pad: PadPlace) throws(V4L2Error) -> [MediaBusCode]
  /// The format of a pad; `nil` where it has none.
  func format(of pad: PadPlace, _ which: Subdevice.Which) throws(V4L2Error) -> BusFormat?
  /// Asks for a format, and returns what was given.
  func setFormat(
    _ format: BusFormat, of pad: PadPlace, _ which: Subdevice.Which
  ) throws(V4L2Error) -> BusFormat
  /// A rectangle of a pad; `nil` where it has none.
  func selection(
    _ target: SelectionTarget, of pad: PadPlace, _ which: Subdevice.Which
  ) throws(V4L2Error) -> Rectangle?
  /// Asks for a rectangle, and returns what was given.
  func setSelection(
    _ target: SelectionTarget, to rectangle: Rectangle, of pad: PadPlace, _ which: Subdevice.Which
  ) throws(V4L2Error) -> Rectangle
  /// The interval of a pad; `nil` where it has none.
  func interval(of pad: PadPlace) throws(V4L2Error) -> FrameInterval?
  /// Asks for an interval, and returns what was given.
  func setInterval(_ interval: FrameInterval, of pad: PadPlace) throws(V4L2Error) -> FrameInterval
  /// The controls of an entity.
  func controls(of entity: UInt32) throws(V4L2Error) -> [Control]
  /// Sets a control of an entity.
  func setControl(_ id: UInt32, to value: Int64, of entity: UInt32) throws(V4L2Error)
  /// Whether the link is enabled; `nil` where there is none.
  func isLinkEnabled(from source: PadPlace, to sink: PadPlace) throws(V4L2Error) -> Bool?
  /// Enables or disables a link.
  func setLink(from source: PadPlace, to sink: PadPlace, isEnabled: Bool) throws(V4L2Error)
  /// The pixel formats that a video node can make of a bus format.
  func pixelFormats(of node: UInt32, for code: MediaBusCode) throws(V4L2Error) -> [PixelFormat]
  /// The size that a video node makes of another; `nil` where it does not say.
  func nearestSize(
    to size: Dimensions, of format: PixelFormat, on node: UInt32
  ) throws(V4L2Error) -> Dimensions?
  /// What a video node is set to.
  func nodeFormat(of node: UInt32) throws(V4L2Error) -> CaptureFormat
  /// Asks a video node for a format, and returns what was given.
  func setNodeFormat(_ format: CaptureFormat, of node: UInt32) throws(V4L2Error) -> CaptureFormat
}

/// A media graph of this machine. Sub-devices are opened when they are first asked, and stay open.
final class OpenPipeline: PipelineDriver {
  private let media: MediaDevice
  private let paths: [UInt32: FilePath]
  private var subdevices: [UInt32: OpenSubdevice] = [:]
  private var nodes: [UInt32: OpenNode] = [:]

  private final class OpenSubdevice {
    let device: Subdevice
    init(path: FilePath) throws(V4L2Error) { device = try Subdevice(path: path, isWritable: true) }
  }

  private final class OpenNode {
    let device: Device
    init(path: FilePath) throws(V4L2Error) { device = try Device(path: path) }
  }

  /// Opens the media device of `graph` for writing.
  init(_ graph: MediaGraph) throws(V4L2Error) {
    media = try MediaDevice(path: FilePath(graph.media), isWritable: true)
    paths = Dictionary(graph.entities.compactMap { entity in entity.node.map { (entity.id, FilePath($0)) } })
    {
      first, _ in first
    }
  }

  private func subdevice(_ entity: UInt32) throws(V4L2Error) -> OpenSubdevice {
    if let known = subdevices[entity] { return known }
    let opened = try OpenSubdevice(path: paths[entity] ?? "")
    subdevices[entity] = opened
    return opened
  }

  private func node(_ entity: UInt32) throws(V4L2Error) -> OpenNode {
    if let known = nodes[entity] { return known }
    let opened = try OpenNode(path: paths[entity] ?? "")
    nodes[entity] = opened
    return opened
  }

  func busCodes(of pad: PadPlace) throws(V4L2Error) -> [MediaBusCode] {
    let subdevice = try subdevice(pad.entity)
    var lists = ListReader()
    return try lists.busCodes(of: subdevice.device, pad: pad.pad)
  }

  func format(of pad: PadPlace, _ which: Subdevice.Which) throws(V4L2Error) -> BusFormat? {
    try subdevice(pad.entity).device.format(ofPad: pad.pad, which)
  }

  func setFormat(
    _ format: BusFormat, of pad: PadPlace, _ which: Subdevice.Which
  ) throws(V4L2Error) -> BusFormat {
    try subdevice(pad.entity).device.setFormat(format, ofPad: pad.pad, which)
  }

  func selection(
    _ target: SelectionTarget, of pad: PadPlace, _ which: Subdevice.Which
  ) throws(V4L2Error) -> Rectangle? {
    try subdevice(pad.entity).device.selection(target, ofPad: pad.pad, which)
  }

  func setSelection(
    _ target: SelectionTarget, to rectangle: Rectangle, of pad: PadPlace, _ which: Subdevice.Which
  ) throws(V4L2Error) -> Rectangle {
    try subdevice(pad.entity).device.setSelection(target, to: rectangle, ofPad: pad.pad, which)
  }

  func interval(of pad: PadPlace) throws(V4L2Error) -> FrameInterval? {
    try subdevice(pad.entity).device.frameInterval(ofPad: pad.pad)
  }

  func setInterval(_ interval: FrameInterval, of pad: PadPlace) throws(V4L2Error) -> FrameInterval {
    try subdevice(pad.entity).device.setFrameInterval(interval, ofPad: pad.pad)
  }

  func controls(of entity: UInt32) throws(V4L2Error) -> [Control] {
    try subdevice(entity).device.controls()
  }

  func setControl(_ id: UInt32, to value: Int64, of entity: UInt32) throws(V4L2Error) {
    try subdevice(entity).device.setControl(id, to: value)
  }

  func isLinkEnabled(from source: PadPlace, to sink: PadPlace) throws(V4L2Error) -> Bool? {
    let topology = try media.topology()
    let pads = Dictionary(topology.pads.map { ($0.id, PadPlace(entity: $0.entity, pad: $0.index)) }) {
      first, _ in first
    }
    let link = topology.links.first {
      $0.flags.isData && pads[$0.source] == source && pads[$0.sink] == sink
    }
    return link?.flags.contains(.enabled)
  }

  func setLink(from source: PadPlace, to sink: PadPlace, isEnabled: Bool) throws(V4L2Error) {
    try media.setLink(from: source, to: sink, isEnabled: isEnabled)
  }

  func pixelFormats(of node: UInt32, for code: MediaBusCode) throws(V4L2Error) -> [PixelFormat] {
    let node = try self.node(node)
    var lists = ListReader()
    return try lists.list("formats for \(code)") { index throws(V4L2Error) in
      try node.device.format(at: index, for: code)?.format
    }
  }

  func nearestSize(
    to size: Dimensions, of format: PixelFormat, on node: UInt32
  ) throws(V4L2Error) -> Dimensions? {
    try self.node(node).device.nearestSize(to: size, of: format)
  }

  func nodeFormat(of node: UInt32) throws(V4L2Error) -> CaptureFormat {
    try self.node(node).device.captureFormat()
  }

  func setNodeFormat(_ format: CaptureFormat, of node: UInt32) throws(V4L2Error) -> CaptureFormat {
    try self.node(node).device.setCaptureFormat(format)
  }
}
