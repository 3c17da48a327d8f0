import FrameJudge
import Foundation
import Testing

@Suite("Each field of an interlaced video becomes a frame", .tags(.program), .timeLimit(.minutes(1)))
struct DeinterlaceTests {
  let folder: TemporaryFolder
  private let program = OvercrankProgram.url.path

  init() throws { folder = try TemporaryFolder() }

  /// Motion at 50 frames a second, as it was and interlaced to 25.
  private func video(_ first: String, _ pixels: String) throws {
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=r=50:d=1.2:s=352x288,rotate=0.4*t:ow=256:oh=192,scroll=h=0.004:v=0.003",
      "-pix_fmt", pixels, "-c:v", "ffv1", folder.path("truth.mkv"))
    try Program.ffmpeg(
      "-i", folder.path("truth.mkv"), "-vf", "tinterlace=interleave_\(first)", "-c:v", "ffv1",
      folder.path("woven.mkv"))
  }

  /// How close the 60 frames of `video` are to the truth, in dB.
  private func psnr(_ video: String) throws -> Double {
    let run = try Program.run(
      "ffmpeg",
      [
        "-hide_banner", "-nostdin", "-i", folder.path(video), "-i", folder.path("truth.mkv"), "-lavfi",
        "[0]settb=1/50,setpts=N[a];[1]settb=1/50,setpts=N[b];[a][b]psnr", "-f", "null", "-",
      ])
    let words = try #require(run.errors.split(separator: "average:").last?.split(separator: " ").first)
    #expect(try Probe(folder.path(video)).packets.count == 60, "\(video)")
    return try #require(Double(words))
  }

  @Test(
    "as close to the original as yadif's, with either field first, in 8 and 10 bits",
    arguments: [("top", "yuv420p"), ("bottom", "yuv422p10le")])
  func quality(_ first: String, _ pixels: String) throws {
    try video(first, pixels)
    let run = try OvercrankProgram(
      "retime", folder.path("woven.mkv"), "--deinterlace", first, "--speed", "1", "--clip-fps", "50",
      "--codec",
      "ffv1", "--json", "-o", folder.path("ours.mkv"))
    try #require(run.status == 0, "\(run.errors)")
    try Program.ffmpeg(
      "-i", folder.path("woven.mkv"), "-vf", "setfield=\(first == "top" ? "tff" : "bff"),yadif=1", "-c:v",
      "ffv1",
      folder.path("yadif.mkv"))
    let (ours, theirs) = (try psnr("ours.mkv"), try psnr("yadif.mkv"))
    #expect(ours > theirs - 0.3, "\(ours) dB, yadif \(theirs) dB")
    // With the wrong field order, every second step of the motion goes back.
    let wrong = try OvercrankProgram(
      "retime", folder.path("woven.mkv"), "--deinterlace", first == "top" ? "bottom" : "top", "--speed", "1",
      "--clip-fps", "50", "--codec", "ffv1", "-o", folder.path("wrong.mkv"))
    try #require(wrong.status == 0, "\(wrong.errors)")
    #expect(try psnr("wrong.mkv") < ours - 3)
  }

  @Test(
    "in the order that the video states; without the option, the clip reports interlacing",
    arguments: ["top", "bottom"])
  func told(_ first: String) throws {
    try video(first, "yuv420p")
    try Program.ffmpeg(
      "-i", folder.path("woven.mkv"), "-vf", "setfield=\(first == "top" ? "tff" : "bff")", "-c:v",
      "mpeg2video",
      "-flags", "+ildct+ilme", "-top", first == "top" ? "1" : "0", "-q:v", "2", "-bf", "0",
      folder.path("told.mkv"))
    for choice in ["auto", first] {
      let run = try OvercrankProgram(
        "retime", folder.path("told.mkv"), "--deinterlace", choice, "--speed", "1/2", "--codec", "ffv1", "-o",
        folder.path("\(choice).mkv"))
      try #require(run.status == 0, "\(run.errors)")
      #expect(
        run.output.contains("60 frames at 25 fps") && run.output.contains("each field"), "\(run.output)")
    }
    let sums = try ["auto", first].map {
      try Program.run("ffmpeg", ["-v", "error", "-i", folder.path("\($0).mkv"), "-f", "md5", "-"]).output
    }
    #expect(sums[0] == sums[1])
    let plain = try OvercrankProgram(
      "retime", folder.path("told.mkv"), "--speed", "1", "-o", folder.path("p.mp4"))
    #expect(plain.status == 0 && plain.errors.contains("is marked as interlaced"), "\(plain.errors)")
  }

  @Test("whose order must be given if the video does not state it; --copy is refused")
  func refusals() throws {
    try video("top", "yuv420p")
    let run = try OvercrankProgram(
      "retime", folder.path("truth.mkv"), "--deinterlace", "auto", "-o", folder.path("x.mp4"))
    #expect(run.status == 64 && run.errors.contains("--deinterlace top"), "\(run.status): \(run.errors)")
    let copy = try OvercrankProgram(
      "retime", folder.path("truth.mkv"), "--deinterlace", "top", "--copy", "--speed", "1/2", "-o",
      folder.path("x.mkv"))
    #expect(copy.status == 64 && copy.errors.contains("--copy"), "\(copy.errors)")
    #expect(try folder.names == ["truth.mkv", "woven.mkv"])
  }

  @Test("except in a sensor's mosaic, which has no fields", arguments: ["2x2", "8x2", "64x48"])
  func mosaic(_ size: String) throws {
    try Program.ffmpeg(
      "-f", "rawvideo", "-pixel_format", "bayer_bggr8", "-video_size", size, "-framerate", "30", "-i",
      "/dev/urandom", "-frames:v", "6", "-c:v", "rawvideo", "-pix_fmt", "bayer_bggr8", folder.path("raw.nut"))
    let run = try OvercrankProgram(
      "retime", folder.path("raw.nut"), "--deinterlace", "top", "-o", folder.path("x.mp4"))
    #expect(run.status == 65 && run.errors.contains("raw.nut: is a sensor's mosaic"), "\(run.errors)")
    #expect(try folder.names == ["raw.nut"])
  }
}
