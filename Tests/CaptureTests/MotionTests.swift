import Platform
import CameraModel
import Cameras
import FrameJudge
import Foundation
import Media
import SystemPackage
import Testing
import Timebase

@testable import Capture
@testable import Simulator

/// A simulated camera's scene under lamps, as motion detection sees it, in simulated time.
private struct CapturedScene: ~Copyable {
  static let (width, height) = (320, 240)
  /// The rows of strip and number, which always change.
  static let readout = FrameCounterOverlay(width: width, height: height).height
  static let region = PictureCrop(width: width, height: height - readout, x: 0, y: readout)
  static let rate: Int64 = 240

  private var picture: SimulatedPicture
  private let noise: SensorNoise
  private let lights: [Lighting]
  private var decoder: ReducedDecoder

  init(noise sigma: Double) throws {
    let codec = try #require(PixelFormat.grey.codec)
    let picture = try SimulatedPicture(format: .grey, width: Self.width, height: Self.height)
    let decoder = try ReducedDecoder(
      lumaOf: codec, width: Self.width, height: Self.height, color: .jpeg,
      size: Dimensions(width: 160, height: 120))
    self.picture = picture
    self.decoder = decoder
    noise = SensorNoise(sigma: sigma, seed: 1)
    lights = (0...100).map { Lighting(Double(max(1, $0)) / 100, model: .fullRange) }
  }

  /// Returns the brightness at `time` of a lamp with 20 % flicker, relative to its maximum.
  static func flicker(_ hertz: Double, _ time: Double, phase: Double = 0) -> Double {
    let angle = 2 * Double.pi * (hertz * time + phase)
    return (1 + 0.2 * cos(angle) + 0.03 * cos(2 * angle)) / 1.23
  }

  /// Returns the cells of the scene at `step` of its motion, in this light, with the noise of `number`.
  mutating func grid(step: UInt32, light: Double, number: UInt32) throws -> LumaGrid {
    var bytes: [UInt8] = []
    let table = lights[Int((light * 100).rounded())].luma
    picture.compose(frame: step) { frame in bytes = frame.withUnsafeBufferPointer { Array($0) } }
    bytes.withUnsafeMutableBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      var index = Self.readout * Self.width
      while index < bytes.count {
        base[index] = table[Int(base[index])]
        index += 1
      }
      for row in Self.readout..<Self.height {
        noise.add(toRow: row, of: number, base + row * Self.width, count: Self.width, step: 1, samples: 1)
      }
    }
    return LumaGrid(try decoder.decode(bytes.span))
  }
}

@Suite("Motion")
struct MotionTests {
  private let settings = MotionSettings(region: CapturedScene.region)

  private func field() throws -> MotionField {
    try MotionField(settings, width: CapturedScene.width, height: CapturedScene.height)
  }

  private func time(ofFrame number: Int64) -> Instant {
    Instant(nanoseconds: 1_000_000_000 + (number + 1) * 1_000_000_000 / CapturedScene.rate)
  }

  @Test("triggers within 50 ms of its first frame, and never before, in 200 runs with noise and flicker")
  func onsets() throws {
    var scene = try CapturedScene(noise: 4)
    let field = try field()
    var latest = Duration.zero
    for seed in UInt64(1)...200 {
      var random = SplitMix(state: seed)
      let first = Int64.random(in: 150...230, using: &random)
      let hertz = [100.0, 120.0, 99.7][Int.random(in: 0..<3, using: &random)]
      let phase = Double.random(in: 0..<1, using: &random)
      var analysis = MotionAnalysis(field, settings)
      var onset: (frame: Int64, stillUntil: Instant, score: Double)?
      // Analyses the newest frame every sixtieth of a second, up to two frames late.
      var look: Int64 = 0
      while onset == nil, look * 4 < first + 60 {
        let number = look * 4 + Int64.random(in: 0...2, using: &random)
        look += 1
        let light = CapturedScene.flicker(hertz, Double(number) / Double(CapturedScene.rate), phase: phase)
        let grid = try scene.grid(
          step: UInt32(max(0, number - first + 1)), light: light,
          number: UInt32(truncatingIfNeeded: seed &* 100_000) &+ UInt32(number))
        guard let reading = analysis.look(grid, at: time(ofFrame: number)), reading.isOnset else { continue }
        onset = (number, reading.stillUntil, reading.score)
      }
      let found = try #require(onset, "seed \(seed): motion at frame \(first) was not seen")
      try #require(found.frame >= first, "seed \(seed): triggered at \(found.frame), before \(first)")
      latest = max(latest, time(ofFrame: found.frame) - time(ofFrame: first))
      #expect(found.stillUntil < time(ofFrame: first), "seed \(seed)")
      #expect(found.score >= settings.area)
    }
    #expect(latest <= .milliseconds(50))
  }

