import FrameJudge
import Testing

/// Encoders of other makers on pictures smaller than they are tried with.
@Suite("A clip of small pictures", .tags(.program), .timeLimit(.minutes(1)))
struct EncoderMemoryTests {
  /// The C library aborts if a block of memory was written past its end.
  private static let checked = [
    "LD_PRELOAD": "libc_malloc_debug.so.0", "GLIBC_TUNABLES": "glibc.malloc.check=3",
  ]

  @Test(
    "is encoded without a write past the end of memory",
    arguments: ["h264", "hevc", "prores", "ffv1", "mjpeg"], ["16x200", "48x48"])
  func smallPictures(_ codec: String, _ size: String) throws {
    let folder = try TemporaryFolder()
    let source = folder.path("x.mkv")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=30:duration=1", "-c:v", "ffv1", source)
    let run = try OvercrankProgram(
      ["retime", source, "--fps", "30", "--codec", codec, "-o", folder.path("y.mkv")],
      environment: Self.checked)
    #expect(run.status == 0, "\(run.status) \(run.errors)")
    #expect(try Probe(folder.path("y.mkv")).packets.count == 30)
  }
}
