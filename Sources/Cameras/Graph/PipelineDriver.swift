package import CameraModel
import SystemPackage
package import Timebase
package import V4L2

/// The interface to a media graph's sub-devices, links and other video nodes.
///
/// A protocol between plan and kernel, so that tests can set up graphs of hardware that is not at hand.
package protocol PipelineDriver: AnyObject {
  /// Returns the bus formats that a pad lists, with the formats that its entity is being tried with.
  func busCodes(of pad: PadPlace) throws(V4L2Error) -> [MediaBusCode]
  /// Returns the format of a pad; `nil` if it has none.
  func format(of pad: PadPlace, _ which: Subdevice.Which) throws(V4L2Error) -> BusFormat?
  /// Requests a format, and returns the format that the driver set.
  func setFormat(
    _ format: BusFormat, of pad: PadPlace, _ which: Subdevice.Which
  ) throws(V4L2Error) -> BusFormat
  /// Returns a rectangle of a pad; `nil` if it has none.
  func selection(
    _ target: SelectionTarget, of pad: PadPlace, _ which: Subdevice.Which
  ) throws(V4L2Error) -> Rectangle?
  /// Requests a rectangle, and returns the rectangle that the driver set.
  func setSelection(
    _ target: SelectionTarget, to rectangle: Rectangle, of pad: PadPlace, _ which: Subdevice.Which
  ) throws(V4L2Error) -> Rectangle
  /// Returns the interval of a pad; `nil` if it has none.
  func interval(of pad: PadPlace) throws(V4L2Error) -> FrameInterval?
  /// Requests an interval, and returns the interval that the driver set.
  func setInterval(_ interval: FrameInterval, of pad: PadPlace) throws(V4L2Error) -> FrameInterval
  /// Returns the controls of an entity.
  func controls(of entity: UInt32) throws(V4L2Error) -> [Control]
  /// Sets a control of an entity.
  func setControl(_ id: UInt32, to value: Int64, of entity: UInt32) throws(V4L2Error)
  /// Returns whether the link is enabled; `nil` if there is none.
  func isLinkEnabled(from source: PadPlace, to sink: PadPlace) throws(V4L2Error) -> Bool?
  /// Enables or disables a link.
  func setLink(from source: PadPlace, to sink: PadPlace, isEnabled: Bool) throws(V4L2Error)
  /// Returns the pixel formats into which a video node can convert a bus format.
  func pixelFormats(of node: UInt32, for code: MediaBusCode) throws(V4L2Error) -> [PixelFormat]
  /// Returns the size that a video node would change `size` to; `nil` if it does not say.
  func nearestSize(
    to size: Dimensions, of format: PixelFormat, on node: UInt32
  ) throws(V4L2Error) -> Dimensions?
  /// Returns a video node's format.
  func nodeFormat(of node: UInt32) throws(V4L2Error) -> CaptureFormat
  /// Requests a format from a video node, and returns the format that the driver set.
  func setNodeFormat(_ format: CaptureFormat, of node: UInt32) throws(V4L2Error) -> CaptureFormat
}

/// A media graph of this machine. Sub-devices are opened on first use, and stay open.
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
