import FilmJudge
import Foundation
import Testing
import Timebase

@Suite("A film is retimed in place")
struct InPlaceTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Frames and length of a film, which must play from end to end.
  private func state(_ path: String) throws -> (hash: Data, seconds: Double) {
    let probe = try Probe(path)
    #expect(!probe.packets.isEmpty)
    let frames = try Program.run(
      "ffmpeg", ["-v", "error", "-i", path, "-map", "0:v", "-c", "copy", "-f", "streamhash", "-"])
    return (frames.output, try #require(probe.format.duration.flatMap { Double($0) }))
  }

  @Test("and its take stays true")
  func take() throws {
    let run = try OvercrankProgram(
      "record", "sim:", "--format", "mjpeg", "--frames", "24", "--preset", "ultrafast", "-o",
      folder.path("x.mp4"))
    #expect(run.status == 0, "\(run.errors)")
    for (file, speed) in [("x.master.mov", "1/4"), ("x.master.mov", "1/2"), ("x.mp4", "2")] {
      let before = try state(folder.path(file))
      let change = try OvercrankProgram("retime", folder.path(file), "--copy", "--in-place", "--speed", speed)
      #expect(change.status == 0, "\(change.errors)")
      let after = try state(folder.path(file))
      #expect(after.hash == before.hash)
      let factor = try 1 / Speed(text: speed).factor.doubleValue
      #expect(abs(after.seconds - before.seconds * factor) < 0.001)
    }
    let take = try folder.take()
    #expect(take.masterSpeed == "1/8")
    #expect(take.clips.first?.speed == "1/4")
    #expect(take.clips.first?.framesPerSecond == 60)
    #expect(try folder.names == ["x.master.mov", "x.mp4", "x.take.json"])
    // The frames' capture times are in the take, whatever speed the master plays at.
    let clip = try OvercrankProgram(
      "retime", folder.path("x.master.mov"), "--speed", "1/8", "--preset", "ultrafast", "-o",
      folder.path("y.mp4"))
    #expect(clip.status == 0)
    #expect(try StripFilm(folder.path("y.mp4")).numbers.count == Int(take.frames.sent))
  }
}
