import Platform
import CameraModel
import Testing
import Timebase
import V4L2

@testable import Cameras

@Suite("The policy for a camera's controls")
struct ControlPolicyTests {
  private let interval = FrameInterval(1, 240)

  /// Returns the changes that `policy` makes to `webcam`, by name, and the remarks.
  private func plan(_ policy: ControlPolicy, _ webcam: Webcam = Webcam()) throws -> (
    changes: [String: Int64], remarks: [String]
  ) {
    let plan = try policy.plan(for: try webcam.cameraControls(), interval: interval, of: "cam")
    return (Dictionary(uniqueKeysWithValues: plan.changes.map { ($0.name, $0.value) }), plan.remarks)
  }

  @Test(
    "by default, keeps automatic exposure but holds it to the rate, and keeps the power-line frequency")
  func usual() throws {
    let (changes, remarks) = try plan(ControlPolicy())
    #expect(changes == ["exposure_dynamic_framerate": 0])
    #expect(remarks.isEmpty)
  }

  @Test("changes nothing if nothing can lower the rate")
  func nothing() throws {
    var webcam = Webcam()
    webcam.values[Webcam.dynamicRate] = 0
    #expect(try plan(ControlPolicy(), webcam).changes.isEmpty)
    webcam.left = Set(webcam.values.keys)
    #expect(try plan(ControlPolicy(), webcam).changes.isEmpty)
  }

  @Test("shortens a fixed exposure that is longer than a frame, and keeps one that fits")
  func fixed() throws {
    var webcam = Webcam()
    webcam.values[Webcam.exposureAuto] = 1
    var (changes, remarks) = try plan(ControlPolicy(), webcam)
    #expect(changes == ["exposure_dynamic_framerate": 0, "exposure_time_absolute": 41])
    #expect(remarks.count == 1 && remarks[0].contains("25 ms") && remarks[0].contains("4.1 ms"))
    webcam.values[Webcam.exposureTime] = 41
    (changes, remarks) = try plan(ControlPolicy(), webcam)
    #expect(changes == ["exposure_dynamic_framerate": 0])
    #expect(remarks.isEmpty)
  }

  @Test(
    "sets an exposure time in units of 100 microseconds, within the frame and the camera's range",
    arguments: [
      ("2ms", 20, ""), ("1/500", 20, ""), ("10ms", 41, "no longer"), ("50us", 3, "shortest exposure"),
    ])
  func time(_ text: String, _ units: Int64, _ remark: String) throws {
    let (changes, remarks) = try plan(ControlPolicy(exposure: try ExposureChoice(text: text)))
    #expect(
      changes == ["auto_exposure": 1, "exposure_time_absolute": units, "exposure_dynamic_framerate": 0])
    #expect(remarks.isEmpty == remark.isEmpty)
    if let said = remarks.first { #expect(said.contains(remark)) }
  }

