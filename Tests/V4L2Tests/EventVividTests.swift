import FrameJudge
import SystemPackage
import Testing
import V4L2

@Suite("Events of the kernel's test camera", .serialized, .tags(.kernel), .needs(KernelCameras.vivid))
struct EventVividTests {
  private let node = KernelCameras.vivid ?? ""
  /// `V4L2_CID_BRIGHTNESS`.
  private let brightness: UInt32 = 0x0098_0900

  /// The change in `event`, which must be of a control.
  private func change(_ event: Event?) throws -> ControlChangeEvent {
    let event = try #require(event)
    if case .control(let change) = event.payload { return change }
    return try #require(nil as ControlChangeEvent?, "\(event) is no change of a control")
  }

  @Test("report a control that another program sets: which, and its value")
  func control() throws {
    let device = try Device(path: FilePath(node))
    let other = try Device(path: FilePath(node))
    let before = try #require(other.control(brightness)?.value)
    let none = try device.nextEvent()
    #expect(none == nil)
    try device.subscribe(to: .control(brightness))
    try other.setControl(brightness, to: 77)
    let first = try device.nextEvent(within: .seconds(5))
    #expect(first?.id == brightness)
    #expect(first?.pendingCount == 0)
    let change = try change(first)
    #expect(change.changes == .value)
    #expect(change.value == 77)
    #expect(change.kind == .integer)
    #expect(change.minimum == 0 && change.maximum == 255)
    try other.setControl(brightness, to: before)
    let second = try device.nextEvent(within: .seconds(5))
    #expect(try self.change(second).value == before)
    #expect(second?.sequence == first.map { $0.sequence + 1 })
    #expect(try #require(second).timestamp > #require(first).timestamp)
  }

  @Test("report one's own changes, and the initial value, only on request")
  func feedback() throws {
    let device = try Device(path: FilePath(node))
    let before = try #require(device.control(brightness)?.value)
    defer { try? device.setControl(brightness, to: before) }
    try device.subscribe(to: .control(brightness))
    try device.setControl(brightness, to: 33)
    let silent = try device.nextEvent()
    #expect(silent == nil)
    try device.unsubscribe(from: .control(brightness))

    try device.subscribe(to: .control(brightness, sendsInitial: true, allowsFeedback: true))
    let initial = try device.nextEvent()
    #expect(try change(initial).value == 33)
    try device.setControl(brightness, to: 44)
    let own = try device.nextEvent()
    #expect(try change(own).value == 44)

    try device.unsubscribeFromAll()
    try device.setControl(brightness, to: 55)
    let after = try device.nextEvent()
    #expect(after == nil)
  }

  @Test("arrive between frames, through the same descriptor")
  func whileStreaming() throws {
    let other = try Device(path: FilePath(node))
    let before = try #require(other.control(brightness)?.value)
    defer { try? other.setControl(brightness, to: before) }
    var queue = try Device(path: FilePath(node)).configure(.yuyv, width: 320, height: 180, interval: nil)
      .requestBuffers(count: 4)
    try queue.device.subscribe(to: .control(brightness))
    try queue.start()
    #expect(try queue.read())
    try other.setControl(brightness, to: 66)
    let event = try queue.device.nextEvent(within: .seconds(5))
    #expect(try change(event).value == 66)
    #expect(try queue.read())
    try queue.stop()
  }

  @Test(
    "report a lost signal, and its input",
    .enabled(if: KernelCameras.vividInputs.count == 4))
  func sourceChange() throws {
    let device = try Device(path: FilePath(node))
    let inputs = try device.inputs().collect()
    let hdmi = try #require(inputs.first { $0.name.hasPrefix("HDMI") }).index
    // Its signal's control has an effect only there.
    try device.setInput(hdmi)
    let faults = FaultyVivid(node)
    defer {
      try? faults.set("dv_timings_signal_mode", to: 0)
      try? device.setInput(0)
    }
    try device.subscribe(to: .sourceChange(ofInput: hdmi))
    try faults.set("dv_timings_signal_mode", to: 1)
    let event = try #require(try device.nextEvent(within: .seconds(5)))
    #expect(event.id == hdmi)
    #expect(event.payload == .sourceChange(.resolution))
  }

  @Test("that the driver does not support are refused: vivid has no end of a stream")
  func unsupported() throws {
    let device = try Device(path: FilePath(node))
    for subscription in [EventSubscription.endOfStream, .control(0x0098_ffff)] {
      do throws(V4L2Error) {
        try device.subscribe(to: subscription)
        Issue.record("\(subscription) was taken")
      } catch {
        #expect(error.code == .unsupported)
        #expect(error.call == "VIDIOC_SUBSCRIBE_EVENT")
        #expect(error.description.contains("does not report these events"))
      }
    }
  }
}
