import CameraModel
import FrameJudge
import Foundation
import SystemPackage
import Testing
import V4L2

@testable import Cameras

@Suite("What a driver's rectangles prove about a mode")
struct ActiveReadoutTests {
  private typealias Pad = MediaGraph.Pad

  /// Returns a chain of a sensor with this crop, entities with these crops and output sizes, and the node.
  private func graph(
    crop: [Int]?, output: [UInt32], stages: [(crop: [Int]?, output: [UInt32])] = [],
    area: [String: [Int]] = ["native_size": [0, 0, 3296, 2480], "crop_default": [8, 8, 3280, 2464]],
    isEnabled: Bool = true
  ) -> MediaGraph {
    func link(to entity: UInt32) -> MediaGraph.Link {
      .init(entity: entity, name: "", pad: 0, flags: isEnabled ? ["enabled"] : [])
    }
    var entities = [
      MediaGraph.Entity(
        id: 1, name: "imx219 10-0010", function: "sensor", node: "/dev/v4l-subdev0",
        pads: [
          Pad(
            index: 0, flags: ["source"], code: "SRGGB10_1X10", size: output,
            selections: crop.map { area.merging(["crop": $0]) { $1 } } ?? area, links: [link(to: 2)])
        ])
    ]
    var size = output
    for (index, stage) in stages.enumerated() {
      let id = UInt32(index + 2)
      entities.append(
        .init(
          id: id, name: "stage", function: "bridge", node: "/dev/v4l-subdev\(id)",
          pads: [
            Pad(
              index: 0, flags: ["sink"], code: "SRGGB10_1X10", size: size,
              selections: stage.crop.map { ["crop": $0] } ?? [:], links: []),
            Pad(
              index: 1, flags: ["source"], code: "SRGGB10_1X10", size: stage.output, selections: [:],
              links: [link(to: id + 1)]),
          ]))
      size = stage.output
    }
    let last = UInt32(stages.count + 2)
    entities.append(
      .init(
        id: last, name: "node", function: "video node", node: "/dev/video0",
        pads: [Pad(index: 0, flags: ["sink"], selections: [:], links: [])]))
    return MediaGraph(
      media: "/dev/media0", driver: "unicam", model: "unicam", bus: "platform:csi", chain: Array(1...last),
      entities: entities, sensorModes: [], busCodes: [:])
  }

  private func rectangle(_ terms: Int...) -> Rectangle? { Rectangle(terms) }

  @Test("the sensor's native area is its active pixels")
  func native() {
    #expect(graph(crop: nil, output: [640, 480]).nativeArea == rectangle(8, 8, 3280, 2464))
    let bare = graph(crop: nil, output: [640, 480], area: ["native_size": [0, 0, 1296, 816]])
    #expect(bare.nativeArea == rectangle(0, 0, 1296, 816))
    #expect(graph(crop: nil, output: [640, 480], area: [:]).nativeArea == nil)
    #expect(graph(crop: nil, output: [640, 480], area: ["crop_default": [0, 0, 0, 0]]).nativeArea == nil)
  }

  @Test("a crop as large as the picture is neither binned nor scaled")
  func unbinned() throws {
    let readout = try #require(graph(crop: [688, 700, 1920, 1080], output: [1920, 1080]).activeReadout)
    #expect(readout.crop == rectangle(680, 692, 1920, 1080))
    #expect(readout.isBinned == false)
    #expect(readout.isScaled == false)
  }

  @Test("a crop twice as large as the picture may be binned or subsampled")
  func reduced() throws {
    let readout = try #require(graph(crop: [8, 8, 3280, 2464], output: [1640, 1232]).activeReadout)
    #expect(readout.crop == rectangle(0, 0, 3280, 2464))
    #expect(readout.isBinned == nil)
    #expect(readout.isScaled == nil)
  }

