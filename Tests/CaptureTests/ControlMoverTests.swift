import CameraModel
import Cameras
import Platform
import Synchronization
import Takes
import Testing
import Timebase
import V4L2

@testable import Capture

@Suite("Controls that move")
struct ControlMoverTests {
  private static let zoom: UInt32 = 0x009a_090d

  /// The camera's controls, a mover for them, and the events that it sends.
  private final class Stage: Sendable {
    let controls = HeldControls.webcam()
    let mover: ControlMover
    /// Moves while the test waits, and at no other time.
    let clock = SessionClock.virtual(VirtualClock())
    let open: OpenControls

    private final class Box: Sendable { let events = Mutex<[SessionEvent]>([]) }
    private let box = Box()

    init(ramps: [ControlRamp] = []) {
      let teller = EventBroadcaster()
      mover = ControlMover(teller, ramps: ramps, clock: clock)
      teller.listen { [box] event in box.events.withLock { $0.append(event) } }
      let mode = Mode(fourcc: "MJPG", width: 640, height: 480, interval: FrameInterval(1, 240))
      open = OpenControls(
        open: { [controls] (_) throws(OvercrankError) in ControlPort(controls, of: "sim:") },
        configuration: SessionConfiguration(mode: mode))
      mover.attach(open, listens: false)
      clock.enter()
    }

    /// Ends the mover, and restores the controls.
    func putBack() -> OvercrankError? {
      defer { clock.leave() }
      return mover.putBack([:])
    }

    var zoom: Int64? { controls.controls().first { $0.control.id == ControlMoverTests.zoom }?.control.value }

    /// Lets time pass until the last step is at `value`.
    func wait(until value: Int64) throws { try wait { $0 == value } }

    /// Lets time pass until the last step meets a condition, for at most a minute.
    func wait(until exists: (Int64?) -> Bool) throws {
      let end = clock.now + .seconds(60)
      while !exists(mover.steps().last?.value) {
        try #require(clock.now < end, "the zoom stands at \(zoom ?? 0)")
        clock.wait(until: clock.now + .milliseconds(2))
      }
    }

    var errors: [OvercrankError] {
      box.events.withLock {
        $0.compactMap { if case .error(.camera(let error)) = $0.kind { error } else { nil } }
      }
    }
    var changes: Int {
      box.events.withLock { $0.count { if case .controlChanged = $0.kind { true } else { false } } }
    }
  }

  private func control(_ stage: Stage) throws -> CameraControl {
    try #require(stage.controls.controls().first { $0.control.id == Self.zoom })
  }

  private func ramp(_ text: String, _ stage: Stage = Stage()) throws -> ControlRamp {
    try ControlRampSetting(text: text).ramp(among: stage.controls.controls(), of: "sim:")
  }

  @Test(
    "follow their curve from the start of each take, and are restored in the end"
  )
  func ramps() throws {
    let ramp = try ramp("zoom=0s:150, ease 300ms:400, 400ms:120")
    let stage = Stage(ramps: [ramp])
    for _ in 0..<2 {
      let before = stage.mover.steps().count
      let start = stage.clock.now
      stage.mover.startRamps(at: start)
      try stage.wait(until: 120)
      let steps = stage.mover.steps().dropFirst(before)
      #expect(!steps.isEmpty)
      #expect(steps.last?.value == 120)
      var last = start
      for step in steps {
        #expect(step.name == "zoom_absolute")
        #expect(step.time >= last)
        // The value was computed between the previous step and the time when the driver had accepted it.
        let possible =
          stride(
            from: (last - start).wholeNanoseconds, through: (step.time - start).wholeNanoseconds, by: 50_000
          )
          .map { ramp.value(at: .nanoseconds($0)) } + [ramp.value(at: step.time - start)]
        let bounds = (possible.min() ?? 0) - 1...(possible.max() ?? 0) + 1
        #expect(bounds.contains(step.value), "\(step.value) in \(bounds)")
        last = step.time
      }
      stage.mover.rewindRamps()
      try stage.wait(until: 150)
    }
    #expect(stage.putBack() == nil)
    #expect(stage.zoom == 100)
    #expect(stage.errors.isEmpty)
  }

  @Test("move to a target at a rate, continue to a new target from their current value, and stop on command")
  func targets() throws {
    let stage = Stage()
    let control = try control(stage)
    stage.mover.move(ControlTarget(control, to: 9999, rate: 2000))
    try stage.wait(until: 500)
    stage.mover.move(ControlTarget(control, to: 300, rate: 100))
    try stage.wait { $0 != 500 }
    stage.mover.move(ControlTarget(control, to: 480, rate: 4000))
    try stage.wait(until: 480)
    stage.mover.move(ControlTarget(control, to: 100, rate: 5))
    try stage.wait { $0 != 480 }
    stage.mover.cancel(Self.zoom)
    let rest = stage.zoom
    stage.clock.wait(until: stage.clock.now + .seconds(100))
    #expect(stage.zoom == rest && rest != 100)
    #expect(stage.putBack() == nil)
    #expect(stage.changes == stage.mover.steps().count)
    #expect(stage.zoom == 100)
  }

