import CameraModel
import SystemPackage
import Timebase

@testable import Cameras
@testable import V4L2

/// A simulated media graph that behaves as drivers do: an unavailable format becomes another one, a
/// sink's format changes its entity's source pad, and a link into a sink that is in use is busy.
final class FakePipeline: PipelineDriver {
  /// How an entity responds to a requested format.
  enum Kind {
    /// A sensor's modes, each with the part of the sensor that it reads.
    case sensor([(format: BusFormat, crop: Rectangle, interval: FrameInterval)])
    /// Passes on its input.
    case bridge
    /// Crops at its sink, and scales to any smaller size.
    case scaler
    /// A video node with its largest size.
    case node([MediaBusCode: PixelFormat], most: Dimensions)
  }

  /// Everything in a graph that can be set.
  struct Settings: Equatable {
    var formats: [PadPlace: BusFormat] = [:]
    var crops: [PadPlace: Rectangle] = [:]
    var intervals: [PadPlace: FrameInterval] = [:]
    var nodes: [UInt32: CaptureFormat] = [:]
    var links: [PipelineLinks.Ends: LinkFlags] = [:]
  }

  var kinds: [UInt32: Kind] = [:]
  var active = Settings()
  /// The settings that are only tried, and that no other program sees.
  var tried = Settings()
  /// Every step that was carried out on the hardware, in order.
  private(set) var done: [PipelineStep] = []
  /// The error of a step when it is carried out on the hardware, if it fails.
  var failure: (PipelineStep) -> Errno? = { _ in nil }
  /// The format that the hardware gives instead of the requested one.
  var change: (BusFormat) -> BusFormat = { $0 }

  /// A sensor's lines of blanking, and the fewest in each mode; `nil` if it has intervals instead.
  var blanking: (lines: Int64, least: [Dimensions: Int64], pixelRate: Int64)?
  static let lineBlanking: Int64 = 168

  private func settings(_ which: Subdevice.Which) -> Settings { which == .active ? active : tried }

  private func update(_ which: Subdevice.Which, _ body: (inout Settings) -> Void) {
    if which == .active { body(&active) } else { body(&tried) }
  }

  private func fail(_ step: PipelineStep, _ call: String) throws(V4L2Error) {
    done.append(step)
    if let errno = failure(step) { throw .pad(step.place.pad ?? 0, call, on: "/dev/fake", errno) }
  }

