import CameraModel
import Cameras
import Capture
import FrameJudge
import Foundation
import SystemPackage
import Takes
import Testing
import Timebase
import USBCamera

@Suite(
  "Moving controls of the kernel's cameras", .serialized, .tags(.kernel), .needs(KernelCameras.vivid),
  .timeLimit(.minutes(15)))
struct KernelRampTests {
  /// The number of steps to wait for: an emulated machine may need seconds before the first.
  private static let enough = 8

  /// Expects each change that v4l2-ctl saw to be a step, made after the previous step and by the step's time,
  /// and the driver to have reported as many as there are steps.
  ///
  /// - Parameter least: the number of steps that v4l2-ctl was waited for.
  private func compare(_ steps: [Take.ControlChange], _ seen: [ControlWatch.Change], atLeast least: Int) {
    // The first may set the current value: drivers report only changes.
    let made = zip(steps.dropFirst(), steps).filter { $0.value != $1.value }.map { $0.0 }
    #expect(made.count > 3)
    var matched: [(event: Int, step: Int)] = []
    for change in seen {
      guard let step = made.firstIndex(where: { $0.time >= change.time }) else { continue }
      // The value of the control before the ramp, or at its first step.
      if step == 0, change.value != made[0].value { continue }
      #expect(change.value == made[step].value)
      matched.append((change.number, step))
    }
    // The kernel replaces an unread event by the next one, and their numbers show it. How many a busy machine reads is
    // chance. One of those that v4l2-ctl was waited for may be the first step.
    #expect(matched.count >= least - 1, "\(matched.count) of \(made.count)")
    #expect(Set(matched.map { $0.event - $0.step }).count == 1, "\(matched)")
  }

  /// Expects each step to be where the straight ramp was between the previous step and its own time.
  private func check(
    _ steps: [Take.ControlChange], from first: Double, to last: Double, in duration: Duration,
    since zero: Instant
  ) {
    func value(at time: Instant) -> Double {
      first + (last - first) * min(1, max(0, (time - zero) / duration))
    }
    for (step, before) in zip(steps, [zero] + steps.map(\.time)) {
      let possible = value(at: before) - 1...value(at: step.time) + 1
      #expect(possible.contains(Double(step.value)), "\(step.value) in \(possible)")
    }
  }

  private func settings(_ node: String) throws -> String {
    String(decoding: try Program.run("v4l2-ctl", ["-d", node, "-L"]).output, as: UTF8.self)
  }

