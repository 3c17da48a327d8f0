import CameraModel
import FrameJudge
import Foundation
import Microphones
import Platform
import Retime
import SystemPackage
import Takes
import Testing
import Timebase
import V4L2

@testable import Cameras
@testable import Capture
@testable import OvercrankCLI

/// Values that no command prints on a machine without such a device, or only by chance.
extension DescribedJSON {
  static let values: [Self] =
    [
      // Whether a disconnected microphone loses samples depends on timing.
      .value("lost-audio") { try decoded(Take.Audio.Loss.self, #"{"time_ns": 5, "samples": 1}"#) },
      .value("group") {
        TakeGroup(
          overcrank: "1.0.0",
          cameras: [
            .init(name: "A", take: "x-A.take.json"),
            .init(
              name: "B", take: "x-B.take.json", rateUncertainty: 2.5, methods: [.stamps],
              residuals: [.stamps: .nanoseconds(5)], lineTime: .nanoseconds(5000)),
          ],
          trigger: Take.Trigger(kind: "enter"),
          failed: [.init(name: "C", camera: "/dev/video4", error: "/dev/video4 is busy.")],
          clips: [.init(file: "x-slow.mp4", speed: "1/8", framesPerSecond: 30, frames: 8, held: 0)])
      },
      .value("interframe") { Take.Interframe(atRisk: 3) },
      .value("frame-run") { FrameRun(sequence: 1, count: 2) },
      .value("setting") { ControlInForce(value: 1) },
      .value("development") {
        Take.Clip.Development(
          black: 0.0626, from: "profile", profile: "imx219", whiteBalance: [1.9, 1, 1.6], matrix: nil)
      },
      .value("description") {
        ClipSpec(
          RenderSpec(
            speed: try SpeedCurve(text: "1/8"), outputRate: FrameRate(whole: 30),
            stages: try AllStageOptions.parse(
              Array(StageOptionsTests.lines.filter { $0 != ["--reverse"] }.joined())
            ).stages.with(DeinterlacingOptions.auto, PictureTurn(degrees: 90)), quality: 20, playCount: 2,
            largestSize: 10_000_000, audio: .drop, layout: .side))
      },
      .value("description") {
        ClipSpec(copy: CopySpec(speed: try SpeedCurve(text: "1/8"), turn: PictureTurn(degrees: 90)))
      },
      .value("control-change") {
        Take.ControlChange(time: Instant(nanoseconds: 5), name: "gain", value: 1)
      },
      .value("mode-change") { Take.ModeChange(from: mode, gap: .seconds(1)) },
      .value("mode-reply") {
        try decoded(
          ModeReply.self,
          #"{"outcome": "changed", "fourcc": "GREY", "width": 8, "height": 8, "time_ns": 1, "gap_ns": 2,"#
            + #""accepted_interval": [1, 30], "reason": "why"}"#)
      },
      .value("reply") {
        try decoded(TriggerReply.self, #"{"outcome": "started", "take": 1, "time_ns": 5, "sequence": 3}"#)
      },
      .value("still-reply") { try decoded(StillReply.self, #"{"id": 1, "time_ns": 5}"#) },
      .value("studio-address") { StudioReport(address: "http://127.0.0.1:1/#2", port: 1, token: "2") },
      .value("look") {
        let look = FrameMotion(
          sequence: 1, timestamp: Instant(nanoseconds: 5), score: 0.5, isOnset: true, isMoving: true,
          light: 1.5, stillUntil: Instant(nanoseconds: 1),
          map: MotionMap(columns: 2, rows: 1, changed: [0, 1], counted: [1, 1]))
        return MotionReport(look, MotionSettings(), in: mode)
      },
      .value("microphone") { try #require(microphones().first) },
      .value("device") {
        VideoNode(path: "/dev/video0", links: [], capabilities: nil, failure: nil, usb: nil)
      },
      .value("playback") {
        SimulateCommand.Report(camera: "sim:", device: "/dev/video0", mode: mode, frames: 1)
      },
      .value("table") {
        var table = try decoded(CameraTable.self, tableOfEverything)
        let rate = try FrameRate(text: "30")
        table.rows[0].measured = [MeasuredRate(asked: rate, got: rate)]
        return table
      },
      .value("control") {
        let menu = Control(id: 1, name: "Menu", kind: .menu, minimum: 0, maximum: 1, value: 0)
        return CameraControl(menu, items: [ControlMenuItem(index: 0, name: "a")])
      },
    ]
    + ProfileLibrary().entries.map { entry in
      .value("profile") {
        var profile = entry.profile
        profile.kind = .depth
        return profile
      }
    }

  private static let mode = Mode(fourcc: "MJPG", width: 8, height: 8, interval: FrameInterval(1, 30))

  private static func decoded<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(json.utf8))
  }

  /// The microphone of a machine that has one.
  private static func microphones() throws -> [MicrophoneNode] {
    let root = try TemporaryFolder(files: [
      "proc/asound/cards": " 0 [Mic            ]: USB-Audio - Mic",
      "proc/asound/pcm": "00-00: USB Audio : USB Audio : capture 1",
    ])
    return MicrophoneNode.all(in: SystemFolder(root: FilePath(root.url.path)))
  }

  private static let tableOfEverything = """
    {"card": "A", "modes": [
      {"fourcc": "GREY", "width": 8, "height": 8, "intervals": [[1, 30]]},
      {"fourcc": "GREY", "width": 8, "height": 4, "stepwise": {"min": [1, 60], "max": [1, 1], "step": [1, 60]}},
      {"fourcc": "GREY", "width": 4, "height": 8, "continuous": {"min": [1, 60], "max": [1, 1]}},
      {"fourcc": "YUYV", "size_stepwise": {"min": [8, 8], "max": [16, 16], "step": [8, 8]}, "sampled": true,
       "intervals": [[1, 30]]},
      {"fourcc": "NV12", "size_continuous": {"min": [8, 8], "max": [16, 16]}, "intervals": [[1, 30]]}],
     "graph": {"media": "/dev/media0", "driver": "d", "model": "m", "bus": "b", "chain": [1],
      "entities": [
       {"id": 1, "name": "a", "function": "sensor", "node": "/dev/v4l-subdev0", "pads": [
        {"index": 0, "flags": ["source"], "code": "Y8_1X8", "size": [8, 8], "interval": [1, 30],
         "selections": {"crop": [0, 0, 8, 8]},
         "links": [{"entity": 2, "name": "b", "pad": 0, "flags": ["enabled"]}]}]}],
      "sensor_modes": [{"code": "Y8_1X8", "min_size": [8, 8], "max_size": [8, 8], "intervals": [[1, 30]]}],
      "bus_codes": {"GREY": ["Y8_1X8"]}, "timed_by_blanking": true}}
    """
}