  @Test("switches a light on, and is refused if there is none or it only flashes")
  func light() throws {
    var policy = ControlPolicy(exposure: .keep)
    policy.isLit = true
    var webcam = Webcam()
    webcam.values[Webcam.flashLEDMode] = 0
    #expect(try plan(policy, webcam).changes["led_mode"] == 2)
    webcam.lightModes.removeLast()
    webcam.lightModes.append(ControlMenuItem(index: 1, name: "Flash"))
    var error = #expect(throws: OvercrankError.self) { try plan(policy, webcam) }
    #expect(error?.code == .noControl && error?.description.contains("only flashes") == true)
    error = #expect(throws: OvercrankError.self) { try plan(policy) }
    #expect(
      error?.code == .noControl && error?.description.contains("no light that can be switched on") == true)
  }

  @Test(
    "switches the light of each kind of simulated camera on, and back off", arguments: CameraLight.allCases)
  func simulatedLight(kind: CameraLight) throws {
    let controls = HeldControls.webcam().having(kind)
    var plan = ControlPlan()
    guard kind != .flash else {
      #expect(throws: OvercrankError.self) { try plan.light(controls.controls(), of: "cam") }
      return
    }
    try plan.light(controls.controls(), of: "cam")
    let stream = controls.separate()
    #expect(!controls.isLit)
    #expect(stream.set(plan.changes, on: "cam").map(\.failure) == [nil])
    // It is one light, whatever copy of the controls switches it.
    #expect(stream.isLit && controls.isLit)
    #expect(!controls.separate().isLit && !stream.isLit)
  }

  @Test("limits a moving exposure to the frame, unless the exposure is keep")
  func moving() throws {
    var policy = ControlPolicy()
    policy.ramps = [try ControlRampSetting(text: "exposure=0s:10, 2s:110, 4s:30")]
    var webcam = Webcam()
    webcam.values[Webcam.exposureAuto] = 1
    let controls = try webcam.cameraControls()
    let held = try policy.plan(for: controls, interval: interval, of: "cam")
    #expect(
      held.remarks == [
        "The exposure moves only up to 4.1 ms instead of 11 ms: a frame is no longer than that."
      ])
    #expect(!held.shortensExposure)
    #expect(held.changes.map(\.name) == ["exposure_dynamic_framerate", "exposure_time_absolute"])
    let times: [Duration] = [.zero, .milliseconds(500), .seconds(1), .seconds(2), .seconds(3), .seconds(5)]
    #expect(times.map { held.ramps[0].value(at: $0) } == [10, 35, 41, 41, 41, 30])
    // At 60 fps, the whole ramp fits.
    let fits = try policy.plan(for: controls, interval: FrameInterval(1, 60), of: "cam")
    #expect(fits.remarks.isEmpty)
    #expect(times.map { fits.ramps[0].value(at: $0) } == [10, 35, 60, 110, 70, 30])
    policy.exposure = .keep
    let kept = try policy.plan(for: controls, interval: interval, of: "cam")
    #expect(kept.remarks.isEmpty && kept.ramps[0].value(at: .seconds(2)) == 110)
    policy.exposure = nil
    policy.ramps = [try ControlRampSetting(text: "exposure=0s:100, 1s:20")]
    let late = try policy.plan(for: controls, interval: interval, of: "cam")
    #expect(late.changes.last?.value == 41)
  }

  @Test("does not shorten an exposure that was set by the control's name")
  func byName() throws {
    var webcam = Webcam()
    webcam.values[Webcam.exposureAuto] = 1
    let (changes, remarks) = try plan(
      ControlPolicy(settings: [try ControlSetting(text: "exposure_time_absolute=300")]), webcam)
    #expect(changes == ["exposure_dynamic_framerate": 0, "exposure_time_absolute": 300])
    #expect(remarks.isEmpty)
  }

  @Test("switches automatic exposure on if the exposure is auto")
  func auto() throws {
    var webcam = Webcam()
    webcam.values[Webcam.exposureAuto] = 1
    #expect(try plan(ControlPolicy(exposure: .auto), webcam).changes["auto_exposure"] == 3)
    webcam.left = [Webcam.exposureAuto]
    #expect(throws: OvercrankError.self) { try plan(ControlPolicy(exposure: .auto), webcam) }
  }

  @Test("switches automatic gain off for a fixed gain, and limits that to the camera's range")
  func gain() throws {
    var webcam = Webcam()
    webcam.values = [Webcam.gain: 30, Webcam.autogain: 1, Webcam.analogueGain: 20]
    var (changes, remarks) = try plan(ControlPolicy(gain: try GainChoice(text: "40")), webcam)
    #expect(changes == ["gain": 40, "gain_automatic": 0])
    #expect(remarks.isEmpty)
    (changes, remarks) = try plan(ControlPolicy(gain: .value(1000)), webcam)
    #expect(changes["gain"] == 255)
    #expect(remarks == ["The gain is 255 instead of 1000: the camera takes 16 to 255."])
    (changes, remarks) = try plan(ControlPolicy(gain: try GainChoice(text: "auto")), webcam)
    #expect(changes == ["gain_automatic": 1])
    // A gain set by the control's name wins.
    let setting = try ControlSetting(text: "gain=50")
    #expect(try plan(ControlPolicy(gain: .value(40), settings: [setting]), webcam).changes["gain"] == 50)
  }

  @Test("falls back to a sensor's analogue gain, and is refused if the camera has no gain")
  func otherGains() throws {
    var webcam = Webcam()
    webcam.values = [Webcam.analogueGain: 20]
    #expect(try plan(ControlPolicy(gain: .value(3)), webcam).changes == ["analogue_gain": 16])
    for choice in [GainChoice.auto, .value(3)] {
      webcam.values = choice == .auto ? [Webcam.gain: 20] : [Webcam.autogain: 1]
      do throws(OvercrankError) {
        _ = try ControlPolicy(gain: choice).plan(
          for: (try? webcam.cameraControls()) ?? [], interval: interval, of: "cam")
        Issue.record("a gain was set on a camera without one")
      } catch {
        #expect(error.code == .noControl)
        #expect(error.description.hasPrefix("cam has no"))
      }
    }
  }

  @Test(
    "accepts only whole numbers or auto as a gain", arguments: ["", "-1", "1.5", "on", "3dB"])
  func wrongGain(_ text: String) {
    #expect(throws: QuantityError.self) { try GainChoice(text: text) }
  }

  @Test("makes the configuration show a fixed exposure, and whether the rate may be lowered")
  func inForce() {
    var configuration = StreamConfiguration(
      FrameFormat(.mjpeg, width: 8, height: 8, clock: .monotonic), largestFrame: 1, bufferCount: 4)
    #expect(configuration.fixedExposure == nil && configuration.mayLowerRate == nil)
    configuration.controls = [
      "auto_exposure": .init(value: 1), "exposure_time_absolute": .init(value: 250),
      "exposure_dynamic_framerate": .init(value: 0),
    ]
    #expect(configuration.fixedExposure == .milliseconds(25))
    #expect(configuration.mayLowerRate == false)
    configuration.controls["auto_exposure"] = .init(value: 3)
    #expect(configuration.fixedExposure == nil)
    // Names of older kernels, and a value that no sensor has.
    configuration.controls = [
      "exposure_auto": .init(value: 1), "exposure_absolute": .init(value: .max),
      "exposure_auto_priority": .init(value: 1),
    ]
    #expect(configuration.fixedExposure == nil)
    #expect(configuration.mayLowerRate == true)
  }

  @Test("leaves the exposure alone with keep, and everything with --keep-controls")
  func keep() throws {
    let settings = [try ControlSetting(text: "power_line_frequency=disabled")]
    #expect(
      try plan(ControlPolicy(exposure: .keep, settings: settings)).changes == ["power_line_frequency": 0])
    #expect(try plan(ControlPolicy(keepsControls: true)).changes.isEmpty)
  }

  @Test("follows a setting by name rather than the default")
  func asked() throws {
    let settings = [try ControlSetting(text: "exposure_dynamic_framerate=on")]
    #expect(try plan(ControlPolicy(settings: settings)).changes == ["exposure_dynamic_framerate": 1])
  }

  @Test("is refused for an exposure time if the camera has no control for it")
  func impossible() throws {
    var webcam = Webcam()
    webcam.left = [Webcam.exposureTime]
    do throws(OvercrankError) {
      _ = try ControlPolicy(exposure: .time(.milliseconds(2))).plan(
        for: [], interval: interval, of: "/dev/video9")
      Issue.record("a camera without controls was given an exposure")
    } catch {
      #expect(error.code == .noControl)
      #expect(error.description.hasPrefix("/dev/video9 has no exposure time"))
    }
  }

  @Test(
    "accepts only times, auto or keep as an exposure",
    arguments: ["", "0", "-1ms", "2 ms", "on", "1/0"])
  func wrong(_ text: String) {
    #expect(throws: QuantityError.self) { try ExposureChoice(text: text) }
  }

  @Test("makes changes in an order that works, whatever the order of the request")
  func order() throws {
    var webcam = Webcam()
    let controls = try webcam.cameraControls()
    let changes = try ["exposure_time_absolute=20", "auto_exposure=Manual Mode"].map {
      try ControlSetting(text: $0).change(among: controls, of: "cam")
    }
    let outcomes = webcam.make(changes, on: "cam")
    #expect(webcam.log == [Webcam.exposureAuto, Webcam.exposureTime])
    #expect(outcomes.map(\.before) == [3, 250])
    #expect(outcomes.map(\.after) == [1, 20])
    #expect(outcomes.allSatisfy { $0.failure == nil })
    let force = webcam.controlsInForce(after: outcomes)
    #expect(force["exposure_time_absolute"] == ControlInForce(value: 20, from: 250, to: 20))
    #expect(force["power_line_frequency"] == ControlInForce(value: 1))
  }

  @Test("does not set a control that another one disables, and the error names the other one")
  func inactive() throws {
    var webcam = Webcam()
    let change = try ControlSetting(text: "exposure_time_absolute=20")
      .change(among: try webcam.cameraControls(), of: "cam")
    let outcome = try #require(webcam.make([change], on: "cam").first)
    #expect(webcam.log.isEmpty)
    #expect(outcome.failure?.code == .noControl)
    #expect(
      outcome.failure?.description
        == "cam: exposure_time_absolute has no effect while auto_exposure is 3 (Aperture Priority Mode). Set auto_exposure=1 as well."
    )
  }
}
