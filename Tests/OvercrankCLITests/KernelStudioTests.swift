import FrameJudge
import Foundation
import Takes
import Testing
import USBCamera

/// The studio on the kernel's driver of USB cameras, controlled as its page controls it.
@Suite(
  "overcrank studio with a USB camera", .serialized,
  .tags(.kernel), .enabled(if: USBCamera.isPossible || KernelCameras.areExpected))
struct KernelStudioTests {
  private static let mode = ["--format", "YUYV", "--max-width", "320", "--fps", "30"]

  /// Expects a take's frames to be those that the driver's numbers state.
  private func checkFrames(_ taken: (take: Take, master: String)) throws {
    // How many a camera sends that stands still with its machine is chance.
    #expect(taken.take.frames.written > 0)
    checkNumbers(try StripVideo(taken.master), of: taken.take)
  }

  /// Triggers once its pre-roll is in memory, and waits for take `count` and its clip.
  private func record(_ studio: RunningStudio, take count: Int) async throws {
    try await studio.reach("pre-roll") { $0.phase == "armed" && $0.heldNs >= $0.settings.preNs * 9 / 10 }
    let answer = try await studio.ask("/api/trigger", "POST")
    #expect(answer.status == 200, "\(answer.text)")
    try await studio.reach("take \(count)") {
      $0.phase == "armed" && $0.clips.isEmpty && (try? studio.takes().count) == count
    }
  }

  @Test("shows and records every frame before and after it is unplugged, and refuses a second studio")
  func session() async throws {
    let camera = USBCamera()
    let node = try camera.plugIn()
    defer { camera.unplug() }
    let gain = camera.value(of: .gain)
    let studio = try RunningStudio(node, Self.mode)
    try await studio.reach("armed") { $0.phase == "armed" }

    let picture = try await studio.ask("/api/preview.jpg?width=320")
    #expect(picture.status == 200)
    let folder = try TemporaryFolder()
    try picture.body.write(to: folder.url.appending(path: "picture.jpg"))
    #expect(
      try StripVideo(folder.path("picture.jpg")).numbers.first??.description
        == picture.head.value(forHTTPHeaderField: "Overcrank-Sequence"))

    let set = try await studio.ask("/api/controls/gain", "PUT", "{\"value\": \(gain + 20)}")
    #expect(set.status == 200 && set.text.contains("\"value\":\(gain + 20)"), "\(set.text)")
    #expect(camera.value(of: .gain) == gain + 20)

    let settings = try await studio.ask(
      "/api/settings", "PUT", "{\"pre_ns\": 300000000, \"post_ns\": 300000000}")
    #expect(settings.status == 200, "\(settings.text)")
    try await record(studio, take: 1)
    try checkFrames(try #require(studio.takes().first))

    // The camera is in use: the second studio reports this on its page, and does not affect the first.
    let other = try RunningStudio(node, Self.mode)
    let refused = try await other.reach("the refusal") { $0.phase == "failed" }
    #expect(refused.problem?.message.contains("Device or resource busy") == true, "\(refused)")
    let told = try other.errors
    #expect(told.contains(refused.problem?.message ?? "?"), "\(told)")
    #expect(try await other.ask("/api/trigger", "POST").status == 409)
    #expect(other.interrupt() == 0)
    #expect(camera.value(of: .gain) == gain + 20)

    camera.unplug()
    let interrupted = try await studio.reach("the interruption") { $0.phase == "interrupted" }
    #expect(interrupted.interruption?.reason == "unplugged", "\(interrupted)")
    #expect(try await studio.ask("/api/trigger", "POST").status == 409)
    _ = try camera.plugIn()
    // It continues by itself unless it reports that it waits for the user.
    let back = try await studio.reach("the camera's return") {
      $0.phase == "armed" || $0.interruption?.waitsForResume == true
    }
    if back.phase != "armed" { #expect(try await studio.ask("/api/resume", "POST").status == 200) }
    try await studio.reach("armed again") { $0.phase == "armed" }
    #expect(camera.value(of: .gain) == gain + 20)
    try await record(studio, take: 2)
    try checkFrames(try #require(studio.takes().last))

    #expect(studio.interrupt() == 0)
    #expect(camera.value(of: .gain) == gain)
    let errors = try studio.errors
    #expect(errors.contains("The camera is sending frames again"), "\(errors)")
  }
}
