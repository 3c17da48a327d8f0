import FrameJudge
import Foundation
import Testing

@Suite("A recently measured disk speed", .tags(.program), .timeLimit(.minutes(1)))
struct DiskSpeedTests {
  /// The report on the disk by a recording of a raw mode, with this speed measured at this time.
  private func words(_ bytesPerSecond: Int, secondsAgo: TimeInterval) throws -> String {
    let folder = try TemporaryFolder()
    var about = stat()
    try #require(stat(folder.url.path, &about) == 0)
    let measuredAt = Date.now.timeIntervalSinceReferenceDate - secondsAgo
    let memory = folder.url.appending(path: "overcrank/disk-speed.json")
    try FileManager.default.createDirectory(
      at: memory.deletingLastPathComponent(), withIntermediateDirectories: false)
    let entry = #"{"bytesPerSecond": \#(bytesPerSecond), "measuredAt": \#(measuredAt)}"#
    try Data(#"{"\#(about.st_dev)": \#(entry)}"#.utf8).write(to: memory)
    let run = try OvercrankProgram(
      [
        "record", SmallCamera.inRealTime(), "--format", "YUYV", "--fps", "240", "--frames", "2", "--no-clip",
        "--ring", "1MiB", "-o", folder.path("x.mp4"),
      ], environment: ["XDG_CACHE_HOME": folder.url.path])
    #expect(run.status == 0)
    return run.errors
  }

  @Test("is reported if it is plausible", arguments: [(123_000_000, 123), (1_500, 0)])
  func told(_ speed: Int, _ megabytes: Int) throws {
    #expect(try words(speed, secondsAgo: 60).contains("the disk writes \(megabytes) MB/s"))
  }

  @Test(
    "is measured again after five minutes, or if the speed or its time is implausible",
    arguments: [(123_000_000, 301), (999, 60), (2_000_000_000_000, 60), (123_000_000, -60)])
  func measured(_ speed: Int, _ secondsAgo: TimeInterval) throws {
    #expect(
      try !words(speed, secondsAgo: secondsAgo).contains("the disk writes \(speed / 1_000_000) MB/s"))
  }
}
