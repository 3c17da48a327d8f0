import CameraModel
import Timebase

@testable import Cameras
@testable import V4L2

/// A Sony IMX219 behind a receiver and optionally a scaler, with the modes, crops and rates that
/// libcamera lists for it in 10 bits. Its driver lists intervals.
struct SensorGraph {
  static let sensor: UInt32 = 10
  static let receiver: UInt32 = 20
  static let scaler: UInt32 = 30
  static let node: UInt32 = 40
  static let other: UInt32 = 50

  static let raw = MediaBusCode(rawValue: 0x300f)
  static let pixels = PixelFormat(fourcc: "RG10")

  var graph: MediaGraph
  let driver = FakePipeline()

  private static func size(_ width: UInt32, _ height: UInt32) -> Dimensions {
    Dimensions(width: width, height: height)
  }

  static let modes: [(format: BusFormat, crop: Rectangle, interval: FrameInterval)] = [
    (3280, 2464, 8, 8, 3280, 2464, 2119), (1920, 1080, 688, 700, 1920, 1080, 4757),
    (1640, 1232, 8, 8, 3280, 2464, 4185), (640, 480, 1008, 760, 1280, 960, 20665),
  ].map { width, height, x, y, across, down, hundredths in
    (
      BusFormat(code: raw, size: size(width, height)),
      Rectangle(left: x, top: y, width: across, height: down), FrameInterval(100, hundredths)
    )
  }

  static func pad(_ entity: UInt32, _ index: UInt32) -> PadPlace { PadPlace(entity: entity, pad: index) }

  /// Creates the initial graph: it reads the whole sensor and leads to another node, while the path
  /// to the camera's node is not linked.
  init(hasScaler: Bool, most: Dimensions = Dimensions(width: 16384, height: 16384)) {
    let way = [Self.sensor, Self.receiver] + (hasScaler ? [Self.scaler] : []) + [Self.node]
    var entities: [MediaGraph.Entity] = []
    func entity(_ id: UInt32, _ name: String, _ function: String, _ node: String, _ pads: [String]) {
      entities.append(
        .init(
          id: id, name: name, function: function, node: node,
          pads: pads.enumerated().map { index, flag in
            .init(index: UInt32(index), flags: [flag], selections: [:], links: [])
          }))
    }
    entity(Self.sensor, "imx219 4-0010", "sensor", "/dev/v4l-subdev0", ["source"])
    entity(Self.receiver, "csi2", "bridge", "/dev/v4l-subdev1", ["sink", "source"])
    if hasScaler { entity(Self.scaler, "resizer", "scaler", "/dev/v4l-subdev2", ["sink", "source"]) }
    entity(Self.node, "csi2_ch0", "video node", "/dev/video0", ["sink"])
    entity(Self.other, "preview", "video node", "/dev/video1", ["sink"])
    graph = MediaGraph(
      media: "/dev/media0", driver: "rp1-cfe", model: "rp1-cfe", bus: "platform:1f00110000.csi", chain: way,
      entities: entities,
      sensorModes: Self.modes.map {
        SensorMode(
          code: $0.format.code.description,
          size: .discrete(width: $0.format.size.width, height: $0.format.size.height),
          intervals: [$0.interval])
      },
      busCodes: ["RG10": ["SRGGB10_1X10"]])
    driver.kinds = [
      Self.sensor: .sensor(Self.modes), Self.receiver: .bridge, Self.scaler: .scaler,
      Self.node: .node([Self.raw: Self.pixels].compactMapValues(\.self), most: most),
    ]
    link(Self.pad(Self.sensor, 0), Self.pad(Self.receiver, 0), ["enabled", "immutable"])
    let last = Self.pad(way[way.count - 2], 1)
    if hasScaler { link(Self.pad(Self.receiver, 1), Self.pad(Self.scaler, 0), []) }
    link(last, Self.pad(Self.node, 0), [])
    link(last, Self.pad(Self.other, 0), ["enabled"])
    change(Self.pad(Self.sensor, 0)) { pad in
      pad.selections = ["native_size": [0, 0, 3296, 2480], "crop_default": [8, 8, 3280, 2464]]
    }

    let whole = Self.modes[0].format
    for which in [Subdevice.Which.active, .try] {
      for entity in way.dropLast() {
        _ = try? driver.setFormat(whole, of: Self.pad(entity, 0), which)
      }
    }
    // The initial state is no default: other colours, another interval, a crop.
    driver.active.formats[Self.pad(Self.sensor, 0)]?.color.colorspace = Colorspace(rawValue: 8)
    driver.active.intervals[Self.pad(Self.sensor, 0)] = FrameInterval(1, 7)
    if hasScaler {
      driver.active.crops[Self.pad(Self.scaler, 0)] = Rectangle(
        left: 10, top: 20, width: 2000, height: 1000)
      driver.active.formats[Self.pad(Self.scaler, 1)] = BusFormat(code: Self.raw, size: Self.size(500, 300))
    }
  }

  private mutating func change(_ place: PadPlace, _ body: (inout MediaGraph.Pad) -> Void) {
    for entity in graph.entities.indices where graph.entities[entity].id == place.entity {
      body(&graph.entities[entity].pads[Int(place.pad)])
    }
  }

  /// Links two pads, in the graph and in the simulated kernel.
  mutating func link(_ source: PadPlace, _ sink: PadPlace, _ flags: [String]) {
    func link(to place: PadPlace) -> MediaGraph.Link {
      .init(entity: place.entity, name: graph.entity(place.entity)?.name ?? "", pad: place.pad, flags: flags)
    }
    let (there, back) = (link(to: sink), link(to: source))
    change(source) { $0.links.append(there) }
    change(sink) { $0.links.append(back) }
    driver.active.links[.init(source: source, sink: sink)] = flags.contains("enabled") ? .enabled : []
  }

  /// The search for paths through the graph.
  var search: PipelineSearch<FakePipeline>? { PipelineSearch(in: graph, on: driver) }
}
