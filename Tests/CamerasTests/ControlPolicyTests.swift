import Platform
import CameraModel
import Testing
import Timebase
import V4L2

@testable import Cameras

@Suite("What is set on a camera while it films")
struct ControlPolicyTests {
  private let interval = FrameInterval(1, 240)

  /// What `policy` set on `webcam`, by name, and the remarks.
  private func plan(_ policy: ControlPolicy, _ webcam: Webcam = Webcam()) throws -> (
    changes: [String: Int64], remarks: [String]
  ) {
    let plan = try policy.plan(for: try webcam.cameraControls(), interval: interval, of: "cam")
    return (Dictionary(uniqueKeysWithValues: plan.changes.map { ($0.name, $0.value) }), plan.remarks)
  }

  @Test(
    "of itself: automatic exposure stays on and may not lower the rate; power-line frequency is left alone")
  func usual() throws {
    let (changes, remarks) = try plan(ControlPolicy())
    #expect(changes == ["exposure_dynamic_framerate": 0])
    #expect(remarks.isEmpty)
  }

  @Test("nothing where the rate is not at stake")
  func nothing() throws {
    var webcam = Webcam()
    webcam.values[Webcam.dynamicRate] = 0
    #expect(try plan(ControlPolicy(), webcam).changes.isEmpty)
    webcam.left = Set(webcam.values.keys)
    #expect(try plan(ControlPolicy(), webcam).changes.isEmpty)
  }