  @Test("step as v4l2-ctl sees them, from the first frame on, and are restored after the take: vivid")
  func vivid() throws {
    let node = try #require(KernelCameras.vivid)
    try Program.run("v4l2-ctl", ["-d", node, "-c", "brightness=77,gain_automatic=1"])
    defer { _ = try? Program.run("v4l2-ctl", ["-d", node, "-c", "gain_automatic=1,brightness=128"]) }
    let before = try KernelCameras.settings(of: node)
    let folder = try TemporaryFolder()
    let watch = try ControlWatch(node, "brightness")
    let run = try OvercrankProgram(
      [
        "record", node, "--no-thumbnail", "--fps", "30", "--max-width", "320", "--duration", "1h",
        "--no-clip", "-o",
        folder.path("x.mp4"), "--ramp", "brightness=0s:20, 30s:220", "--ramp", "gain=0s:50",
      ]
    ) { process in
      try watch.wait(forSteps: Self.enough, from: process)
      kill(process.processIdentifier, SIGINT)
    }
    #expect(run.status == 0, "\(run.errors)")
    let seen = try watch.end()
    #expect(try KernelCameras.settings(of: node) == before)
    let take = try folder.take()
    checkTruth(take)
    #expect(take.controls["brightness"]?.from == 77)
    #expect(take.controls["gain_automatic"]?.to == 0)
    let changes = try #require(take.controlChanges)
    #expect(changes.last { $0.name == "gain" }?.value == 50)
    let steps = changes.filter { $0.name == "brightness" }
    check(steps, from: 20, to: 220, in: .seconds(30), since: try #require(take.timestamps.first))
    compare(steps, seen, atLeast: Self.enough)
  }

  @Test(
    "step as v4l2-ctl and the camera see them, and are restored after the take: a USB camera",
    .enabled(if: USBCamera.isPossible || KernelCameras.areExpected))
  func usb() throws {
    let camera = USBCamera()
    let node = try camera.plugIn()
    defer { camera.unplug() }
    let before = CameraControlName.allCases.map(camera.value(of:))
    let folder = try TemporaryFolder()
    let watch = try ControlWatch(node, "exposure_time_absolute")
    let run = try OvercrankProgram(
      [
        "record", node, "--no-thumbnail", "--fps", "30", "--format", "YUYV", "--max-width", "320",
        "--duration", "1h",
        "--no-clip", "-o", folder.path("x.mp4"), "--ramp", "exposure=0s:10, 30s:300",
      ]
    ) { process in
      try watch.wait(forSteps: Self.enough, from: process)
      kill(process.processIdentifier, SIGINT)
    }
    #expect(run.status == 0, "\(run.errors)")
    let seen = try watch.end()
    #expect(CameraControlName.allCases.map(camera.value(of:)) == before)
    let take = try folder.take()
    checkTruth(take)
    #expect(take.controls["auto_exposure"]?.to == 1)
    let steps = (take.controlChanges ?? []).filter { $0.name == "exposure_time_absolute" }
    check(steps, from: 10, to: 300, in: .seconds(30), since: try #require(take.timestamps.first))
    compare(steps, seen, atLeast: Self.enough)
  }

  @Test(
    "of a lens, sensor and debayer belong to the camera: listed, set and moved through their sub-devices",
    .needs(KernelCameras.vimc))
  func parts() throws {
    let node = try #require(KernelCameras.vimcNodes.last)
    let lens = try #require(KernelCameras.subdevice("Lens A"))
    let sensor = try #require(KernelCameras.subdevice("Sensor A"))
    let debayer = try #require(KernelCameras.subdevice("Debayer A"))
    defer { _ = try? OvercrankProgram("controls", node, "--reset") }
    struct Listed: Decodable {
      var name: String
      var max: Int64
      var items: [Item]
      struct Item: Decodable { var name: String }
    }
    let before = try [lens, sensor, debayer].map(settings)
    let list = try OvercrankProgram("controls", node, "--json").json([Listed].self)
    let printed = before.joined().matches(of: /\n *([a-z0-9_]+) 0x[0-9a-f]{8}/).map { String($0.1) }
    #expect(Set(list.map(\.name)) == Set(printed))
    #expect(list.first { $0.name == "focus_absolute" }?.max == 1023)
    #expect(list.first { $0.name == "test_pattern" }?.items.last?.name == "Noise")

    let set = try OvercrankProgram(
      "controls", node, "--set", "focus_absolute=12", "--set", "test_pattern=Noise", "--set", "brightness=9")
    #expect(set.status == 0, "\(set.errors)")
    #expect(set.output.contains("focus_absolute: 0 -> 12"))
    #expect(try settings(lens).contains("default=0 value=12"))
    #expect(try settings(sensor).contains("value=21 (Noise)"))
    #expect(try OvercrankProgram("controls", node, "--reset").status == 0)
    #expect(try [lens, sensor, debayer].map(settings) == before)
    let refused = try OvercrankProgram("controls", node, "--set", "focus_absolute=1024")
    #expect(refused.status == 64 && refused.errors.contains("0 to 1023"), "\(refused.errors)")

    let watch = try ControlWatch(lens, "focus_absolute")
    let moved = try OvercrankProgram("controls", node, "--ramp", "focus=0s:0, ease 5s:400", "--json")
    #expect(moved.status == 0, "\(moved.errors)")
    let steps = try moved.json([Take.ControlChange].self)
    #expect(steps.last?.value == 400)
    // The last event is not replaced.
    try watch.wait(for: 400)
    let seen = try watch.end()
    compare(steps, seen, atLeast: 1)
    // The first tells the initial value; each step to another value is one more.
    let (first, last) = try (#require(seen.first), #require(seen.last))
    let values = [first.value] + steps.map(\.value)
    #expect(last.number - first.number == zip(values, values.dropFirst()).count { $0 != $1 }, "\(seen)")
  }

  /// Counts frames.
  private final class Count: TakeOutput {
    private(set) var bytesWritten: Int64 = 0

    func write(
      _ frame: UnsafeRawBufferPointer, sequence: UInt32, timestampNanoseconds: Int64, isTimedAtDequeue: Bool
    ) {
      bytesWritten += Int64(frame.count)
    }
  }

  @Test(
    "step as v4l2-ctl sees them, and are restored after the take: vimc's lens",
    .needs(KernelCameras.vimc))
  func lens() async throws {
    let node = try #require(KernelCameras.vimc)
    let lens = try #require(KernelCameras.subdevice("Lens A"))
    let sensor = try #require(KernelCameras.subdevice("Sensor A"))
    try Program.run("v4l2-ctl", ["-d", lens, "-c", "focus_absolute=7"])
    defer {
      _ = try? Program.run("v4l2-ctl", ["-d", lens, "-c", "focus_absolute=0"])
      _ = try? Program.run("v4l2-ctl", ["-d", sensor, "-c", "brightness=128,contrast=128"])
    }
    let before = try [lens, sensor].map(settings)
    let watch = try ControlWatch(lens, "focus_absolute")
    let camera = CaptureDevice.camera(V4L2Camera(path: FilePath(node)))
    let mode = Mode(fourcc: "RGGB", width: 320, height: 240, interval: FrameInterval(1, 60))
    var policy = ControlPolicy(settings: [try ControlSetting(text: "brightness=9")])
    policy.ramps = [try ControlRampSetting(text: "focus=0s:100, 30s:500")]
    let plan = try camera.plan(policy, for: mode)
    var setup = SessionSetup(
      CaptureSource(camera), SessionConfiguration(mode: mode, controlChanges: plan.changes),
      SessionPlan(limit: RecordingLimit()), makeOutput: { _ in Count() })
    setup.ramps = plan.ramps
    let session = CaptureSession(setup)
    var events = session.events.makeAsyncIterator()
    try session.start()
    let end = Date(timeIntervalSinceNow: 180)
    var during = ""
    var recordings: [Recording] = []
    var (moves, othersChange) = (0, Int64?.none)
    while let event = try await events.next() {
      switch event.kind {
      case .takeStarted: during = try settings(sensor)
      case .takeEnded(_, let result): recordings.append(try result.get())
      case .controlChanged(let outcome) where outcome.change.name == "contrast":
        othersChange = outcome.after
      case .controlChanged:
        moves += 1
        // Another program changes it too.
        if moves == 1 { try Program.run("v4l2-ctl", ["-d", sensor, "-c", "contrast=3"]) }
      // The change comes ten times a second.
      case .progress:
        let isEnough = try othersChange != nil && watch.hasSeen(steps: Self.enough)
        if isEnough || Date() > end { session.commands.send(.stop) }
      default: break
      }
    }
    let recording = try #require(recordings.first)
    #expect(during.contains("brightness 0x00980900 (int)    : min=0 max=255 step=1 default=128 value=9"))
    #expect(othersChange == 3)
    try Program.run("v4l2-ctl", ["-d", sensor, "-c", "contrast=128"])
    #expect(try [lens, sensor].map(settings) == before)
    #expect(recording.context.configuration.controls["focus_absolute"]?.from == 7)
    let steps = recording.controlChanges.filter { $0.name == "focus_absolute" }
    let zero = try #require(recording.accounting.timestamps.first)
    check(steps, from: 100, to: 500, in: .seconds(30), since: zero)
    #expect(recording.controlChanges.contains { $0.name == "contrast" && $0.value == 3 })
    compare(steps, try watch.end(), atLeast: Self.enough)
  }
}
