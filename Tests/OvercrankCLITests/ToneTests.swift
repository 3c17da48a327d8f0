import FrameJudge
import Foundation
import Testing

@Suite("retime --tone", .tags(.program), .timeLimit(.minutes(1)))
struct ToneTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A second of HEVC as phones record it.
  private func source(_ transfer: String = "arib-std-b67") throws -> String {
    let path = folder.path("phone.mp4")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=128x96:r=60:d=0.5", "-c:v", "libx265", "-pix_fmt", "yuv420p10le",
      "-preset", "ultrafast", "-x265-params",
      "log-level=none:colorprim=bt2020:transfer=\(transfer):colormatrix=bt2020nc", "-color_primaries",
      "bt2020",
      "-color_trc", transfer, "-colorspace", "bt2020nc", "-color_range", "tv", "-tag:v", "hvc1", path)
    return path
  }

  private func clip(_ options: String...) throws -> (run: OvercrankProgram, stream: Probe.Stream) {
    let path = folder.path("clip.\(options.contains("prores") ? "mov" : "mp4")")
    let run = try OvercrankProgram(
      ["retime", try source(), "--speed", "1/2", "--force", "-o", path] + options)
    try #require(run.status == 0, "\(run.errors)")
    return (run, try #require(try Probe(path).streams.first))
  }

  @Test("makes BT.709 in 8 bits of HLG by default")
  func usual() throws {
    let (run, stream) = try clip()
    #expect(stream.codec_name == "h264" && stream.pix_fmt == "yuv420p")
    #expect(
      [stream.color_space, stream.color_transfer, stream.color_primaries, stream.color_range]
        == ["bt709", "bt709", "bt709", "tv"])
    #expect(run.output.contains("high dynamic range (HLG) is mapped"), "\(run.output)")
  }

  @Test("keeps HLG in codecs of 10 bits, unless it is to be mapped")
  func deep() throws {
    for options in [["--codec", "hevc", "--preset", "ultrafast"], ["--codec", "prores", "--tone", "keep"]] {
      let path = folder.path(options.contains("prores") ? "kept.mov" : "kept.mp4")
      let run = try OvercrankProgram(["retime", try source(), "--speed", "1/2", "-o", path] + options)
      try #require(run.status == 0, "\(run.errors)")
      let stream = try #require(try Probe(path).streams.first)
      #expect(stream.color_transfer == "arib-std-b67" && stream.color_primaries == "bt2020")
      #expect(stream.pix_fmt?.hasSuffix("10le") == true)
      #expect(!run.output.contains("is mapped"), "\(run.output)")
    }
    let (_, stream) = try clip("--codec", "hevc", "--preset", "ultrafast", "--tone", "sdr")
    #expect(stream.pix_fmt == "yuv420p" && stream.color_transfer == "bt709")
  }

  @Test("refuses to keep it in 8 bits, and names the codecs that can")
  func refusals() throws {
    let run = try OvercrankProgram(
      "retime", try source(), "--tone", "keep", "-o", folder.path("x.mp4"))
    #expect(
      run.status == 69 && run.errors.contains("h264 has 8") && run.errors.contains("hevc"), "\(run.errors)")
    #expect(try folder.names == ["phone.mp4"])
  }

  @Test(
    "maps PQ by its mastering display, and by 1000 cd/m2 if that is impossible",
    arguments: [(10_000_000, 213.2), (40_000_000, 195.3), (0, 213.2), (4_294_967_295, 213.2)])
  func peak(_ peak: Int, _ luma: Double) throws {
    let path = folder.path("source.mp4")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "nullsrc=s=64x48:r=24:d=0.25,format=yuv420p10le,geq=lum=572:cb=512:cr=512", "-c:v",
      "libx265", "-x265-params",
      "log-level=none:lossless=1:hdr10=1:repeat-headers=1:max-cll=0,0"
        + ":master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(\(peak),50)",
      "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc", "-color_range",
      "tv", path)
    let clip = folder.path("clip.mkv")
    let run = try OvercrankProgram("retime", path, "--codec", "ffv1", "--tone", "sdr", "-o", clip)
    try #require(run.status == 0, "\(run.errors)")
    let bytes = try Program.run(
      "ffmpeg",
      ["-v", "error", "-i", clip, "-frames:v", "1", "-vf", "extractplanes=y", "-f", "rawvideo", "-"]
    ).output
    let mean = bytes.reduce(0) { $0 + Double($1) } / Double(bytes.count)
    #expect(abs(mean - luma) < 1, "\(mean)")
  }
}
