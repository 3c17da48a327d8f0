import FrameJudge
import Foundation
import Testing

@Suite("retime --under", .tags(.program), .timeLimit(.minutes(1)))
struct SizeLimitTests {
  @Test("wastes little of the size on noisy pictures, and never passes it", arguments: [300_000, 600_000])
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
    #expect(size <= limit && size > limit / 3, "\(size) B: \(run.output)")
  }
}