  @Test("a fixed exposure longer than a frame is held to it, one that fits is not touched")
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
    "a time becomes units of 100 microseconds, held to the frame and to what the camera can",
    arguments: [("2ms", 20, ""), ("1/500", 20, ""), ("10ms", 41, "no longer"), ("50us", 3, "no shorter")])
  func time(_ text: String, _ units: Int64, _ remark: String) throws {
    let (changes, remarks) = try plan(ControlPolicy(exposure: try ExposureChoice(text: text)))
    #expect(
      changes == ["auto_exposure": 1, "exposure_time_absolute": units, "exposure_dynamic_framerate": 0])
    #expect(remarks.isEmpty == remark.isEmpty)
    if let said = remarks.first { #expect(said.contains(remark)) }
  }

  @Test("a light shines where it can, and is refused where there is none or it only flashes")
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
    #expect(error?.code == .noControl)
  }

  @Test("an exposure that moves is held to the frame on its way, unless the exposure is to be kept as it is")
  func moving() throws {
    var policy = ControlPolicy()
    policy.ramps = [try ControlRampSetting(text: "exposure=0s:10, 2s:110, 4s:30")]
    var webcam = Webcam()
    webcam.values[Webcam.exposureAuto] = 1
    let controls = try webcam.cameraControls()
    let held = try policy.plan(for: controls, interval: interval, of: "cam")
    #expect(
      held.remarks == [
        "The exposure moves up to 4.1 ms where 11 ms was asked for: a frame is no longer than that."
      ])
    #expect(!held.shortensExposure)
    #expect(held.changes.map(\.name) == ["exposure_dynamic_framerate", "exposure_time_absolute"])
    let times: [Duration] = [.zero, .milliseconds(500), .seconds(1), .seconds(2), .seconds(3), .seconds(5)]
    #expect(times.map { held.ramps[0].value(at: $0) } == [10, 35, 41, 41, 41, 30])
    // At 60 fps all of it fits.
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

  @Test("an exposure that was asked for by name is not told to be shortened")
  func byName() throws {
    var webcam = Webcam()
    webcam.values[Webcam.exposureAuto] = 1
    let (changes, remarks) = try plan(
      ControlPolicy(settings: [try ControlSetting(text: "exposure_time_absolute=300")]), webcam)
    #expect(changes == ["exposure_dynamic_framerate": 0, "exposure_time_absolute": 300])
    #expect(remarks.isEmpty)
  }

  @Test("auto turns automatic exposure on")
  func auto() throws {
    var webcam = Webcam()
    webcam.values[Webcam.exposureAuto] = 1
    #expect(try plan(ControlPolicy(exposure: .auto), webcam).changes["auto_exposure"] == 3)
    webcam.left = [Webcam.exposureAuto]
    #expect(throws: OvercrankError.self) { try plan(ControlPolicy(exposure: .auto), webcam) }
  }

  @Test("a gain turns the automatic one off, and is held to what the camera takes")
  func gain() throws {
    var webcam = Webcam()
    webcam.values = [Webcam.gain: 30, Webcam.autogain: 1, Webcam.analogueGain: 20]
    var (changes, remarks) = try plan(ControlPolicy(gain: try GainChoice(text: "40")), webcam)
    #expect(changes == ["gain": 40, "gain_automatic": 0])
    #expect(remarks.isEmpty)
    (changes, remarks) = try plan(ControlPolicy(gain: .value(1000)), webcam)
    #expect(changes["gain"] == 255)
    #expect(remarks == ["The gain is 255 where 1000 was asked for: the camera takes 16 to 255."])
    (changes, remarks) = try plan(ControlPolicy(gain: try GainChoice(text: "auto")), webcam)
    #expect(changes == ["gain_automatic": 1])
    // One that was asked for by name wins.
    let setting = try ControlSetting(text: "gain=50")
    #expect(try plan(ControlPolicy(gain: .value(40), settings: [setting]), webcam).changes["gain"] == 50)
  }

  @Test("a sensor's analogue gain will do, and a camera without any says so")
  func otherGains() throws {
    var webcam = Webcam()
    webcam.values = [Webcam.analogueGain: 20]
    #expect(try plan(ControlPolicy(gain: .value(3)), webcam).changes == ["analogue_gain": 16])
    for choice in [GainChoice.auto, .value(3)] {
      webcam.values = choice == .auto ? [Webcam.gain: 20] : [Webcam.autogain: 1]
      do throws(OvercrankError) {
        _ = try ControlPolicy(gain: choice).plan(
          for: (try? webcam.cameraControls()) ?? [], interval: interval, of: "cam")
        Issue.record("a gain was set that is not there")
      } catch {
        #expect(error.code == .noControl)
        #expect(error.description.hasPrefix("cam has no"))
      }
    }
  }

  @Test(
    "gains are read as whole numbers or auto, and nothing else", arguments: ["", "-1", "1.5", "on", "3dB"])
  func wrongGain(_ text: String) {
    #expect(throws: QuantityError.self) { try GainChoice(text: text) }
  }

  @Test("what stands is told for a verdict: a fixed exposure, and whether the rate may be lowered")
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

  @Test("keep leaves the exposure, --keep-controls leaves everything")
  func keep() throws {
    let settings = [try ControlSetting(text: "power_line_frequency=disabled")]
    #expect(
      try plan(ControlPolicy(exposure: .keep, settings: settings)).changes == ["power_line_frequency": 0])
    #expect(try plan(ControlPolicy(keepsControls: true)).changes.isEmpty)
  }

  @Test("what was asked by name wins over what is done of itself")
  func asked() throws {
    let settings = [try ControlSetting(text: "exposure_dynamic_framerate=on")]
    #expect(try plan(ControlPolicy(settings: settings)).changes == ["exposure_dynamic_framerate": 1])
  }

  @Test("a time on a camera that has no such control is an error, not a wish")
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
    "exposures are read as times of any kind, and nothing else",
    arguments: ["", "0", "-1ms", "2 ms", "on", "1/0"])
  func wrong(_ text: String) {
    #expect(throws: QuantityError.self) { try ExposureChoice(text: text) }
  }

  @Test("changes are made in the order in which they can be, whatever the order they were asked in")
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

  @Test("a control that another rules out is not set, and the error names that other")
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
