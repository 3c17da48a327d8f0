import FrameJudge
import Foundation
import Overcrank
import Platform
import SystemPackage
import Testing
import Timebase

@testable import StudioServer

@Suite("The settings of the last studio", .tags(.program), .timeLimit(.minutes(1)))
struct StudioMemoryTests {
  let folder: TemporaryFolder
  let memory: StudioMemory

  init() throws {
    folder = try TemporaryFolder()
    memory = StudioMemory(folder: FilePath(folder.path("studio")))
  }

  private func unusual() throws -> StudioMemory.Recollection {
    StudioMemory.Recollection(
      settings: try StudioSettings.unusual(),
      mode: .mode(fourcc: "MJPG", width: 1280, height: 720, interval: FrameInterval(1001, 120_000)),
      controls: ["brightness": -3, "exposure_time_absolute": 20])
  }

  @Test("are read as they were kept, for each camera")
  func kept() throws {
    let (one, other) = (try unusual(), StudioMemory.Recollection(settings: StudioSettings()))
    #expect(try memory.keep(one, of: "HD Webcam: C270/é") == nil)
    #expect(try memory.keep(other, of: "sim:,drop=5%") == nil)
    #expect(try memory.recollection(of: "HD Webcam: C270/é") == one)
    #expect(try memory.recollection(of: "sim:,drop=5%") == other)
    #expect(try memory.recollection(of: "another") == nil)
    #expect(try memory.keep(other, of: "HD Webcam: C270/é") == nil)
    #expect(try memory.recollection(of: "HD Webcam: C270/é") == other)
  }

  @Test("are the usual ones if the file is damaged, which is reported and never loses the file")
  func damaged() throws {
    #expect(try memory.keep(unusual(), of: "camera") == nil)
    let texts = ["pre: -1s\n", "speed: fast\n", "motion: area=7\n", "[", "label: \"\u{1b}\"\n"]
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.path("studio")).sorted()
    }
    for text in texts {
      try Data(text.utf8).write(to: folder.url.appending(path: "studio/camera.yaml"))
      let error = #expect(throws: OvercrankError.self) { try memory.recollection(of: "camera") }
      #expect(error?.code == .badData && error?.description.contains(".bad.") == true, "\(text)")
      #expect(try !names().contains("camera.yaml"))
      #expect(try memory.recollection(of: "camera") == nil)
    }
    // A file that became faulty while the studio ran is not replaced, either.
    try Data("speed: faster\n".utf8).write(to: folder.url.appending(path: "studio/camera.yaml"))
    #expect(try memory.keep(unusual(), of: "camera") != nil)
    #expect(try memory.recollection(of: "camera") == unusual())
    let faulty = try names().filter { $0.hasSuffix(".bad") }.map {
      String(decoding: try Data(contentsOf: folder.url.appending(path: "studio/\($0)")), as: UTF8.self)
    }
    #expect(Set(faulty) == Set(texts + ["speed: faster\n"]))
  }

  @Test(
    "are saved as a setup only by a valid name", arguments: ["", ".x", "-x", "a/b", "a\0b", "a\nb", "\u{1b}"])
  func names(name: String) {
    let error = #expect(throws: OvercrankError.self) { try Setup.file(named: name) }
    #expect(error?.code == .badName)
  }

  @Test("are those that the next studio starts with, but for what it is told")
  func restart() async throws {
    let table = """
      {"card": "Small", "modes": [
        {"fourcc": "MJPG", "width": 320, "height": 240, "intervals": [[1, 60]]},
        {"fourcc": "MJPG", "width": 640, "height": 480, "intervals": [[1, 30]]}]}
      """
    try Data(table.utf8).write(to: folder.url.appending(path: "small.json"))
    var options = StudioOptions(
      cameras: ["sim:\(folder.path("small.json"))"], folder: FilePath(folder.path("takes")), memory: memory,
      thumbnails: nil)

    func run(_ body: (Studio) async throws -> Void) async throws {
      let studio = Studio(options)
      let task = Task { await studio.run() }
      while await studio.state().phase != .armed { try await Task.sleep(for: .milliseconds(10)) }
      let outcome: Result<Void, any Error>
      do { outcome = .success(try await body(studio)) } catch { outcome = .failure(error) }
      task.cancel()
      await task.value
      try outcome.get()
    }

    try await run { studio in
      #expect(await studio.state().camera?.mode.mode.width == 320)
      #expect(await studio.state().settings == StudioSettings())
      try await studio.useCamera(
        nil, .mode(fourcc: "MJPG", width: 640, height: 480, interval: FrameInterval(1, 30)))
      try await studio.change(
        SettingsChange(
          preRoll: .milliseconds(300),
          motion: .init(settings: MotionSettings(threshold: 100, area: 0.99), triggers: true),
          label: "drop 3"))
      _ = try await studio.setControl("gain", to: 40, rate: nil)
    }
    try await run { studio in
      let state = await studio.state()
      #expect(state.camera?.mode.mode.width == 640)
      #expect(state.settings.preRoll == .milliseconds(300) && state.settings.label == "drop 3")
      // It must not record before the user asks.
      #expect(state.settings.motion?.triggers == false)
      // The session sets it once the camera is open.
      while try await !studio.controls().contains(where: {
        $0.control.name == "gain" && $0.control.control.value == 40
      }) {
        try await Task.sleep(for: .milliseconds(10))
      }
    }
    var settings = StudioSettings()
    settings.label = "other"
    options.settings = settings
    options.rate = .rate(FrameRate(whole: 60))
    try await run { studio in
      #expect(await studio.state().settings == settings)
      #expect(await studio.state().camera?.mode.mode.width == 320)
    }
  }
}