  @Test("an entity scales if its output differs in size from its crop, and does not if it only crops")
  func stages() throws {
    let scaled = try #require(
      graph(
        crop: [8, 8, 3280, 2464], output: [3280, 2464], stages: [([0, 232, 3280, 2000], [1640, 1000])]
      ).activeReadout)
    #expect(scaled.size == Dimensions(width: 1640, height: 1000))
    #expect(scaled.isScaled == true)
    #expect(scaled.isBinned == false)
    #expect(scaled.crop == rectangle(0, 232, 3280, 2000))
    let cropped = try #require(
      graph(
        crop: [8, 8, 3280, 2464], output: [1640, 1232], stages: [([20, 16, 1600, 1200], [1600, 1200])]
      ).activeReadout)
    #expect(cropped.isScaled == nil)
    #expect(cropped.crop == rectangle(40, 32, 3200, 2400))
  }

  @Test("an entity that changes the size without stating how leaves crop and scaling unknown")
  func silentStage() throws {
    let readout = try #require(
      graph(crop: [8, 8, 3280, 2464], output: [3280, 2464], stages: [(nil, [3264, 2448])]).activeReadout)
    #expect(readout.crop == nil)
    #expect(readout.isScaled == nil)
    #expect(readout.isBinned == false)
  }

  @Test("a chain that cannot stream in its current state proves nothing")
  func broken() {
    #expect(graph(crop: [8, 8, 640, 480], output: [640, 480], isEnabled: false).activeReadout == nil)
    var mismatched = graph(crop: [8, 8, 640, 480], output: [640, 480], stages: [(nil, [640, 480])])
    mismatched.entities[1].pads[0].code = "RGB888_1X24"
    #expect(mismatched.activeReadout == nil)
    mismatched.entities[1].pads[0].code = nil
    #expect(mismatched.activeReadout == nil)
    var cut = graph(crop: [8, 8, 640, 480], output: [640, 480])
    cut.entities[0].pads[0].links = []
    #expect(cut.activeReadout == nil)
    #expect(graph(crop: [8, 8, 640, 480], output: [0, 480]).activeReadout == nil)
  }

  @Test("rectangles without pixels, or huge ones, prove nothing and do no harm")
  func hostile() throws {
    let ends = [Int(Int32.min), -1, 0, Int(Int32.max)]
    let sides = [0, 1, 3, Int(UInt32.max)]
    for left in ends {
      for width in sides {
        for side in [1, UInt32.max] {
          let graph = graph(
            crop: [left, left, width, width], output: [side, side],
            stages: [([left, left, width, width], [3, side])],
            area: ["crop_default": [left, left, 7, 7]])
          let readout = try #require(graph.activeReadout)
          #expect(readout.crop.map { $0.width > 0 && $0.height > 0 } != false)
          if width == 0 { #expect(readout.crop == nil) }
        }
      }
    }
    #expect(Rectangle([1, 2, 3]) == nil)
    #expect(Rectangle([0, 0, -1, 1]) == nil)
  }

  @Test("known facts are added only to rows of that size and format")
  func rows() throws {
    let readout = try #require(graph(crop: [688, 700, 1920, 1080], output: [1920, 1080]).activeReadout)
    var rows = [
      ModeRow(fourcc: "RG10", size: .discrete(width: 1920, height: 1080)),
      ModeRow(fourcc: "NV12", size: .discrete(width: 1920, height: 1080)),
      ModeRow(fourcc: "RG10", size: .discrete(width: 1640, height: 1232)),
    ]
    readout.describe(&rows) { $0 == "RG10" }
    #expect(rows.map(\.readout.evidence) == ["driver", nil, nil])
    #expect(rows[0].readout.crop == [680, 692, 1920, 1080])
    // A larger mode scaled to the same size is a different one.
    var scaled = [ModeRow(fourcc: "RG10", size: .discrete(width: 1920, height: 1080))]
    scaled[0].readout = Readout(crop: [0, 0, 3280, 1844], isScaled: true, evidence: "driver")
    readout.describe(&scaled) { $0 == "RG10" }
    #expect(scaled[0].readout.isScaled == true)
    #expect(scaled[0].readout.crop == [0, 0, 3280, 1844])
    var table = CameraTable(rows: rows)
    table.native = Dimensions(width: 3280, height: 2464)
    let described = table.described(by: ProfileLibrary(userFolder: "/no/such/folder"))
    #expect(described.rows[0].readout.fieldOfView == [58.5, 43.8])
    #expect(described.rows[0].readout.isBinned == false)
    #expect(described.rows[0].readout.evidence == "driver")
  }

  @Test("a node's own rectangles count only if it states the size of its sensor")
  func node() {
    let size = Dimensions(width: 640, height: 480)
    let native = Dimensions(width: 1280, height: 960)
    func readout(_ crop: Rectangle?, _ compose: Rectangle? = nil) -> ActiveReadout {
      ActiveReadout(native: native, crop: crop, compose: compose, size: size)
    }
    #expect(readout(rectangle(320, 240, 640, 480)).isBinned == false)
    #expect(readout(rectangle(0, 0, 1280, 960)).isBinned == nil)
    #expect(readout(rectangle(0, 0, 1280, 960)).crop == rectangle(0, 0, 1280, 960))
    #expect(readout(rectangle(0, 0, 640, 480), rectangle(0, 0, 320, 240)).isScaled == nil)
    #expect(readout(nil) == ActiveReadout(size: size))
    #expect(
      ActiveReadout(native: nil, crop: rectangle(0, 0, 640, 480), compose: nil, size: size)
        == ActiveReadout(size: size))
  }

  @Test("a profile adds binning where its crop agrees, and never changes what the driver states")
  func profile() throws {
    let folder = try TemporaryFolder()
    let yaml = """
      id: mine
      name: My sensor
      match: {sensor: own42}
      native: [3296, 2480]
      source: my own eyes
      modes:
        - {sizes: [[1640, 1232]], formats: [RG10], binned: true, binning: [2, 2], crop: [0, 0, 3280, 2464]}
        - {sizes: [[1920, 1080]], formats: [RG10], binned: true, binning: [2, 2], crop: [0, 0, 3280, 2464]}
        - {sizes: [[640, 480]], formats: [RG10], binned: true, binning: [2, 2], crop: [1000, 752, 1280, 960]}
      """
    try Data(yaml.utf8).write(to: folder.url.appending(path: "mine.yaml"))
    func row(_ width: UInt32, _ height: UInt32, _ crop: [Int], isBinned: Bool? = nil) -> ModeRow {
      var row = ModeRow(fourcc: "RG10", size: .discrete(width: width, height: height))
      row.readout = Readout(isBinned: isBinned, crop: crop, evidence: "driver")
      return row
    }
    var table = CameraTable(rows: [
      row(1640, 1232, [0, 0, 3280, 2464]), row(1920, 1080, [680, 692, 1920, 1080], isBinned: false),
      row(640, 480, [0, 0, 2560, 1920]),
    ])
    (table.sensor, table.native) = ("own42 10-0010", Dimensions(width: 3280, height: 2464))
    let described = table.described(by: ProfileLibrary(userFolder: FilePath(folder.url.path)))
    #expect(described.rows.map(\.readout.isBinned) == [true, false, nil])
    #expect(described.rows.map(\.readout.evidence) == ["profile", "driver", "driver"])
    #expect(described.rows[2].readout.crop == [0, 0, 2560, 1920])
    #expect(described.native == Dimensions(width: 3280, height: 2464))
    #expect(described.warnings.contains { $0.contains("3280x2464") && $0.contains("mine") })
  }

  @Test("a graph survives a round trip through JSON")
  func json() throws {
    var table = CameraTable(rows: [])
    table.graph = graph(crop: [8, 8, 640, 480], output: [640, 480], stages: [(nil, [640, 480])])
    let copy = try JSONDecoder().decode(CameraTable.self, from: try JSONEncoder().encode(table))
    #expect(copy == table)
  }
}
