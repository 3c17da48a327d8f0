import CameraModel
import Testing
import Timebase

@testable import Cameras
@testable import V4L2

/// The IMX219 of the other tests, with a driver that lists no intervals and has controls for the
/// blanking. The least number of lines is invented.
@Suite("The blanking that times a sensor without intervals")
struct SensorBlankingTests {
  private static let small = Dimensions(width: 640, height: 480)

  private func sensor() -> SensorGraph {
    var sample = SensorGraph(hasScaler: false)
    for index in sample.graph.sensorModes.indices { sample.graph.sensorModes[index].intervals = [] }
    let driver = sample.driver
    driver.active.intervals = [:]
    driver.tried.intervals = [:]
    driver.blanking = (
      lines: 1000, least: [Self.small: 600, SensorGraph.modes[0].format.size: 32], 182_400_000
    )
    return sample
  }

  private func controls(_ lines: Int64 = 600, rate: Int64 = 182_400_000, flags: ControlFlags = [])
    -> [Control]
  {
    [
      Control(
        id: SensorBlanking.verticalID, name: "Vertical Blanking", minimum: 600, maximum: 60_000, step: 2,
        flags: flags, value: lines),
      Control(
        id: SensorBlanking.horizontalID, name: "Horizontal Blanking", minimum: 0, maximum: 9999, value: 168),
      Control(
        id: SensorBlanking.pixelRateID, name: "Pixel Rate", kind: .integer64, minimum: 1, maximum: rate,
        value: rate),
    ]
  }

  @Test("converts between lines and intervals, within the sensor's range")
  func arithmetic() throws {
    let blanking = try #require(SensorBlanking(controls(), size: Self.small))
    // 182.4 million pixels a second divided by 808 times 1080.
    #expect(blanking.interval == FrameInterval(909, 190_000))
    let asked = FrameInterval(1, 100)
    let lines = try #require(blanking.lines(for: asked))
    #expect(lines == 1776)
    let rate = try #require(blanking.interval(blanking: lines)?.rate)
    #expect(rate >= FrameRate(whole: 100))
    #expect(blanking.lines(for: FrameInterval(1, 1000)) == 600)
    #expect(blanking.lines(for: FrameInterval(100, 1)) == 60_000)
    #expect(blanking.lines(for: FrameInterval(0, 1)) == nil)
  }

  @Test(
    "gives no interval if it is negative or longer than any sensor's",
    arguments: [-480, -1, .min, .max, 1 << 40])
  func impossibleBlanking(_ lines: Int64) throws {
    let blanking = try #require(SensorBlanking(controls(lines), size: Self.small))
    #expect(blanking.interval == nil)
    #expect(blanking.range != nil)
  }

  @Test("is unknown if controls are missing, read-only or nonsense")
  func nonsense() {
    #expect(SensorBlanking([], size: Self.small) == nil)
    #expect(SensorBlanking(Array(controls().dropLast()), size: Self.small) == nil)
    #expect(SensorBlanking(controls(flags: .readOnly), size: Self.small) == nil)
    #expect(SensorBlanking(controls(rate: 0), size: Self.small) == nil)
    #expect(SensorBlanking(controls(), size: Dimensions(width: 0, height: 480)) == nil)
    #expect(SensorBlanking(controls(), size: Dimensions(width: .max, height: .max)) == nil)
    #expect(SensorBlanking(controls(rate: .max), size: Self.small)?.interval == nil)
  }

  @Test("gives the current mode's range in the table; the other modes have a profile's rates")
  func table() throws {
    let sample = sensor()
    var search = try #require(sample.search)
    var table = CameraTable(rows: try search.rows())
    #expect(table.rows.map { $0.continuous != nil } == [true, false, false, false])
    #expect(table.rows[0].continuous?.min.rate?.description == "21.19")
    table.graph = sample.graph
    table.graph?.isTimedByBlanking = try search.isTimedByBlanking()
    #expect(table.graph?.isTimedByBlanking == true)
    (table.sensor, table.native) = ("imx219 4-0010", sample.graph.nativeArea?.size)
    let described = table.described(by: ProfileLibrary(userFolder: "/no/such/folder"))
    #expect(
      described.rows.map { $0.intervals.compactMap { $0.rate?.description } } == [
        [], ["47.57"], ["41.85", "83.7"], ["206.65"],
      ])
    #expect(described.warnings.contains { $0.contains("lists no rates") && $0.contains("imx219") })
    table.graph?.isTimedByBlanking = false
    let other = table.described(by: ProfileLibrary(userFolder: "/no/such/folder"))
    #expect(other.rows.allSatisfy { $0.intervals.isEmpty })
  }

  @Test("is set after the formats, gives the accepted interval, and is restored")
  func setUp() throws {
    let sample = sensor()
    let driver = sample.driver
    let before = driver.active
    var search = try #require(sample.search)
    let mode = Mode(fourcc: "RG10", width: 640, height: 480, interval: FrameInterval(100, 20665))
    let configuration = try #require(try search.configuration(for: mode))
    let plan = PipelinePlan(configuration, in: sample.graph, interval: mode.interval)
    #expect(plan.steps.last == .blanking(SensorGraph.pad(SensorGraph.sensor, 0), mode.interval))
    let setup = try PipelineSetup(plan, on: driver, of: sample.graph)
    #expect(driver.blanking?.lines == 612)
    let accepted = try #require(setup.acceptedInterval?.rate)
    #expect(accepted.description == "206.72")
    try setup.restore()
    #expect(driver.active == before)
    #expect(driver.blanking?.lines == 1000)
  }
}
