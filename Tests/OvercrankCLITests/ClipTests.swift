import FilmJudge
import Foundation
import Takes
import Testing

@Suite("Clips from the command line")
struct ClipTests {
  /// A take of the simulated camera at 240 fps, and what its clip must show at 30.
  private func record(_ camera: String, _ folder: TemporaryFolder, _ arguments: String...) throws -> Take {
    let run = try OvercrankProgram(
      ["record", camera, "--format", "mjpeg", "--preset", "ultrafast", "-o", folder.path("x.mp4")] + arguments
    )
    #expect(run.status == 0, "\(run.errors)")
    return try folder.take()
  }

  /// The number that each sensor frame's place in the clip shows: its own, or the last one that was written.
  private func shown(_ take: Take) -> [UInt32] {
    let written = Set(take.sequences)
    let first = take.sequences.first ?? 0
    var last = first
    return (first..<first + take.frames.sent).map { number in
      if written.contains(number) { last = number }
      return UInt32(last)
    }
  }

  @Test(
    "show every frame once and in order at 240 to 30 fps, and hold the last where one was lost",
    arguments: ["sim:", "sim:,drop=20-24+40", "sim:,corrupt=9,huffman=missing", "sim:,jitter=3ms"])
  func everyFrame(_ camera: String) throws {
    let folder = try TemporaryFolder()
    let take = try record(camera, folder, "--frames", "60", "--speed", "1/8")
    #expect(try StripFilm(folder.path("x.mp4")).numbers == shown(take).map { $0 })
    let probe = try Probe(folder.path("x.mp4"))
    let stream = try #require(probe.streams.first)
    #expect(stream.codec_name == "h264")
    #expect(stream.pix_fmt == "yuv420p")
    #expect(stream.color_range == "tv")
    #expect(stream.r_frame_rate == "30/1")
    #expect(stream.avg_frame_rate == "30/1")
    #expect(probe.packets.count == Int(take.frames.sent))
    let order = try boxes(of: folder.path("x.mp4"))
    #expect(try #require(order.firstIndex(of: "moov")) < #require(order.firstIndex(of: "mdat")))
    #expect(take.clips.first?.frames == Int(take.frames.sent))
    #expect(take.clips.first?.held == Int(take.frames.lost.total))
    #expect(try folder.names == ["x.master.mov", "x.mp4", "x.take.json"])
  }

  @Test("of 60 fps show every frame of 240 once, four times slower")
  func clipRate() throws {
    let folder = try TemporaryFolder()
    let take = try record("sim:", folder, "--fps", "240", "--frames", "60", "--clip-fps", "60")
    #expect(try StripFilm(folder.path("x.mp4")).numbers == shown(take).map { $0 })
    let probe = try Probe(folder.path("x.mp4"))
    let stream = try #require(probe.streams.first)
    #expect(stream.r_frame_rate == "60/1" && stream.avg_frame_rate == "60/1")
    #expect(probe.packets.count == Int(take.frames.sent))
  }

  @Test("at half the slowness show every second frame")
  func faster() throws {
    let folder = try TemporaryFolder()
    let take = try record("sim:", folder, "--frames", "60", "--speed", "1/4")
    let all = shown(take)
    let expected = stride(from: 0, to: all.count, by: 2).map { all[$0] }
    #expect(try StripFilm(folder.path("x.mp4")).numbers == expected.map { $0 })
  }

  @Test("--discard-master leaves clip and take alone")
  func discard() throws {
    let folder = try TemporaryFolder()
    let take = try record("sim:", folder, "--frames", "10", "--discard-master")
    #expect(take.master == nil)
    #expect(try folder.names == ["x.mp4", "x.take.json"])
  }

  @Test("retime makes the clip again from master and take; --copy keeps the frames and stretches the time")
  func retime() throws {
    let folder = try TemporaryFolder()
    let take = try record("sim:,drop=10-12", folder, "--frames", "40", "--no-clip")
    let master = folder.path("x.master.mov")
    let again = try OvercrankProgram(
      "retime", master, "--speed", "1/8", "--preset", "ultrafast", "-o", folder.path("again.mp4"))
    #expect(again.status == 0, "\(again.errors)")
    #expect(try StripFilm(folder.path("again.mp4")).numbers == shown(take).map { $0 })

    let copy = try OvercrankProgram(
      "retime", master, "--speed", "1/8", "--copy", "-o", folder.path("copy.mov"))
    #expect(copy.status == 0, "\(copy.errors)")
    let (before, after) = (try Probe(master), try Probe(folder.path("copy.mov")))
    #expect(after.streams.first?.codec_name == "mjpeg")
    #expect(after.packets.map(\.size) == before.packets.map(\.size))
    #expect(try StripFilm(folder.path("copy.mov")).numbers == take.sequences.map { UInt32($0) })
    func seconds(_ probe: Probe) throws -> [Double] {
      let terms = try #require(probe.streams.first).time_base.split(separator: "/").compactMap { Double($0) }
      return probe.packets.map { Double($0.pts ?? 0) * terms[0] / terms[1] }
    }
    for (fast, slow) in zip(try seconds(before), try seconds(after)) { #expect(abs(slow - 8 * fast) < 1e-9) }
  }

  @Test("Ctrl-C leaves no clip, and the master as it was")
  func cancelled() throws {
    let folder = try TemporaryFolder()
    _ = try record("sim:", folder, "--frames", "120", "--no-clip")
    let run = try OvercrankProgram(
      [
        "retime", folder.path("x.master.mov"), "--speed", "1/100", "--preset", "veryslow", "-o",
        folder.path("y.mp4"),
      ],
      whileRunning: { process in
        while process.isRunning, !FileManager.default.fileExists(atPath: folder.path("y.mp4.part")) {
          usleep(10_000)
        }
        kill(process.processIdentifier, SIGINT)
      })
    #expect(run.status == 130)
    #expect(try folder.names == ["x.master.mov", "x.take.json"])
  }
}