  func busCodes(of pad: PadPlace) -> [MediaBusCode] {
    if case .sensor(let modes) = kinds[pad.entity] {
      return modes.map(\.format.code).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
    return tried.formats[PadPlace(entity: pad.entity, pad: 0)].map { [$0.code] } ?? []
  }

  func format(of pad: PadPlace, _ which: Subdevice.Which) -> BusFormat? { settings(which).formats[pad] }

  func setFormat(
    _ format: BusFormat, of pad: PadPlace, _ which: Subdevice.Which
  ) throws(V4L2Error) -> BusFormat {
    if which == .active { try fail(.format(pad, format), "VIDIOC_SUBDEV_S_FMT") }
    var given = which == .active ? change(format) : format
    let sink = PadPlace(entity: pad.entity, pad: 0)
    switch kinds[pad.entity] {
    case .sensor(let modes):
      let mode = modes.first { $0.format.matches(given) } ?? modes[0]
      given = mode.format
      given.color = format.color
      update(which) { settings in
        settings.crops[pad] = mode.crop
        if blanking == nil { settings.intervals[pad] = mode.interval }
      }
      // Setting a format resets the blanking to that of its mode.
      let least = blanking?.least[given.size] ?? 4
      if which == .active { blanking?.lines = least }
    case .scaler where pad != sink, .bridge where pad != sink:
      let crop = settings(which).crops[sink]
      let whole = settings(which).formats[sink] ?? given
      if case .scaler = kinds[pad.entity], let crop, given.size.width <= crop.width,
        given.size.height <= crop.height
      {
        given.code = whole.code
      } else {
        given = whole
      }
    case .scaler, .bridge:
      let next = PadPlace(entity: pad.entity, pad: pad.pad + 1)
      let isScaler = if case .scaler = kinds[pad.entity] { true } else { false }
      update(which) { settings in
        settings.formats[next] = given
        if isScaler {
          settings.crops[pad] = Rectangle(
            left: 0, top: 0, width: given.size.width, height: given.size.height)
        }
      }
    default: break
    }
    update(which) { $0.formats[pad] = given }
    return given
  }

  func selection(
    _ target: SelectionTarget, of pad: PadPlace, _ which: Subdevice.Which
  ) -> Rectangle? { target == .crop ? settings(which).crops[pad] : nil }

  func setSelection(
    _ target: SelectionTarget, to rectangle: Rectangle, of pad: PadPlace, _ which: Subdevice.Which
  ) throws(V4L2Error) -> Rectangle {
    if which == .active {
      try fail(.selection(pad, target, rectangle), "VIDIOC_SUBDEV_S_SELECTION")
    }
    guard case .scaler = kinds[pad.entity], target == .crop, settings(which).crops[pad] != nil else {
      throw .pad(pad.pad, "VIDIOC_SUBDEV_S_SELECTION", on: "/dev/fake", .invalidArgument)
    }
    update(which) { $0.crops[pad] = rectangle }
    return rectangle
  }

  func controls(of entity: UInt32) -> [Control] {
    guard let blanking, case .sensor = kinds[entity],
      let size = active.formats[PadPlace(entity: entity, pad: 0)]?.size
    else { return [] }
    return [
      Control(
        id: SensorBlanking.verticalID, name: "Vertical Blanking", minimum: blanking.least[size] ?? 4,
        maximum: 60_000, value: blanking.lines),
      Control(
        id: SensorBlanking.horizontalID, name: "Horizontal Blanking", minimum: 0, maximum: 9999,
        flags: .readOnly, value: Self.lineBlanking),
      Control(
        id: SensorBlanking.pixelRateID, name: "Pixel Rate", kind: .integer64, minimum: 1,
        maximum: blanking.pixelRate, flags: .readOnly, value: blanking.pixelRate),
    ]
  }

  func setControl(_ id: UInt32, to value: Int64, of entity: UInt32) throws(V4L2Error) {
    try fail(.control(entity, id: id, value: value), "VIDIOC_S_EXT_CTRLS")
    blanking?.lines = value
  }

  func interval(of pad: PadPlace) -> FrameInterval? { active.intervals[pad] }

  func setInterval(_ interval: FrameInterval, of pad: PadPlace) throws(V4L2Error) -> FrameInterval {
    try fail(.interval(pad, interval), "VIDIOC_SUBDEV_S_FRAME_INTERVAL")
    active.intervals[pad] = interval
    return interval
  }

  func isLinkEnabled(from source: PadPlace, to sink: PadPlace) -> Bool? {
    active.links[.init(source: source, sink: sink)]?.contains(.enabled)
  }

  func setLink(from source: PadPlace, to sink: PadPlace, isEnabled: Bool) throws(V4L2Error) {
    try fail(.link(from: source, to: sink, isEnabled: isEnabled), "MEDIA_IOC_SETUP_LINK")
    let ends = PipelineLinks.Ends(source: source, sink: sink)
    let isTaken = active.links.contains {
      $0.key.sink == sink && $0.key != ends && $0.value.contains(.enabled)
    }
    if isEnabled, isTaken { throw .link(on: "/dev/fake", .resourceBusy) }
    active.links[ends] = isEnabled ? .enabled : []
  }

  func pixelFormats(of node: UInt32, for code: MediaBusCode) -> [PixelFormat] {
    guard case .node(let formats, _) = kinds[node] else { return [] }
    return formats[code].map { [$0] } ?? []
  }

  func nearestSize(to size: Dimensions, of format: PixelFormat, on node: UInt32) -> Dimensions? {
    guard case .node(_, let most) = kinds[node] else { return nil }
    return Dimensions(width: min(size.width, most.width), height: min(size.height, most.height))
  }

  func nodeFormat(of node: UInt32) -> CaptureFormat {
    active.nodes[node]
      ?? CaptureFormat(PixelFormat(rawValue: 0), size: Dimensions(width: 0, height: 0))
  }

  func setNodeFormat(_ format: CaptureFormat, of node: UInt32) throws(V4L2Error) -> CaptureFormat {
    try fail(.node(node, format), "VIDIOC_S_FMT")
    active.nodes[node] = format
    return format
  }
}
