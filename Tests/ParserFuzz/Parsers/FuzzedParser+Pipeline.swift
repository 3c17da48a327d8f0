import CameraModel
import Cameras
import Timebase
import V4L2

extension FuzzedParser {
  private static let codes = [0x1001, 0x2008, 0x3001, 0x300f, 0x3014, 7].map { MediaBusCode(rawValue: $0) }

  /// A graph of up to five entities in a row, some with branches, and a search for paths through it.
  func feedPipeline(_ bytes: [UInt8]) throws(Broken) {
    var numbers = NumberSource(bytes)
    let count = UInt32(numbers.byte() % 4) + 2
    var graph = MediaGraph(
      media: "/dev/media0", driver: "fuzzed", model: "fuzzed", bus: "", chain: Array(1...count),
      entities: (1...count).map { Self.entity($0, of: count, &numbers) }, sensorModes: [], busCodes: [:])
    for _ in 0...numbers.byte() % 4 {
      let size: FrameSize =
        numbers.bool()
        ? .discrete(width: numbers.number(), height: numbers.number())
        : .stepwise(
          min: Self.size(&numbers), max: Self.size(&numbers), step: Self.size(&numbers))
      let code = numbers.element(of: Self.codes)
      let intervals = (0..<numbers.byte() % 3).map { _ in FrameInterval(numbers.number(), numbers.number()) }
      graph.sensorModes.append(SensorMode(code: "\(code)", size: size, intervals: intervals))
    }
    let mode = Mode(
      fourcc: "MJPG", width: numbers.number(), height: numbers.number(),
      interval: FrameInterval(numbers.number(), numbers.number()))
    let driver = AnsweringDriver(numbers)
    guard var search = PipelineSearch(in: graph, on: driver) else { return }
    guard let found = try? search.configuration(for: mode) else { return }
    try promise(
      found.size == Dimensions(width: mode.width, height: mode.height),
      "\(found.size) comes out where \(mode.width)x\(mode.height) was asked for")
  }

  fileprivate static func size(_ numbers: inout NumberSource) -> Dimensions {
    Dimensions(width: numbers.number(), height: numbers.number())
  }

  private static func entity(
    _ id: UInt32, of count: UInt32, _ numbers: inout NumberSource
  ) -> MediaGraph.Entity {
    let isNode = id == count
    var pads: [MediaGraph.Pad] = []
    if id > 1 { pads.append(.init(index: 0, flags: ["sink"], selections: [:], links: [])) }
    if !isNode {
      var links = [MediaGraph.Link(entity: id + 1, name: "next", pad: 0, flags: ["enabled"])]
      if numbers.bool() {
        links.append(
          .init(
            entity: numbers.bool() ? numbers.number() : UInt32(numbers.byte() % 6), name: "branch",
            pad: UInt32(numbers.byte() % 2), flags: ["enabled", numbers.bool() ? "immutable" : "dynamic"]))
      }
      pads.append(.init(index: 1, flags: ["source"], selections: [:], links: links))
    }
    return MediaGraph.Entity(
      id: id, name: "e\(id)", function: id == 1 ? "camera sensor" : "",
      node: isNode ? "/dev/video0" : "/dev/v4l-subdev\(id)", pads: pads)
  }
}

/// Drivers that answer with the request, and now and then with any value.
private final class AnsweringDriver: PipelineDriver {
  private var numbers: NumberSource

  init(_ numbers: NumberSource) { self.numbers = numbers }

  private var isWilful: Bool { numbers.byte() % 4 == 1 }

  private func any() -> BusFormat {
    BusFormat(code: MediaBusCode(rawValue: numbers.number()), size: FuzzedParser.size(&numbers))
  }

  private func rectangle() -> Rectangle {
    Rectangle(
      left: numbers.number(), top: numbers.number(), width: numbers.number(), height: numbers.number())
  }

  func busCodes(of pad: PadPlace) -> [MediaBusCode] {
    (0..<numbers.byte() % 3).map { _ in MediaBusCode(rawValue: numbers.number()) }
  }

  func format(of pad: PadPlace, _ which: Subdevice.Which) -> BusFormat? { isWilful ? any() : nil }

  func setFormat(_ format: BusFormat, of pad: PadPlace, _ which: Subdevice.Which) -> BusFormat {
    isWilful ? any() : format
  }

  func selection(_ target: SelectionTarget, of pad: PadPlace, _ which: Subdevice.Which) -> Rectangle? {
    isWilful ? rectangle() : nil
  }

  func setSelection(
    _ target: SelectionTarget, to rectangle: Rectangle, of pad: PadPlace, _ which: Subdevice.Which
  ) -> Rectangle {
    isWilful ? self.rectangle() : rectangle
  }

  func interval(of pad: PadPlace) -> FrameInterval? {
    isWilful ? FrameInterval(numbers.number(), numbers.number()) : nil
  }

  func setInterval(_ interval: FrameInterval, of pad: PadPlace) -> FrameInterval { interval }

  func controls(of entity: UInt32) -> [Control] {
    [0x009e_0901, 0x009e_0902, 0x009f_0902].map { id in
      Control(
        id: id, name: "fuzzed", kind: .integer, minimum: numbers.number(), maximum: numbers.number(),
        step: numbers.number(), defaultValue: numbers.number(), value: numbers.number())
    }
  }

  func setControl(_ id: UInt32, to value: Int64, of entity: UInt32) {}
  func isLinkEnabled(from source: PadPlace, to sink: PadPlace) -> Bool? { nil }
  func setLink(from source: PadPlace, to sink: PadPlace, isEnabled: Bool) {}

  func pixelFormats(of node: UInt32, for code: MediaBusCode) -> [PixelFormat] {
    isWilful ? [] : [.mjpeg, PixelFormat(rawValue: numbers.number())]
  }

  func nearestSize(to size: Dimensions, of format: PixelFormat, on node: UInt32) -> Dimensions? {
    isWilful ? FuzzedParser.size(&numbers) : size
  }

  func nodeFormat(of node: UInt32) -> CaptureFormat { .init(.mjpeg, size: FuzzedParser.size(&numbers)) }
  func setNodeFormat(_ format: CaptureFormat, of node: UInt32) -> CaptureFormat { format }
}
