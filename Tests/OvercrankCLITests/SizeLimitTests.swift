import FrameJudge
import Foundation
import Testing

@testable import OvercrankCLI

@Suite("retime --under", .tags(.program), .timeLimit(.minutes(1)))
struct SizeLimitTests {
  @Test(
    "wastes little of the size on noisy pictures, and never passes it",
    arguments: [60_000, 150_000, 300_000, 600_000])
  func noise(_ limit: Int) throws {
    let folder = try TemporaryFolder()
    let source = folder.path("x.mkv")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "mandelbrot=s=320x240:r=60,noise=alls=20:allf=t", "-t", "1", "-c:v", "ffv1",
      source)
    let clip = folder.path("y.mp4")
    let run = try OvercrankProgram("retime", source, "--under", "\(limit)B", "-o", clip)
    #expect(run.status == 0, "\(run.errors)")
    let size = try Data(contentsOf: URL(filePath: clip)).count
    #expect(size <= limit && size > limit * 6 / 10, "\(size) B: \(run.output)")
  }

  private func size(_ path: String) throws -> Int { try Data(contentsOf: URL(filePath: path)).count }

  @Test("uses nearly all of the size for a GIF", arguments: [0.7, 0.2])
  func gif(_ part: Double) throws {
    let folder = try TemporaryFolder()
    let source = folder.path("x.mkv")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=200x150:r=30,noise=alls=6:allf=t", "-t", "2.5", "-c:v", "ffv1", source)
    let whole = folder.path("whole.gif")
    try #require(try OvercrankProgram("retime", source, "-o", whole).status == 0)
    let limit = try Int(Double(size(whole)) * part)
    let clip = folder.path("y.gif")
    let run = try OvercrankProgram("retime", source, "--under", "\(limit)B", "-o", clip)
    #expect(run.status == 0, "\(run.errors)")
    let size = try size(clip)
    #expect(size <= limit && size > limit * 85 / 100, "\(size) of \(limit) B: \(run.output)")
  }

  @Test("names a least size that works", arguments: ["y.mp4", "y.gif", "y.webp"])
  func least(_ name: String) throws {
    let folder = try TemporaryFolder()
    let source = folder.path("x.mkv")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=160x120:r=30,noise=alls=20:allf=t", "-t", "1", "-c:v", "ffv1", source)
    let clip = folder.path(name)
    let refused = try OvercrankProgram("retime", source, "--under", "1kB", "-o", clip)
    #expect(refused.status == 64)
    let found = try #require(
      refused.errors.firstMatch(of: /least is ([\d.]+ kB)\./), "\(refused.errors)")
    let words = String(found.output.1)
    let limit = try Int(ByteCount(text: words).bytes)
    let run = try OvercrankProgram("retime", source, "--under", words, "-o", clip)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try size(clip) <= limit, "\(run.output)")
  }

  @Test("that a recording cannot keep leads to a command that works")
  func afterRecording() throws {
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--frames", "12", "--under", "1kB", "-o", folder.path("x.mp4"))
    #expect(run.status == 64)
    let found = try #require(
      run.errors.firstMatch(of: /with\n +overcrank (.+) --under (\d+) (.+)\n/), "\(run.errors)")
    let words = [found.output.1, "--under \(found.output.2)", found.output.3].flatMap {
      $0.split(separator: " ")
    }
    let later = try OvercrankProgram(words.map(String.init))
    #expect(later.status == 0, "\(later.errors)")
    #expect(try size(folder.path("x.mp4")) <= Int(found.output.2) ?? 0)
  }

  @Test("names a quality that makes the same clip, or says that it is not all", arguments: ["mjpeg", "h264"])
  func quality(_ codec: String) throws {
    let folder = try TemporaryFolder()
    let source = folder.path("x.mkv")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=240x160:r=30,noise=alls=20:allf=t", "-t", "1", "-c:v", "ffv1", source)
    let clips = ["whole", "y", "again"].map { folder.path("\($0).mov") }
    try #require(try OvercrankProgram("retime", source, "--codec", codec, "-o", clips[0]).status == 0)
    let run = try OvercrankProgram(
      "retime", source, "--codec", codec, "--under", "\(try size(clips[0]) / 2)B", "-o", clips[1])
    let found = try #require(
      run.output.firstMatch(of: /reduced to (?:(\d+x\d+), )?quality ([0-9.]+)/), "\(run)")
    guard codec == "mjpeg" else {
      #expect(run.output.contains(" at best"), "\(run.output)")
      return
    }
    let scale = found.output.1.map { ["--scale", String($0)] } ?? []
    let again = try OvercrankProgram(
      ["retime", source, "--codec", codec, "--crf", String(found.output.2), "-o", clips[2]] + scale)
    #expect(again.status == 0, "\(again.errors)")
    #expect(try FrameHashes(clips[1]).hashes == FrameHashes(clips[2]).hashes)
  }
}