  @Test("is never detected in five minutes of noise and flicker", arguments: [3, 4] as [UInt64])
  func fiveMinutes(_ seed: UInt64) throws {
    var scene = try CapturedScene(noise: 0)
    let still = try scene.grid(step: 0, light: 1, number: 0)
    let noise = SensorNoise(sigma: 4, seed: 2)
    let lights = (0...1000).map { Lighting(Double(max(1, $0)) / 1000, model: .fullRange).luma }
    var random = SplitMix(state: seed)
    var analysis = MotionAnalysis(try field(), settings)
    var (highest, lightChanges, onsets) = (0.0, 0, 0)
    for look in 0..<Int64(18_000) {
      let number = look * 4 + Int64.random(in: 0...2, using: &random)
      // The mains frequency is slightly off, so every phase occurs.
      let light: Double = CapturedScene.flicker(99.98, Double(number) / Double(CapturedScene.rate))
      let table = lights[Int((light * 1000).rounded())]
      var values = still.values
      values.withUnsafeMutableBufferPointer { values in
        guard let base = values.baseAddress else { return }
        var index = 0
        while index < values.count {
          base[index] = table[Int(base[index])]
          index += 1
        }
        for row in 0..<still.rows {
          noise.add(
            toRow: row, of: UInt32(number), base + row * still.columns, count: still.columns, step: 1,
            samples: 1)
        }
      }
      let grid = LumaGrid(columns: still.columns, rows: still.rows, values: values)
      guard let reading = analysis.look(grid, at: time(ofFrame: number)) else { continue }
      highest = max(highest, reading.score)
      if reading.isOnset { onsets += 1 }
      if reading.light != nil { lightChanges += 1 }
    }
    #expect(onsets == 0)
    #expect(lightChanges == 0)
    #expect(highest < settings.area / 4)
  }

  /// A change of the light, by a cell's `x` and `y` from 0 to 1 and by `progress`.
  enum Switch: String, CaseIterable {
    case even, fromTheLeft, additive, off

    func light(_ luma: Double, _ x: Double, _ y: Double, _ progress: Double) -> Double {
      switch self {
      case .even: luma * (0.4 + 0.5 * progress)
      case .fromTheLeft: luma * (0.4 + progress * (0.7 - 0.5 * x))
      case .additive: luma * 0.5 + progress * 60
      case .off: luma * (1 - 0.8 * progress)
      }
    }
  }

  @Test(
    "is not confused with a light that is switched at once or slowly, and is detected after it",
    arguments: Switch.allCases, [0, 40, 150, 400])
  func lightSwitch(_ kind: Switch, milliseconds: Int) throws {
    for countsLight in [false, true] {
      var scene = try CapturedScene(noise: 2)
      var settings = settings
      settings.countsLight = countsLight
      var analysis = MotionAnalysis(try field(), settings)
      var (onsets, changes): ([Int], [Double]) = ([], [])
      for look in 0..<150 {
        let progress = min(
          max((Double(look) / 60 - 1) * 1000 / Double(max(1, milliseconds)), look > 60 ? 0.02 : 0), 1)
        // The wheel begins to turn at two seconds, one second after the switch.
        let number = look * 4
        let grid = try scene.grid(
          step: UInt32(max(0, number - 480)), light: 1, number: UInt32(number))
        var values = grid.values
        for index in values.indices {
          let (x, y) = (Double(index % grid.columns) / 160, Double(index / grid.columns) / 120)
          values[index] = UInt8(clamping: Int(kind.light(Double(values[index]), x, y, progress).rounded()))
        }
        let lit = LumaGrid(columns: grid.columns, rows: grid.rows, values: values)
        guard let reading = analysis.look(lit, at: time(ofFrame: Int64(number))) else { continue }
        if reading.isOnset { onsets.append(look) }
        if let light = reading.light { changes.append(light) }
      }
      #expect(changes.count == 1, "\(changes)")
      #expect(changes.allSatisfy { kind == .off ? $0 < 1 : $0 > 1 })
      #expect(onsets.count == (countsLight ? 2 : 1), "\(onsets)")
      #expect(onsets.last.map { $0 > 120 && $0 <= 124 } == true, "\(onsets)")
    }
  }

  @Test("begins once, and again only after half a second of rest")
  func onceAnOnset() throws {
    var scene = try CapturedScene(noise: 2)
    var analysis = MotionAnalysis(try field(), settings)
    // Motion in the third second, in the fourth after a rest of 300 ms, and in the seventh.
    var onsets: [Int] = []
    var step: UInt32 = 0
    for look in 0..<480 {
      let time = Double(look) / 60
      if (2..<3).contains(time) || (3.3..<4).contains(time) || (6..<7).contains(time) { step += 4 }
      let grid = try scene.grid(step: step, light: 1, number: UInt32(look))
      let reading = analysis.look(grid, at: self.time(ofFrame: Int64(look * 4)))
      if reading?.isOnset == true { onsets.append(look) }
    }
    #expect(onsets.count == 2)
    #expect(onsets.first.map { (120...122).contains($0) } == true)
    #expect(onsets.last.map { (360...362).contains($0) } == true)
  }

