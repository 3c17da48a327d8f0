import FrameJudge
import Foundation
import Takes
import Testing
import Timebase

@Suite("Audio of recordings from the command line", .tags(.program), .timeLimit(.minutes(1)))
struct RecordedAudioTests {
  private func record(
    _ folder: TemporaryFolder, camera: String = SmallCamera.inVirtualTime(), _ arguments: String...
  ) throws -> Take {
    let run = try OvercrankProgram(
      [
        "record", camera, "--fps", "240", "-o", folder.path("x.mp4"),
      ] + (arguments.contains("--no-clip") ? [] : ["--preset", "ultrafast"]) + arguments)
    #expect(run.status == 0, "\(run.errors)")
    return try folder.take()
  }

  /// The capture time in seconds, from the first frame on, of each frame with a click, including those that a
  /// busy machine has lost.
  private func frames(_ take: Take) throws -> [Double] {
    let first = try #require(take.sequences.first)
    let last = try #require(take.sequences.last)
    return (first...last).filter { $0 % 120 == 0 }.map { Double($0 - first) / 240 }
  }

  private func check(_ onsets: [Double], _ frames: [Double], worst: Double = 0.002) {
    #expect(!onsets.isEmpty)
    let errors = onsets.map { onset in
      frames.map { onset - $0 }.min { $0.magnitude < $1.magnitude } ?? .infinity
    }
    let mean = errors.reduce(0, +) / Double(max(1, errors.count))
    #expect(mean.magnitude < 0.001, "\(errors)")
    #expect(errors.allSatisfy { $0.magnitude < worst }, "\(errors)")
  }

  @Test("is in sync in the master and in the clip, at full speed and, as tape, at a quarter")
  func clip() throws {
    let folder = try TemporaryFolder()
    let take = try record(folder, "--mic", "sim:,drift=500ppm,late=10ms", "--duration", "4s", "--speed", "1")
    let audio = try #require(take.audio)
    #expect(audio.device == "sim:,drift=500ppm,late=10ms")
    #expect((audio.format, audio.channels, audio.nominalRate) == (.s16, 2, 48_000))
    let rate = try #require(audio.measuredRate)
    #expect((rate / 48_024 - 1).magnitude < 50e-6)
    #expect(audio.lost.isEmpty)
    let frames = try frames(take)
    let offset = audio.offset / .seconds(1)
    let master = try HeardClicks(folder.path("x.master.mov"))
    #expect(Int64(master.sampleCount) == audio.samples)
    check(master.onsets.map { offset + Double($0 - 1) / rate }, frames)
    // AAC smears an onset, and begins a few samples early.
    let clip = try HeardClicks(folder.path("x.mp4"), level: 0.2, gap: 0.2)
    check(clip.onsets.map { Double($0) / 48_000 }, frames, worst: 0.003)
    #expect(clip.onsets.count >= 7)

    let slow = try OvercrankProgram(
      "retime", folder.path("x.master.mov"), "--speed", "1/4", "--audio", "pitch", "--preset", "ultrafast",
      "-o",
      folder.path("slow.mp4"))
    #expect(slow.status == 0, "\(slow.errors)")
    let heard = try HeardClicks(folder.path("slow.mp4"), level: 0.2, gap: 0.5)
    check(heard.onsets.map { Double($0) / 48_000 / 4 }, frames)
    #expect(heard.onsets.count >= 7)
  }

