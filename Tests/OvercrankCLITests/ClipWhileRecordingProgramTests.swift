import FrameJudge
import Foundation
import SystemPackage
import Takes
import Testing

/// How much of a clip is rendered during its recording depends on idle cores: no test requires any.
@Suite("overcrank record --clip-while-recording", .tags(.program, .realTime), .timeLimit(.minutes(1)))
struct ClipWhileRecordingProgramTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let table =
      #"{"card": "Small", "modes": [{"fourcc": "MJPG", "width": 320, "height": 240, "intervals": [[1, 30]]}]}"#
    try Data(table.utf8).write(to: folder.url.appending(path: "small.json"))
  }

  /// A camera that loses the given frames and no others, however late they are read.
  private func camera(_ faults: String = "") -> String {
    "sim:\(folder.path("small.json")),buffers=32" + faults
  }

  /// Clips without loss: otherwise the same pictures would differ when coded in other segments, or by more
  /// threads.
  private func arguments(_ camera: String, _ clip: String, _ more: String...) -> [String] {
    [
      "record", camera, "--speed", "1/4", "--preset", "ultrafast", "--crf", "0", "--no-thumbnail",
      "--clip-while-recording", "-o", clip,
    ] + more
  }

  /// The checksums and times of a clip's pictures.
  private func pictures(_ clip: String) throws -> [String] {
    let list = try Program.run(
      "ffmpeg", ["-v", "error", "-i", clip, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-"])
    return String(decoding: list.output, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.map(String.init)
  }

  /// A complete master of the take's frames, and a clip with the same pictures as one rendered afterwards.
  private func check(_ name: String = "x") throws {
    let take = try folder.take(name)
    checkTruth(take)
    let video = try StripVideo(folder.path("\(name).master.mov"))
    #expect(video.complaints.isEmpty)
    #expect(video.numbers.map { $0.map(Int64.init) } == take.sequences.map(Optional.some))
    let clip = try #require(take.clips.first)
    #expect((0...clip.frames).contains(clip.madeWhileRecording ?? -1))
    let again = try OvercrankProgram(
      "retime", folder.path("\(name).master.mov"), "--speed", "1/4", "--preset", "ultrafast", "--crf", "0",
      "-o", folder.path("again.mp4"))
    #expect(again.status == 0, "\(again.errors)")
    let made = try pictures(folder.path("\(name).mp4"))
    #expect(made.count == clip.frames)
    #expect(made == (try pictures(folder.path("again.mp4"))))
  }

  @Test("loses only the frames that the camera loses")
  func frames() throws {
    let run = try OvercrankProgram(arguments(camera(",drop=50-52"), folder.path("x.mp4"), "--frames", "90"))
    #expect(run.status == 0, "\(run.errors)")
    let take = try folder.take()
    #expect(take.losses == [Loss(sequence: 50, count: 3, stage: .driver)])
    #expect(Array(take.sequences) == Array(0..<50) + Array(53..<93))
    try check()
  }

  @Test("leaves a complete take and its clip when it is interrupted")
  func interrupted() throws {
    let run = try OvercrankProgram(
      arguments(camera(), folder.path("x.mp4"), "--duration", "1h"),
      whileRunning: { process in
        WatchedJournal(path: folder.path("x.master.mov.part.journal")).wait(for: 60, of: process)
        process.interrupt()
      })
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.take().frames.written >= 60)
    try check()
    #expect(try !folder.names.contains { $0.hasSuffix(".part") || $0.hasSuffix(".journal") })
  }

  @Test("overwrites files only with --force")
  func conflicts() throws {
    for name in ["x.mp4", "x.master.mov", "x.take.json"] {
      let file = folder.url.appending(path: name)
      try Data("mine".utf8).write(to: file)
      let run = try OvercrankProgram(arguments(camera(), folder.path("x.mp4"), "--frames", "24"))
      #expect(run.status == 73, "\(run.errors)")
      #expect(run.errors.contains(name))
      #expect(try Data(contentsOf: file) == Data("mine".utf8))
      #expect(try folder.names == ["small.json", name].sorted())
      try FileManager.default.removeItem(at: file)
    }
    try Data("mine".utf8).write(to: folder.url.appending(path: "x.mp4"))
    let run = try OvercrankProgram(arguments(camera(), folder.path("x.mp4"), "--frames", "24", "--force"))
    #expect(run.status == 0, "\(run.errors)")
    try check()
  }

  @Test("leaves what fits on a full disk as a complete master", .enabled(if: SmallDisk.isPossible))
  func fullDisk() throws {
    let disk = try #require(try SmallDisk(bytes: 4 << 20))
    let run = try OvercrankProgram(arguments("sim:", disk.path("x.mp4"), "--frames", "480"))
    #expect(run.status == 74)
    #expect(run.errors.contains("full"), "\(run.errors)")
    let numbers = try StripVideo(disk.path("x.master.mov")).numbers
    #expect(!numbers.isEmpty && !numbers.contains(nil))
    checkTruth(try #require(try Take.read(from: FilePath(disk.path("x.take.json")))))
    #expect(try !disk.names.contains { $0.hasSuffix(".part") || $0 == "x.mp4" })
  }

  @Test("waits for the last frame if the clip depends on all of them, and says so")
  func waits() throws {
    let flicker = try OvercrankProgram(
      arguments(camera(), folder.path("x.mp4"), "--frames", "48", "--deflicker"))
    #expect(flicker.status == 0, "\(flicker.errors)")
    #expect(flicker.errors.contains("measures the light of all frames"))
    #expect(try folder.take().clips.first?.madeWhileRecording == 0)
    // No profile states the black level of this one.
    let table =
      #"{"card": "Raw", "modes": [{"fourcc": "GREY", "width": 320, "height": 240, "intervals": [[1, 30]]}]}"#
    try Data(table.utf8).write(to: folder.url.appending(path: "raw.json"))
    let raw = try OvercrankProgram(
      arguments("sim:\(folder.path("raw.json"))", folder.path("y.mp4"), "--frames", "48", "--develop", "auto")
    )
    #expect(raw.status == 0, "\(raw.errors)")
    let clip = try #require(try folder.take("y").clips.first)
    #expect((clip.madeWhileRecording, clip.development?.blackSource) == (0, "frame"))
    #expect(raw.output.contains("because raw development needs all of them"))
  }
}