  @Test("without rest is reported after five seconds without recording, and again after a rest")
  func restless() {
    var watch = RestWatch()
    var told: [Int] = []
    // Ten analyses a second.
    for number in 0..<300 {
      let look = FrameMotion(
        sequence: UInt32(number), timestamp: Instant(nanoseconds: Int64(number) * 100_000_000), score: 0,
        isOnset: false, isMoving: !(180..<190).contains(number), light: nil,
        stillUntil: Instant(nanoseconds: 0), map: MotionMap(columns: 1, rows: 1, changed: [0], counted: [1]))
      if watch.isOverdue(look, isRecording: (20..<60).contains(number)) { told.append(number) }
    }
    #expect(told == [110, 240])
  }

  @Test("outside the region or the mask does not count", .tags(.program), .timeLimit(.minutes(1)))
  func region() throws {
    let folder = try TemporaryFolder()
    // The mask is black where the wheel turns and the ball bounces, and white at the sides.
    try Program.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "color=white:s=320x240,drawbox=x=60:w=200:h=240:c=black:t=fill",
        "-frames:v", "1", folder.path("m.png"),
      ])
    let masked = MotionSettings(mask: FilePath(folder.path("m.png")))
    let still = MotionSettings(region: PictureCrop(width: 60, height: 160, x: 0, y: 80))
    for settings in [masked, still] {
      let field = try MotionField(settings, width: 320, height: 240)
      #expect(field.count < 160 * 120 / 2 && field.count > 1000)
      var analysis = MotionAnalysis(field, settings)
      var scene = try CapturedScene(noise: 0)
      for look in 0..<90 {
        let grid = try scene.grid(step: UInt32(look * 4), light: 1, number: 0)
        var values = grid.values
        // The number changes in the upper third, where the mask is white.
        for index in 0..<160 * 40 { values[index] = 30 }
        let reading = analysis.look(
          LumaGrid(columns: 160, rows: 120, values: values), at: time(ofFrame: Int64(look * 4)))
        #expect(reading?.score ?? 0 == 0)
      }
    }
  }

  @Test("settings survive a round trip through text, and malformed ones are refused")
  func text() throws {
    let text = "threshold:30,area:1.5%,region:640x360+16+8,mask:a.png,light:on"
    let settings = try MotionSettings(text: text)
    #expect(settings.threshold == 30 && settings.area == 0.015 && settings.countsLight)
    #expect(settings.region == PictureCrop(width: 640, height: 360, x: 16, y: 8))
    #expect(settings.mask == "a.png")
    #expect(settings.description == text)
    #expect(try MotionSettings(text: MotionSettings().description) == MotionSettings())
    #expect(try MotionSettings(text: "area:0.02").area == 0.02)
    for wrong in [
      "", "speed:1", "threshold:0", "threshold:255", "area:0", "area:101%", "area:2", "region:0x1+0+0",
      "region:10x10", "region:10x10+-1+0", "mask:", "light:maybe", "area:2%,area:3%", "threshold",
    ] {
      #expect(throws: QuantityError.self, "\(wrong)") { try MotionSettings(text: wrong) }
    }
  }

  @Test("settings that do not fit the picture are refused", .tags(.program), .timeLimit(.minutes(1)))
  func misfits() throws {
    let folder = try TemporaryFolder()
    try Program.run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "color=white:s=64x48", "-frames:v", "1", folder.path("m.png")])
    try Program.run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "color=black:s=320x240", "-frames:v", "1", folder.path("b.png")])
    try Data("no picture".utf8).write(to: URL(filePath: folder.path("t.png")))
    let mode = Mode(fourcc: "GREY", width: 320, height: 240, interval: FrameInterval(1, 240))
    func refusal(_ settings: MotionSettings) -> String? {
      do throws(OvercrankError) {
        try settings.check(for: mode)
        return nil
      } catch {
        return error.description
      }
    }
    let outside = MotionSettings(region: PictureCrop(width: 320, height: 200, x: 0, y: 41))
    #expect(refusal(outside)?.contains("320x200+0+41") == true)
    #expect(refusal(outside)?.contains("320x240+0+0") == true)
    let small = refusal(MotionSettings(mask: FilePath(folder.path("m.png"))))
    #expect(small?.contains("64x48") == true && small?.contains("320x240") == true)
    #expect(
      refusal(MotionSettings(mask: FilePath(folder.path("b.png"))))?.contains("no part of the picture")
        == true)
    #expect(refusal(MotionSettings(mask: FilePath(folder.path("t.png"))))?.contains("t.png") == true)
    #expect(refusal(MotionSettings(mask: FilePath(folder.path("none.png"))))?.contains("none.png") == true)
    #expect(refusal(settings) == nil)
  }

  @Test("is detected in a grid of limited size, however large the picture")
  func cells() {
    #expect(MotionField.size(width: 1280, height: 720) == (160, 90))
    #expect(MotionField.size(width: 1920, height: 1080) == (160, 90))
    #expect(MotionField.size(width: 640, height: 480) == (160, 120))
    #expect(MotionField.size(width: 720, height: 1280) == (90, 160))
    #expect(MotionField.size(width: 16_384, height: 1) == (160, 1))
    #expect(MotionField.size(width: 64, height: 48) == (64, 48))
  }
}

