import FrameJudge
import Foundation
import Testing

@Suite("The capture thread's system calls", .tags(.kernel), .needs(KernelCameras.vivid))
struct FramePathTests {
  @Test("are poll, DQBUF and QBUF for each frame, and nothing else, even with audio and a moving control")
  func calls() throws {
    let node = try #require(KernelCameras.vivid)
    let folder = try TemporaryFolder()
    let log = folder.path("strace")
    try Program.run(
      "strace",
      [
        "-f", "-o", log, OvercrankProgram.url.path, "record", node, "--no-thumbnail", "--fps", "60",
        "--max-width",
        "320", "--frames", "60", "--no-clip", "--quiet", "-o", folder.path("x.mp4"), "--mic", "sim:",
        "--ramp", "brightness=0s:0, 800ms:200",
      ])
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    let recording = try #require(lines.first { $0.contains("VIDIOC_DQBUF") })
    let thread = try #require(recording.split(separator: " ").first)
    let own = lines.filter { $0.split(separator: " ").first == thread }
    let start = try #require(own.firstIndex { $0.contains("VIDIOC_STREAMON") })
    let end = try #require(own.lastIndex { $0.contains("VIDIOC_DQBUF") })
    let perFrame = own[(start + 1)...end]
    #expect(perFrame.count { $0.contains("VIDIOC_DQBUF") } >= 60)
    // strace splits the log of a call that another thread's call interrupts.
    let others = perFrame.filter { line in
      !["VIDIOC_DQBUF", "VIDIOC_QBUF", "poll("].contains { line.contains($0) } && !line.contains("resumed>")
    }
    #expect(others.isEmpty, "\(others.prefix(5))")
    let take = try folder.take()
    #expect(take.audio != nil)
    // The number of steps depends on the machine.
    #expect(take.controls["brightness"]?.to == 0)
  }
}
