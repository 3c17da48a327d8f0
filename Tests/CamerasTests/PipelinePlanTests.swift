import CameraModel
import Testing
import Timebase

@testable import Cameras
@testable import V4L2

@Suite("The plan that sets up a sensor's mode")
struct PipelinePlanTests {
  private typealias Graph = SensorGraph

  private func table(_ sample: SensorGraph) throws -> CameraTable {
    var search = try #require(sample.search)
    var table = CameraTable(rows: try search.rows())
    table.graph = sample.graph
    table.native = sample.graph.nativeArea?.size
    return table
  }

  private func choose(_ rate: Int, from table: CameraTable) -> ModeChoice {
    ModeChoice(from: table, for: .init(rate: FrameRate(whole: Int64(rate))))
  }

  private func format(_ width: UInt32, _ height: UInt32) -> BusFormat {
    BusFormat(code: Graph.raw, size: Dimensions(width: width, height: height))
  }

  /// Returns the steps of the plan.
  private func plan(_ configuration: PipelineConfiguration, _ mode: Mode, _ sample: SensorGraph)
    -> [PipelineStep]
  {
    PipelinePlan(configuration, in: sample.graph, interval: mode.interval).steps
  }

  @Test("covers each of the sensor's modes, with the crop that its driver reports for a trial")
  func rows() throws {
    let sample = SensorGraph(hasScaler: false)
    let before = sample.driver.active
    let table = try table(sample)
    #expect(table.rows.map(\.fourcc) == ["RG10", "RG10", "RG10", "RG10"])
    #expect(
      table.rows.map(\.size.largest.description) == ["3280x2464", "1920x1080", "1640x1232", "640x480"])
    #expect(table.rows.map(\.intervals) == Graph.modes.map { [$0.interval] })
    #expect(
      table.rows.map(\.readout.crop) == [
        [0, 0, 3280, 2464], [680, 692, 1920, 1080], [0, 0, 3280, 2464], [1000, 752, 1280, 960],
      ])
    // A mode that is smaller than its crop may be binned or scaled.
    #expect(table.rows.map(\.readout.isBinned) == [false, false, nil, nil])
    #expect(table.rows.allSatisfy { $0.readout.evidence == "driver" })
    #expect(sample.driver.active == before)
    // A profile states that the same crop is binned.
    var described = table
    described.sensor = "imx219 4-0010"
    let known = described.described(by: ProfileLibrary(userFolder: "/no/such/folder"))
    #expect(known.rows.map(\.readout.isBinned) == [false, false, true, true])
  }

  @Test("for the fast, binned mode, links the path and sets every pad from the sensor on")
  func binned() throws {
    let sample = SensorGraph(hasScaler: false)
    let mode = try #require(choose(200, from: try table(sample)).ranking.first)
    #expect(mode.width == 640)
    var search = try #require(sample.search)
    let configuration = try #require(try search.configuration(for: mode))
    #expect(configuration.sensorCrop == Rectangle(left: 1008, top: 760, width: 1280, height: 960))
    let (sensor, receiver) = (Graph.sensor, Graph.receiver)
    #expect(
      plan(configuration, mode, sample) == [
        .link(from: Graph.pad(receiver, 1), to: Graph.pad(Graph.other, 0), isEnabled: false),
        .link(from: Graph.pad(receiver, 1), to: Graph.pad(Graph.node, 0), isEnabled: true),
        .format(Graph.pad(sensor, 0), format(640, 480)),
        .format(Graph.pad(receiver, 0), format(640, 480)),
        .format(Graph.pad(receiver, 1), format(640, 480)),
        .interval(Graph.pad(sensor, 0), FrameInterval(100, 20665)),
      ])
  }

  @Test("crops and scales on the path what the node cannot take")
  func scaled() throws {
    let most = Dimensions(width: 1280, height: 720)
    let sample = SensorGraph(hasScaler: true, most: most)
    let mode = try #require(choose(46, from: try table(sample)).ranking.first)
    #expect(mode.width == 1280)
    #expect(mode.readout.isScaled == true)
    var search = try #require(sample.search)
    let configuration = try #require(try search.configuration(for: mode))
    let size = try #require(configuration.pads.first?.format.size)
    #expect(size == Dimensions(width: 1920, height: 1080))
    let (sensor, receiver, scaler) = (Graph.sensor, Graph.receiver, Graph.scaler)
    #expect(
      plan(configuration, mode, sample) == [
        .link(from: Graph.pad(scaler, 1), to: Graph.pad(Graph.other, 0), isEnabled: false),
        .link(from: Graph.pad(receiver, 1), to: Graph.pad(scaler, 0), isEnabled: true),
        .link(from: Graph.pad(scaler, 1), to: Graph.pad(Graph.node, 0), isEnabled: true),
        .format(Graph.pad(sensor, 0), format(1920, 1080)),
        .format(Graph.pad(receiver, 0), format(1920, 1080)),
        .format(Graph.pad(receiver, 1), format(1920, 1080)),
        .format(Graph.pad(scaler, 0), format(1920, 1080)),
        .selection(
          Graph.pad(scaler, 0), .crop, Rectangle(left: 0, top: 0, width: 1920, height: 1080)),
        .format(Graph.pad(scaler, 1), format(1280, 720)),
        .interval(Graph.pad(sensor, 0), FrameInterval(100, 4757)),
      ])
  }

  @Test("crops to the middle of the picture, at even pixels, for another shape")
  func shape() {
    let whole = Dimensions(width: 3280, height: 2464)
    #expect(
      whole.part(shapedAs: Dimensions(width: 1920, height: 1080))
        == Rectangle(left: 0, top: 310, width: 3280, height: 1844))
    #expect(
      whole.part(shapedAs: Dimensions(width: 1000, height: 1000))
        == Rectangle(left: 408, top: 0, width: 2464, height: 2464))
    #expect(whole.part(shapedAs: whole) == Rectangle(left: 0, top: 0, width: 3280, height: 2464))
    #expect(whole.part(shapedAs: Dimensions(width: 3281, height: 1)) == nil)
    #expect(whole.part(shapedAs: Dimensions(width: 0, height: 0)) == nil)
    #expect(
      Dimensions(width: .max, height: .max).part(shapedAs: Dimensions(width: 1, height: 1))?.width == .max)
  }

  @Test("also sets up a branch whose link cannot be disabled")
  func branch() throws {
    var sample = SensorGraph(hasScaler: false)
    sample.link(Graph.pad(Graph.sensor, 0), Graph.pad(60, 0), ["enabled", "immutable"])
    sample.graph.entities.append(
      .init(
        id: 60, name: "raw node", function: "video node", node: "/dev/video2",
        pads: [.init(index: 0, flags: ["sink"], selections: [:], links: [])]))
    let grey = try #require(PixelFormat(fourcc: "RG10"))
    sample.driver.kinds[60] = .node([Graph.raw: grey], most: Dimensions(width: 4096, height: 4096))
    var search = try #require(sample.search)
    let mode = try #require(choose(200, from: try table(sample)).ranking.first)
    let configuration = try #require(try search.configuration(for: mode))
    let steps = plan(configuration, mode, sample)
    #expect(steps.contains(.node(60, CaptureFormat(grey, size: Dimensions(width: 640, height: 480)))))
    // If the branch's node cannot take the format, there is no path.
    sample.driver.kinds[60] = .node([:], most: Dimensions(width: 4096, height: 4096))
    #expect(try search.configuration(for: mode) == nil)
    #expect(search.refusal?.entity == "raw node")
  }

  @Test("does not exist if no mode of the sensor fits, and the refusal names the pad")
  func none() throws {
    let sample = SensorGraph(hasScaler: false, most: Dimensions(width: 1280, height: 720))
    var search = try #require(sample.search)
    let interval = FrameInterval(1, 47)
    #expect(
      try search.configuration(for: Mode(fourcc: "RG10", width: 1920, height: 1080, interval: interval))
        == nil)
    #expect(search.refusal?.entity == "csi2_ch0")
    #expect(search.refusal?.given == "1280x720 RG10")
    #expect(
      try search.configuration(for: Mode(fourcc: "RG10", width: 320, height: 240, interval: interval)) == nil)
    #expect(
      try search.configuration(for: Mode(fourcc: "NV12", width: 640, height: 480, interval: interval)) == nil)
  }

  @Test("ignores crops that are the same for all modes and fit none")
  func untoldCrops() throws {
    let sample = SensorGraph(hasScaler: false)
    let whole = Graph.modes[0].crop
    sample.driver.kinds[Graph.sensor] = .sensor(Graph.modes.map { ($0.format, whole, $0.interval) })
    #expect(try table(sample).rows.allSatisfy { $0.readout.crop == nil && $0.readout.isBinned == nil })
  }
}
