import FrameJudge
import Foundation
import Testing

@Suite("Before the first frame", .tags(.program), .timeLimit(.minutes(1)))
struct FirstFrameTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func record(_ camera: String, _ arguments: String...) throws -> OvercrankProgram {
    try OvercrankProgram(["record", camera, "--no-clip", "-o", folder.path("x.mp4")] + arguments)
  }

  @Test("a recording that is refused, for an existing part or a ring too large, is not reported as running")
  func refused() throws {
    try Data("a part".utf8).write(to: folder.url.appending(path: "x.master.mov.part"))
    let part = try record(SmallCamera.inVirtualTime(), "--frames", "5")
    #expect(part.status == 73, "\(part.errors)")
    #expect(!part.errors.contains("Recording"), "\(part.errors)")
    try FileManager.default.removeItem(at: folder.url.appending(path: "x.master.mov.part"))
    let ring = try record(SmallCamera.inVirtualTime(), "--frames", "5", "--ring", "1000000GiB")
    #expect(ring.status == 74, "\(ring.errors)")
    #expect(!ring.errors.contains("Recording"), "\(ring.errors)")
    #expect(try folder.names.isEmpty)
  }

  @Test(
    "no event says that a camera without frames has started or is armed",
    arguments: [[], ["--trigger", "signal"]])
  func silent(trigger: [String]) throws {
    let elsewhere = try TemporaryFolder()
    let run = try OvercrankProgram(
      [
        "record", SmallCamera.inRealTime("stall=1h@0"), "--timeout", "200ms", "--no-clip", "-o",
        folder.path("x.mp4"),
        "--events",
        elsewhere.path("events"),
      ] + trigger)
    #expect(run.status == 74, "\(run.errors)")
    #expect(!run.errors.contains("Recording"))
    #expect(!run.errors.contains("Armed."))
    let names = try String(contentsOfFile: elsewhere.path("events"), encoding: .utf8)
      .matches(of: /"event":"([a-z_]+)"/).map { String($0.output.1) }
    #expect(names == ["ended"])
  }

  @Test("a rate that the camera does not have is reported, with the rate that it offers instead")
  func otherRate() throws {
    let run = try record(SmallCamera.inVirtualTime(), "--fps", "200", "--frames", "5")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("Instead of 200 fps, the camera gives 240 fps"), "\(run.errors)")
    let same = try record(SmallCamera.inVirtualTime(), "--fps", "239", "--frames", "5", "--force")
    #expect(!same.errors.contains("Instead of"), "\(same.errors)")
    let select = try OvercrankProgram("select", "sim:", "--fps", "200")
    #expect(select.output.contains("the best of 2 modes with at least 99 % of 200 fps: wider than the next"))
    #expect(select.output.contains("Instead of 200 fps, the camera gives 240 fps"))
    #expect(select.output.contains("then 640x480 YUYV at 240 fps: narrower\n"))
  }

  @Test("no start is reported; the start is then the first message about the take")
  func order() throws {
    let elsewhere = try TemporaryFolder()
    let run = try record(
      SmallCamera.inVirtualTime(), "--fps", "120", "--frames", "5", "--trigger", "time=1ms",
      "--events",
      elsewhere.path("events"))
    #expect(run.status == 0, "\(run.errors)")
    let names = try String(contentsOfFile: elsewhere.path("events"), encoding: .utf8)
      .matches(of: /"event":"([a-z_]+)"/).map { String($0.output.1) }.filter { $0 != "progress" }
    #expect(names == ["started", "armed", "triggered", "take_started", "take_ended", "ended"])
    #expect(
      run.errors.contains(
        "Capturing \(SmallCamera.inVirtualTime()) in 320x180 MJPG at 120 fps.\nArmed."))
  }
}