@Suite("Takes triggered by motion")
struct MotionTakeTests {
  private func event(_ stage: borrowing SessionStage, ago: Duration, stillFor: Duration) throws
    -> TriggerEvent
  {
    let (now, arrived) = (stage.now, stage.arrived)
    let shown = try #require(arrived.last { $0.timestamp <= now - ago })
    var event = TriggerEvent(.motion, at: now)
    event.frame = TriggerEvent.Frame(
      sequence: shown.number, timestamp: shown.timestamp, score: 0.125, begin: shown.timestamp - stillFor)
    event.endsTake = false
    return event
  }

  @Test("hold the pre-roll and the beginning of the motion, and record the frame's number and score")
  func preRoll() throws {
    for (pre, stillFor) in [(100, 33), (20, 60), (0, 60)] {
      let folder = try TemporaryFolder()
      var plan = SessionPlan(
        preRoll: .milliseconds(pre), limit: RecordingLimit(duration: .milliseconds(50)))
      plan.triggerDelay = .milliseconds(500)
      var stage = try SessionStage(plan: plan) { folder.path("\($0).mov") }
      for _ in 0..<100 { try stage.advance(by: .milliseconds(5)) }
      // The trigger comes 40 ms after the frame.
      let event = try event(stage, ago: .milliseconds(40), stillFor: .milliseconds(stillFor))
      let shown = try #require(event.frame)
      stage.commands.trigger(event)
      while !stage.isDone { try stage.advance(by: .milliseconds(5)) }
      let recording = try #require(stage.ended.first).get()
      let start = shown.timestamp - .milliseconds(pre == 0 ? 0 : max(pre, stillFor))
      let window = start..<shown.timestamp + .milliseconds(50)
      let expected = stage.arrived.filter { window.contains($0.timestamp) }
      #expect(Array(recording.accounting.sequences) == expected.map { Int64($0.number) })
      #expect(recording.trigger.kind == "motion")
      #expect(recording.trigger.sequence == shown.sequence)
      #expect(recording.trigger.score == 0.125)
      #expect(recording.trigger.frameTime == shown.timestamp)
    }
  }

  @Test("are extended by further motion, but never ended by it")
  func neverEnds() throws {
    let folder = try TemporaryFolder()
    var stage = try SessionStage(plan: SessionPlan(preRoll: .zero, limit: RecordingLimit())) {
      folder.path("\($0).mov")
    }
    for _ in 0..<40 { try stage.advance(by: .milliseconds(5)) }
    for _ in 0..<3 {
      stage.commands.trigger(try event(stage, ago: .milliseconds(10), stillFor: .zero))
      for _ in 0..<40 { try stage.advance(by: .milliseconds(5)) }
    }
    let isDone = stage.isDone
    #expect(!isDone)
    stage.commands.trigger(TriggerEvent(.key, at: stage.now))
    while !stage.isDone { try stage.advance(by: .milliseconds(5)) }
    let accounting = try #require(stage.ended.first).get().accounting
    #expect(accounting.written >= 143)

    var short = try SessionStage(
      plan: SessionPlan(preRoll: .zero, limit: RecordingLimit(duration: .milliseconds(100)))
    ) { folder.path("s\($0).mov") }
    for _ in 0..<40 { try short.advance(by: .milliseconds(5)) }
    short.commands.trigger(try event(short, ago: .milliseconds(10), stillFor: .zero))
    for _ in 0..<10 { try short.advance(by: .milliseconds(5)) }
    let second = try event(short, ago: .milliseconds(10), stillFor: .zero)
    short.commands.trigger(second)
    while !short.isDone { try short.advance(by: .milliseconds(5)) }
    let recording = try #require(short.ended.first).get()
    let last = try #require(recording.accounting.timestamps.last)
    let end = try #require(second.frame).timestamp + .milliseconds(100)
    #expect(last < end && last >= end - .milliseconds(5))
    #expect(recording.trigger.extensions == [second.time])
  }
}
