import FrameJudge
import Foundation
import Testing

@Suite("A phone's video states how fast it was captured", .tags(.program), .timeLimit(.minutes(1)))
struct PhoneVideoTests {
  let folder: TemporaryFolder
  /// 240 frames captured in a second, played in a second.
  let fast: String
  /// The same frames at 30 a second, as phones write slow motion.
  let slow: String

  /// Both, before a test changes them.
  private static let videos = Result { () throws -> TemporaryFolder in
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--frames", "240", "--no-clip", "--no-thumbnail", "-o",
      folder.path("x.mp4"))
    try #require(run.status == 0, "\(run.errors)")
    for (name, scale) in [("fast.mov", "1"), ("slow.mov", "8")] {
      try Program.ffmpeg(
        "-itsscale", scale, "-i", folder.path("x.master.mov"), "-c", "copy", "-map_metadata", "-1", "-fflags",
        "+bitexact", folder.path(name))
    }
    return folder
  }

  init() throws {
    folder = try TemporaryFolder()
    (fast, slow) = (folder.path("fast.mov"), folder.path("slow.mov"))
    for name in ["fast.mov", "slow.mov"] {
      try FileManager.default.copyItem(atPath: Self.videos.get().path(name), toPath: folder.path(name))
    }
  }

  /// Renders a clip of 30 fps and returns the frames that it shows.
  private func clip(_ video: String, _ options: String...) throws -> (numbers: [UInt32], errors: String) {
    let path = folder.path("clip.mp4")
    let run = try OvercrankProgram(
      ["retime", video, "--clip-fps", "30", "--preset", "ultrafast", "--force", "-o", path] + options)
    #expect(run.status == 0, "\(run.errors)")
    let video = try StripVideo(path)
    return (video.numbers.compactMap(\.self), run.errors)
  }

  /// Every `step`th of the 240 frames; the video's first is 0.
  private func every(_ step: Int) -> [UInt32] { stride(from: 0, to: 240, by: step).map { UInt32($0) } }

  @Test("in com.android.capture.fps: at 30 fps it is slow already, at 240 it is not")
  func android() throws {
    for video in [slow, fast] {
      try PhoneBoxes.add(PhoneBoxes.captureRate(240), toIndexOf: video)
      // Another program finds it too.
      #expect(try Probe(video).format.tags?["com.android.capture.fps"] == "240.000000")
      let eighth = try clip(video, "--speed", "1/8")
      // ffmpeg keeps the original duration of the slow video's last frame.
      #expect(eighth.numbers.prefix(239) == every(1).prefix(239))
      #expect(
        eighth.errors
          == (video == fast
            ? ""
            : "\(video): already plays at 1/8, according to its com.android.capture.fps of 240 fps. --speed is "
              + "relative to real time.\n"))
      #expect(try clip(video, "--speed", "1").numbers == every(8))
      #expect(try clip(video, "--speed", "1/2", "--in", "0.5s").numbers == every(4).filter { $0 >= 120 })
    }
  }

  @Test("and a copy has the requested speed too, and states its rate if it plays at full speed")
  func copied() throws {
    try PhoneBoxes.add(PhoneBoxes.captureRate(240), toIndexOf: slow)
    let path = folder.path("copy.mov")
    for (speed, seconds) in [("1/16", 16.0), ("1", 1)] {
      let run = try OvercrankProgram("retime", slow, "--copy", "--speed", speed, "--force", "-o", path)
      #expect(run.status == 0, "\(run.errors)")
      let probe = try Probe(path)
      #expect(abs((probe.format.duration.flatMap(Double.init) ?? 0) - seconds) < 0.1)
      let tag = probe.format.tags?["com.android.capture.fps"].flatMap(Double.init)
      #expect(speed == "1" ? tag.map { abs($0 - 240) < 0.5 } == true : tag == nil)
    }
  }

  @Test("in Samsung's saut", arguments: [(UInt8(12), UInt32?.none), (21, 240 << 16), (13, nil)])
  func samsung(mode: UInt8, rate: UInt32?) throws {
    try PhoneBoxes.add(PhoneBoxes.samsung(mode: mode, rate: rate), toIndexOf: slow)
    // A quarter, where the file says 120.
    let step = mode == 13 ? 4 : 8
    #expect(try clip(slow, "--speed", "1").numbers == every(step))
  }

  @Test("and --speed source is the ramp that a Samsung stored")
  func samsungRamp() throws {
    try PhoneBoxes.add(PhoneBoxes.samsung(mode: 12), toIndexOf: slow)
    // From 2 to 6 s of 8, which is from a quarter to three quarters of a second of capture time, at an eighth.
    try PhoneBoxes.append(PhoneBoxes.trailer("SlowMotion_Data", "2000:6000:4"), to: slow)
    let ramp = try clip(slow, "--speed", "source")
    // 7.5 frames on either side, every eighth; each once between.
    #expect(ramp.numbers.count == 135)
    #expect(ramp.numbers.filter { (61..<179).contains($0) } == every(1).filter { (61..<179).contains($0) })
    #expect(Array(ramp.numbers.prefix(7)) == Array(every(8).prefix(7)))
    let facts = try OvercrankProgram("show", slow, "--json")
    let shown = try #require(
      try JSONSerialization.jsonObject(with: Data(facts.output.utf8)) as? [String: Any])
    #expect((shown["capture_fps"] as? Double).map { abs($0 - 240) < 0.01 } == true)
    #expect(shown["capture_fps_from"] as? String == "samsung")
    #expect(shown["speed"] as? String == "1/8")
    #expect(shown["ramp"] as? String == "0s:1, 0.25s:1, 0.25s:1/8, 0.75s:1/8, 0.75s:1")
  }

  @Test("in the sidecar of Apple's Photos, whose ramp is --speed source too")
  func apple() throws {
    try PhoneBoxes.sidecar.write(toFile: folder.path("fast.AAE"), atomically: true, encoding: .utf8)
    let shown = try OvercrankProgram("show", fast)
    #expect(shown.output.contains("0.446666667s:1/8, 1.675s:1/8"), "\(shown.output)")
    #expect(
      shown.output.contains("at 240 fps, plays at 1, according to its sidecar (AAE)"), "\(shown.output)")
    let ramp = try clip(fast, "--speed", "film")
    #expect(ramp.numbers.filter { $0 >= 108 } == every(1).filter { $0 >= 108 })
    // A sidecar with other edits states nothing.
    let other = PhoneBoxes.sidecar.replacing("com.apple.video.slomo", with: "com.apple.photo")
    try other.write(toFile: folder.path("fast.AAE"), atomically: true, encoding: .utf8)
    let none = try OvercrankProgram("retime", fast, "--speed", "source", "-o", folder.path("y.mp4"))
    #expect(none.status == 65 && none.errors.contains("has no ramp from a phone"), "\(none.errors)")
  }

  @Test("and a clip along a curve states the curve, even without its take")
  func curve() throws {
    _ = try clip(fast, "--speed", "0s:1, 0.5s:1/8, ease 1s:1")
    let shown = try OvercrankProgram("show", folder.path("clip.mp4"))
    #expect(shown.output.contains("  curve      0s:1, 0.5s:1/8, ease 1s:1\n"), "\(shown.output)")
    #expect(!shown.output.contains("captured"), "\(shown.output)")
    let facts = try OvercrankProgram("show", folder.path("clip.mp4"), "--json")
    let json = try #require(try JSONSerialization.jsonObject(with: Data(facts.output.utf8)) as? [String: Any])
    #expect(json["curve"] as? String == "0s:1, 0.5s:1/8, ease 1s:1" && json["speed"] is NSNull)
  }

  @Test("or is treated as real-time video, unless --capture-rate is given")
  func silent() throws {
    let real = try clip(slow, "--speed", "1")
    #expect(real.numbers.prefix(239) == every(1).prefix(239))
    #expect(
      real.errors
        == "\(slow): does not state how fast it was captured, so it is treated as real-time video of 30 fps. "
        + "--capture-rate overrides this.\n")
    #expect(try clip(slow, "--speed", "1", "--capture-rate", "240").numbers == every(8))
    // No player shows so many frames a second, so they were captured at this rate.
    let known = try clip(fast, "--speed", "1")
    #expect(known.numbers == every(8) && known.errors.isEmpty)
    // It takes precedence over a tag.
    try PhoneBoxes.add(PhoneBoxes.captureRate(240), toIndexOf: slow)
    #expect(try clip(slow, "--speed", "1", "--capture-rate", "60").numbers == every(2))
  }

  @Test("and a wrong or contradictory statement is reported and ignored")
  func wrong() throws {
    func video(_ boxes: [UInt8], of source: String, trailer: [UInt8] = []) throws -> String {
      let path = folder.path("wrong.mov")
      try? FileManager.default.removeItem(atPath: path)
      try FileManager.default.copyItem(atPath: source, toPath: path)
      try PhoneBoxes.add(boxes, toIndexOf: path)
      try PhoneBoxes.append(trailer, to: path)
      return path
    }
    func check(_ path: String, _ step: Int, _ words: String, line: Int = #line) throws {
      let (numbers, errors) = try clip(path, "--speed", "1")
      #expect(numbers == every(step), "line \(line)")
      #expect(errors.contains(words), "line \(line): \(errors)")
    }
    for rate in [Float.nan, .infinity, 0, -240, 3e38] {
      try check(video(PhoneBoxes.captureRate(rate), of: fast), 8, "is not a valid rate, so that is ignored")
    }
    // A time lapse of 240 frames a second is invalid.
    try check(
      video(PhoneBoxes.captureRate(30), of: fast), 8, "does not fit its playback rate, so that is ignored")
    try check(
      video(PhoneBoxes.key("com.android.capture.fps", type: 23, [1]), of: fast), 8,
      "com.android.capture.fps is not a number")
    try check(
      video(PhoneBoxes.captureRate(240) + PhoneBoxes.captureRate(120), of: slow), 8,
      "has two different values of com.android.capture.fps, so that is ignored")
    try check(
      video(PhoneBoxes.captureRate(240) + PhoneBoxes.samsung(mode: 13), of: slow), 8,
      "its saut of 120 fps contradicts a value that takes precedence, so that is ignored")
    try check(
      video(PhoneBoxes.samsung(mode: 9), of: fast), 8, "states super slow motion, but not its rate")
    try check(video(PhoneBoxes.samsung(mode: 21), of: fast), 8, "its srfr states no rate")
    for text in ["", "1:2", "5:1:1", "0:100:99", "-1:5:2", "0:100:2*50:200:2", "0:99999999999999999999:2"] {
      try check(
        video([], of: fast, trailer: PhoneBoxes.trailer("SlowMotion_Data", text)), 8,
        "its SlowMotion_Data is damaged")
    }
    var damaged = PhoneBoxes.trailer("SlowMotion_Data", "1:2:1")
    damaged.replaceSubrange(damaged.count - 8..<damaged.count - 4, with: [255, 255, 255, 127])
    try check(video([], of: fast, trailer: damaged), 8, "its trailer (SEF) is damaged")
    for text in ["no list", PhoneBoxes.sidecar.replacing("YnBs", with: "AAAA")] {
      try text.write(toFile: folder.path("wrong.AAE"), atomically: true, encoding: .utf8)
      try check(video([], of: fast), 8, "its sidecar wrong.AAE")
    }
  }
}