  @Test("have a known value for any time since the stream began, even once their steps are forgotten")
  func standing() throws {
    let stage = Stage()
    let control = try control(stage)
    let start = stage.clock.now
    for value in [300, 410] as [Int64] {
      stage.mover.set(ControlChange(id: Self.zoom, name: control.name, value: value, isRequired: true))
      try stage.wait(until: value)
    }
    let steps = stage.mover.steps()
    #expect(steps.map(\.value) == [300, 410])
    stage.clock.wait(until: stage.clock.now + .milliseconds(1))
    let now = stage.clock.now
    #expect(stage.mover.values(at: steps[0].time, since: start) == [control.name: 300])
    #expect(stage.mover.values(at: steps[0].time - .nanoseconds(1), since: start).isEmpty)
    #expect(stage.mover.values(at: now, since: start) == [control.name: 410])
    stage.mover.forgetSteps(before: now)
    #expect(stage.mover.steps().isEmpty)
    #expect(stage.mover.values(at: now, since: start) == [control.name: 410])
    // A new stream has set the controls again.
    #expect(stage.mover.values(at: now, since: now).isEmpty)
    #expect(stage.putBack() == nil)
  }

  @Test("are left to a stopping stream, which restores them itself")
  func stopped() throws {
    let stage = Stage(ramps: [try ramp("zoom=0s:150, 300ms:400")])
    stage.mover.startRamps(at: stage.clock.now)
    try stage.wait(until: 400)
    let count = stage.mover.steps().count
    stage.mover.streamStops(at: stage.clock.now)
    stage.mover.rewindRamps()
    stage.clock.wait(until: stage.clock.now + .seconds(1))
    #expect(stage.mover.steps().count == count && stage.zoom == 400)
    // A new stream.
    stage.mover.attach(stage.open, listens: false)
    stage.mover.rewindRamps()
    try stage.wait(until: 150)
    #expect(stage.putBack() == nil)
  }

  @Test("are reported missing only once per request, and move again once they are available")
  func none() throws {
    let stage = Stage()
    let control = try control(stage)
    stage.mover.attach(nil, listens: false)
    for expected in 1...2 {
      stage.mover.move(ControlTarget(control, to: 300, rate: 2000))
      try stage.wait { _ in stage.errors.count == expected }
    }
    stage.clock.wait(until: stage.clock.now + .seconds(1))
    #expect(stage.errors.map(\.code) == [.noControl, .noControl])
    #expect(stage.mover.steps().isEmpty && stage.zoom == 100)
    stage.mover.attach(stage.open, listens: false)
    stage.mover.move(ControlTarget(control, to: 300, rate: 2000))
    try stage.wait(until: 300)
    #expect(stage.putBack() == nil)
  }

  @Test("that the camera does not have are reported, and do not move")
  func absent() throws {
    let stage = Stage()
    let tilt = CameraControl(
      Control(id: 0x009a_0909, name: "Tilt, Absolute", minimum: 0, maximum: 9, value: nil))
    stage.mover.move(ControlTarget(tilt, to: 5, rate: 1))
    try stage.wait { _ in !stage.errors.isEmpty }
    #expect(stage.errors.map(\.code) == [.noControl])
    #expect(stage.mover.steps().isEmpty && stage.putBack() == nil)
  }

  @Test("stop at the first step that the camera refuses, which is reported")
  func refusedStep() throws {
    let stage = Stage(ramps: [try ramp("zoom=0s:150, 300ms:400")])
    // A camera that came back without a zoom.
    let open = OpenControls(
      open: { (_) throws(OvercrankError) in ControlPort(HeldControls([]), of: "sim:") },
      configuration: stage.open.configuration)
    stage.mover.attach(open, listens: false)
    stage.mover.startRamps(at: stage.clock.now)
    try stage.wait { _ in !stage.errors.isEmpty }
    stage.clock.wait(until: stage.clock.now + .seconds(1))
    #expect(stage.errors.map(\.code) == [.noControl])
    #expect(stage.mover.steps().isEmpty && stage.putBack() == nil)
  }

  @Test("have a value at each time, eased or not")
  func values() throws {
    let plain = try ramp("zoom=1s:100, 3s:300, 3s:200, ease 4s:400")
    for (milliseconds, value) in [
      (0, 100), (1000, 100), (2000, 200), (2500, 250), (3000, 200), (3250, 231), (3500, 300), (4000, 400),
      (9000, 400),
    ] as [(Int, Int64)] {
      #expect(plain.value(at: .milliseconds(milliseconds)) == value, "\(milliseconds)")
    }
    let down = ControlCourse.target(10, rate: 20, value: 50, start: Instant(nanoseconds: 0))
    #expect(down.value(at: Instant(nanoseconds: 1_000_000_000)) == 30)
    #expect(down.value(at: Instant(nanoseconds: 9_000_000_000)) == 10)
    #expect(!down.isOver(at: Instant(nanoseconds: 1)) && down.isOver(at: .distantFuture))
  }

  @Test(
    "are refused if malformed, and the error names what is possible",
    arguments: [
      ("zoom=0s:99", "100 to 500"), ("zoom=0s:100, 1s:501", "100 to 500"),
      ("tilt=0s:1", "no control \"tilt\""),
      ("zoom_absolut=0s:1", "zoom_absolute"), ("auto_exposure=0s:1", "whole number"),
      ("zoom=0s:high", "2s:400"), ("zoom=", "ease 2s:400"), ("zoom=1s:100, 0s:200", "order of time"),
      ("zoom=ease 1s:100", "cannot be eased"), ("zoom=0s:100, 1s", "is not a point"), ("=0s:1", "zoom="),
    ])
  func refusals(_ text: String, _ words: String) {
    do {
      _ = try ramp(text)
      Issue.record("\(text) was accepted")
    } catch {
      #expect("\(error)".contains(words), "\(error)")
    }
  }
}
