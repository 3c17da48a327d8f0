import Platform
import CameraModel
import SystemPackage
import Testing
import Timebase

@testable import Cameras
@testable import V4L2

@Suite("The setup of a media graph")
struct PipelineSetupTests {
  private func plan(_ sample: SensorGraph, _ width: UInt32 = 640, _ height: UInt32 = 480) throws
    -> PipelinePlan
  {
    var search = try #require(sample.search)
    let mode = Mode(fourcc: "RG10", width: width, height: height, interval: FrameInterval(100, 20665))
    return PipelinePlan(
      try #require(try search.configuration(for: mode)), in: sample.graph, interval: mode.interval)
  }

  @Test("restores links, formats, rectangles, intervals and colours", arguments: [false, true])
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

  @Test("restores everything if any step is refused, and the error names the step", arguments: 0..<11)
  func refused(_ index: Int) throws {
    let sample = SensorGraph(hasScaler: true)
    let before = sample.driver.active
    let plan = try plan(sample, 320, 240)
    let step = try #require(plan.steps.indices.contains(index) ? plan.steps[index] : plan.steps.last)
    sample.driver.failure = { $0 == step ? .resourceBusy : nil }
    let isNeeded = try sample.driver.current(step)?.isSame(as: step) != true
    do throws(PipelineRefusal) {
      _ = try PipelineSetup(plan, on: sample.driver, of: sample.graph)
      // A step is not carried out if an earlier one already had its effect.
      #expect(!sample.driver.done.contains(step) || !isNeeded)
    } catch {
      #expect(error.entity == sample.graph.entity(step.place.entity)?.name)
      #expect(error.pad == step.place.pad)
      #expect(error.cause?.code == .busy)
      #expect(OvercrankError(error, on: "/dev/video0").code == .busy)
    }
    #expect(sample.driver.active == before)
  }

  @Test("reports a format that differs from the requested one, and undoes it")
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
        == "imx219 4-0010, pad 0 (/dev/v4l-subdev0): asked for SRGGB10_1X10 640x480, the driver gives SRGGB10_1X10 3280x2464. Another mode may work."
    )
    #expect(error.map { OvercrankError($0, on: "/dev/video0").code } == .noMode)
    #expect(sample.driver.active == before)
  }

  @Test("reports what cannot be restored")
  func notRestored() throws {
    let sample = SensorGraph(hasScaler: true)
    let setup = try PipelineSetup(try plan(sample, 320, 240), on: sample.driver, of: sample.graph)
    sample.driver.failure = { _ in .resourceBusy }
    do throws(OvercrankError) {
      try setup.restore(on: "/dev/video0")
      Issue.record("Everything was restored.")
    } catch {
      #expect(error.code == .busy)
    }
  }

  @Test("does not repeat what is already set")
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