  @Test("plays backwards, and there and back, in step with the frames, if it is asked for")
  func turned() throws {
    let folder = try TemporaryFolder()
    _ = try record(folder, "--mic", "sim:", "--duration", "2s", "--speed", "1")
    func clip(_ name: String, _ arguments: String...) throws -> (path: String, output: String) {
      let path = folder.path(name)
      let run = try OvercrankProgram(
        ["retime", folder.path("x.master.mov"), "--preset", "ultrafast", "-o", path] + arguments)
      #expect(run.status == 0, "\(run.errors)")
      return (path, run.output)
    }
    /// The number of the sample after the last of each click, which begins at a multiple of half a second.
    func ends(_ path: String) throws -> [Int] {
      try HeardClicks(path, level: 0.2, gap: 0.2).onsets.map { $0 + 240 }
    }
    func lengths(_ path: String) throws -> [Int] {
      try Probe(path).streams.map { stream in
        let base = stream.time_base.split(separator: "/").compactMap { Int($0) }
        return try #require(stream.duration_ts.map { Int($0) }) * base[0] * 48_000 / base[1]
      }
    }
    func check(_ heard: [Int], _ expected: [Int]) {
      #expect(heard.count == expected.count, "\(heard), \(expected)")
      // AAC smears an onset.
      #expect(zip(heard, expected).allSatisfy { abs($0 - $1) < 150 }, "\(heard), \(expected)")
    }
    let forward = try ends(folder.path("x.mp4"))
    #expect(forward.count >= 4)
    let length = try lengths(folder.path("x.mp4"))[0]

    let silent = try clip("silent.mp4", "--speed", "1", "--reverse")
    #expect(silent.output.contains("--audio pitch plays it backwards"))
    #expect(try lengths(silent.path).count == 1)
    let back = try clip("back.mp4", "--speed", "1", "--reverse", "--audio", "stretch")
    #expect(back.output.contains("the audio plays backwards"))
    #expect(try lengths(back.path) == [length, length])
    check(try HeardClicks(back.path, level: 0.2, gap: 0.2).onsets, forward.reversed().map { length - $0 })

    let slow = try clip("slow.mp4", "--speed", "1/4", "--clip-fps", "30", "--audio", "pitch")
    let bounce = try clip("bounce.mp4", "--speed", "1/4", "--clip-fps", "30", "--audio", "pitch", "--bounce")
    let onsets = try HeardClicks(slow.path, level: 0.2, gap: 0.5).onsets
    let there = try lengths(slow.path)[0]
    // The first and the last frame, of 1600 samples each, are shown once.
    #expect(try lengths(bounce.path) == [2 * there - 3200, 2 * there - 3200])
    let heard = try HeardClicks(bounce.path, level: 0.2, gap: 0.5).onsets
    check(Array(heard.prefix(onsets.count)), onsets)
    // A click that begins the clip begins with its first frame, which is not shown again.
    let returning = onsets.reversed().map { 2 * there - 1600 - ($0 + 4 * 240) }.filter {
      $0 < 2 * there - 4800
    }
    check(Array(heard.dropFirst(onsets.count).prefix(returning.count)), returning)
  }

  @Test("is dropped from copies, and its speed is not changed in place")
  func copies() throws {
    let folder = try TemporaryFolder()
    let take = try record(folder, "--mic", "sim:", "--frames", "60", "--no-clip")
    #expect(take.audio?.samples ?? 0 > 11_000)
    let inPlace = try OvercrankProgram(
      "retime", folder.path("x.master.mov"), "--copy", "--in-place", "--speed", "1/2")
    #expect(inPlace.status == 69)
    #expect(inPlace.errors.contains("audio"))
    let probe = try Probe(folder.path("x.master.mov"))
    #expect(probe.streams.map(\.codec_name) == ["mjpeg", "pcm_s16le"])
  }

  @Test("comes from the first available microphone of a list; an end of none permits silence")
  func wishes() throws {
    let folder = try TemporaryFolder()
    // With virtual time, microphones of this machine are refused.
    let take = try record(
      folder, camera: SmallCamera.inRealTime("buffers=32"), "--mic", "hw:31,0,sim:,channels=1,none",
      "--frames", "30",
      "--no-clip")
    #expect(take.audio?.device == "sim:,channels=1")
    let none = try OvercrankProgram(
      "record", SmallCamera.inRealTime(), "--mic", "nobody's,none", "--frames", "30", "--no-clip", "-o",
      folder.path("y.mp4"))
    #expect(none.status == 0)
    #expect(none.errors.contains("the recording has no audio"))
  }

  @Test(
    "is refused before anything is recorded if the microphone does not exist",
    arguments: [
      ("hw:31,0", Int32(69), "devices --microphones"), ("nobody's", 69, "devices --microphones"),
      ("file:FILE='|touch x',FORMAT=raw", 64, "not the name of a microphone"), ("sim:,drift=7", 64, "500ppm"),
      ("", 64, "--mic"), ("none,usb", 64, "none comes last"),
    ])
  func missing(_ name: String, _ status: Int32, _ words: String) throws {
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      "record", "sim:", "--mic", name, "--frames", "30", "-o", folder.path("x.mp4"))
    #expect(run.status == status, "\(run.errors)")
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(try folder.names.isEmpty)
  }

  @Test("falls silent when the microphone is unplugged, and the recording continues")
  func unplugged() throws {
    let folder = try TemporaryFolder()
    let take = try record(folder, "--mic", "sim:,disconnect=500ms", "--duration", "1500ms", "--no-clip")
    let audio = try #require(take.audio)
    let lost = audio.lost.reduce(0) { $0 + $1.samples }
    #expect(lost > 40_000 && lost < 60_000)
    let last = try #require(take.timestamps.last)
    let length = (last - (take.timestamps.first ?? last)) / .seconds(1)
    #expect((Double(audio.samples) / 48_000 - length).magnitude < 0.01)
    #expect(take.failure == nil)
  }

  @Test("--audio cannot be used without a microphone")
  func audioWithout() throws {
    let run = try OvercrankProgram("record", SmallCamera.inVirtualTime(), "--audio", "pitch", "--frames", "5")
    #expect(run.status == 64)
    #expect(run.errors.contains("--mic"))
  }
}
