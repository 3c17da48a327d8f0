import Platform
import CameraModel
import SystemPackage
import Testing
import Timebase

@testable import Cameras
@testable import V4L2

@Suite("A graph is set up as planned, or left as it was")
struct PipelineSetupTests {
  private func plan(_ sample: SensorGraph, _ width: UInt32 = 640, _ height: UInt32 = 480) throws
    -> PipelinePlan
  {
    var search = try #require(sample.search)
    let mode = Mode(fourcc: "RG10", width: width, height: height, interval: FrameInterval(100, 20665))
    return PipelinePlan(
      try #require(try search.configuration(for: mode)), in: sample.graph, interval: mode.interval)
  }

  @Test("links, formats, rectangles, intervals and colors come back", arguments: [false, true])
  func restored(_ isDropped: Bool) throws {
    let sample = SensorGraph(hasScaler: true)
    let before = sample.driver.active
    let setup = try PipelineSetup(try plan(sample, 320, 240), on: sample.driver, of: sample.graph)
    #expect(sample.driver.active != before)
    #expect(setup.acceptedInterval == FrameInterval(100, 20665))
    #expect(
      sample.driver.active.formats[SensorGraph.pad(SensorGraph.scaler, 1)]?.size
        == Dimensions(width: 320, height: 240))
    if isDropped { _ = consume setup } else { try setup.restore() }
    #expect(sample.driver.active == before)
  }

  @Test("whatever step is refused, all is as before, and the error names it", arguments: 0..<11)
  func refused(_ index: Int) throws {
    let sample = SensorGraph(hasScaler: true)
    let before = sample.driver.active
    let plan = try plan(sample, 320, 240)
    let step = try #require(plan.steps.indices.contains(index) ? plan.steps[index] : plan.steps.last)
    sample.driver.failure = { $0 == step ? .resourceBusy : nil }
    let isNeeded = try sample.driver.current(step)?.isSame(as: step) != true
    do throws(PipelineRefusal) {
      _ = try PipelineSetup(plan, on: sample.driver, of: sample.graph)
      // What a step before it brought about is not asked for once more.
      #expect(!sample.driver.done.contains(step) || !isNeeded)
    } catch {
      #expect(error.entity == sample.graph.entity(step.place.entity)?.name)
      #expect(error.pad == step.place.pad)
      #expect(error.cause?.code == .busy)
      #expect(OvercrankError(error, on: "/dev/video0").code == .busy)
    }
    #expect(sample.driver.active == before)
  }

  @Test("another format than was asked is told with what was given, and undone")
  func changed() throws {
    let sample = SensorGraph(hasScaler: false)
    let before = sample.driver.active
    let plan = try plan(sample)
    sample.driver.change = { format in
      var format = format
      if format.size.width == 640 { format.size = SensorGraph.modes[0].format.size }
      return format
    }
    let error = #expect(throws: PipelineRefusal.self) {
      _ = try PipelineSetup(plan, on: sample.driver, of: sample.graph)
    }
    #expect(
      error?.description
        == "imx219 4-0010, pad 0 (/dev/v4l-subdev0): asked for SRGGB10_1X10 640x480, the driver gives SRGGB10_1X10 3280x2464. Another mode may pass."
    )
    #expect(error.map { OvercrankError($0, on: "/dev/video0").code } == .noMode)
    #expect(sample.driver.active == before)
  }

  @Test("what is set already is not set again")
  func twice() throws {
    let sample = SensorGraph(hasScaler: true)
    let first = try PipelineSetup(try plan(sample, 320, 240), on: sample.driver, of: sample.graph)
    let count = sample.driver.done.count
    let second = try PipelineSetup(try plan(sample, 320, 240), on: sample.driver, of: sample.graph)
    #expect(sample.driver.done.count == count)
    try second.restore()
    #expect(sample.driver.done.count == count)
    try first.restore()
  }
}
