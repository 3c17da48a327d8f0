import CameraModel
import Cameras
import Capture
import Overcrank
import Synchronization
import Timebase

@testable import StudioServer

/// A studio that notes its calls.
final class FakeStudio: StudioCalls {
  let calls = Mutex<[String]>([])
  let hub = StudioHub()

  private func note(_ call: String) { calls.withLock { $0.append(call) } }

  static func state(phase: StudioState.Phase = .armed, library: Int = 0) -> StudioState {
    StudioState(
      version: "1", phase: phase, camera: nil, acceptedFramesPerSecond: nil, measuredFramesPerSecond: nil,
      problem: nil, interruption: nil, settings: StudioSettings(), held: .zero, take: nil, framesLost: 0,
      ringFill: 0,
      ringSeconds: nil, disk: nil, folder: "/takes", audio: nil, motion: nil, photosInProgress: 0,
      review: nil, clips: [],
      library: library)
  }

  func state() async -> StudioState { Self.state() }
  func trigger() async throws { note("trigger") }
  func record(for duration: Duration?) async throws {
    note(duration.map { "record \($0.wholeNanoseconds)" } ?? "record")
  }
  func stop() async throws { throw StudioError(.notNow, "No take is being recorded. Record first.") }
  func resume() async throws { note("resume") }
  func arm() async throws { note("arm") }
  func photo(lit isLit: Bool, of letter: String?) async throws {
    throw StudioError(.refused, "The disk is full. Make room.")
  }
  func motionPhoto() async throws { note("motionPhoto") }
  func change(_ change: SettingsChange) async throws { note("\(change)") }
  func saveSetup(_ name: String, replacing: Bool) async throws { note("setup \(name) \(replacing)") }
  func cameras() async throws -> [StudioCamera] { StudioCamera.all() }
  func microphones() async throws -> [StudioMicrophone] { StudioMicrophone.all() }
  func useCamera(_ id: String?, _ wish: StudioModeRequest?, of letter: String?) async throws {
    note("camera \(letter.map { "\($0) " } ?? "")\(id ?? "nil") \(wish.map { "\($0)" } ?? "nil")")
  }
  func modes(of letter: String?) async throws -> [StudioMode] {
    [StudioMode(Mode(fourcc: "MJPG", width: 640, height: 480, interval: FrameInterval(1, 240)))]
  }
  func controls(of letter: String?) async throws -> [StudioControl] {
    [Self.exposure(100)].compactMap(\.self)
  }
  func setControl(
    _ name: String, to value: Int64, rate: Double?, of letter: String?
  ) async throws -> StudioControl {
    guard name == "exposure_time_absolute", let control = Self.exposure(value) else {
      throw StudioError(.notFound, "There is no control \(name).")
    }
    note("control \(value) \(rate.map { "\($0)" } ?? "nil")")
    return control
  }
  static func exposure(_ value: Int64) -> StudioControl? {
    StudioControl(
      CameraControl(
        .init(
          id: 0x9a0902, name: "Exposure Time, Absolute", minimum: 1, maximum: 5000, defaultValue: 157,
          value: value)),
      interval: .milliseconds(1000) / 240)
  }
  func preview(after: UInt32?, width: Int, of letter: String?) async throws -> StudioPicture? {
    guard (after ?? 0) < 50 else { return nil }
    return StudioPicture(
      jpeg: [0xff, 0xd8, UInt8(width & 0xff)], sequence: (after ?? 0) + 1, newest: 99,
      timestamp: Instant(nanoseconds: 7))
  }
  func reviewFrames() async throws -> StudioReviewFrames {
    StudioReviewFrames(sequence: [4, 5], time: [-5, 0])
  }
  func reviewFrame(_ index: Int, width: Int) async throws -> [UInt8] {
    guard index < 2 else { throw StudioError(.notFound, "There is no frame \(index).") }
    return [UInt8(index)]
  }
  func save(first: Int, last: Int, speed: String?, label: String?, render: RenderSpec) async throws {
    let crop = render.stages[ClipCrop.self].map { " \($0.text)" } ?? ""
    note("save \(first) \(last) \(speed ?? "nil") \(label ?? "nil")\(crop)")
  }
}

extension StudioSettings {
  /// Settings of which each differs from the usual one: `RouteTests` fails for one that is missing here.
  static func unusual() throws -> StudioSettings {
    var settings = StudioSettings()
    settings.preRoll = .nanoseconds(1_500_000_001)
    settings.postRoll = .milliseconds(700)
    settings.afterTrigger = .review
    settings.microphone = "hw:1,0"
    settings.speed = "0s:1, ease 0.2s:1/8"
    (settings.rotate, settings.mirror) = (90, true)
    settings.motion = .init(
      settings: MotionSettings(
        threshold: 30, area: 0.5, region: try MotionSettings.region(text: "64x36+2+4")),
      triggers: true)
    settings.label = "drop: \"3\" # true"
    return settings
  }
}
