import FilmJudge
import Foundation
import Takes
import Testing
import Timebase

@Suite(
  "Audio of the kernel's devices beside a camera", .serialized, .tags(.kernel), .needs(KernelCameras.vivid))
struct KernelAudioTests {
  private func load() throws {
    _ = try? Program.run("modprobe", ["-r", "snd-dummy"])
    try Program.run("modprobe", ["snd-dummy", "pcm_substreams=1"])
    try Program.run("sleep", ["1"])
  }

  @Test("is recorded, listed, and named where it is busy")
  func recorded() throws {
    try load()
    let folder = try TemporaryFolder()
    let list = try OvercrankProgram("devices", "--microphones")
    #expect(list.output.contains("Dummy"))
    let node = try #require(KernelCameras.vivid)
    let run = try OvercrankProgram(
      [
        "record", node, "--fps", "30", "--max-width", "320", "--mic", "dummy", "--duration", "3s",
        "--no-clip", "-o", folder.path("x.mp4"),
      ]
    ) { _ in
      try Program.run("sleep", ["2"])
      let busy = try OvercrankProgram(
        "record", "sim:", "--mic", "hw:Dummy", "--frames", "5", "-o", folder.path("y.mp4"))
      #expect(busy.status == 75, "\(busy.errors)")
      #expect(busy.errors.contains("Another program records from it"))
    }
    #expect(run.status == 0, "\(run.errors)")
    let take = try folder.take()
    let audio = try #require(take.audio)
    #expect(audio.lost.isEmpty)
    #expect(try #require(audio.drift).magnitude < 500)
    let last = try #require(take.timestamps.last)
    let length = (last - (take.timestamps.first ?? last)) / .seconds(1)
    #expect((Double(audio.samples) / Double(audio.nominalRate) - length).magnitude < 0.1)
  }

  @Test("that is unplugged is silence from then on, and the picture loses nothing")
  func unplugged() throws {
    try load()
    let folder = try TemporaryFolder()
    let node = try #require(KernelCameras.vivid)
    let run = try OvercrankProgram(
      [
        "record", node, "--fps", "30", "--max-width", "320", "--mic", "hw:Dummy", "--duration", "4s",
        "--no-clip", "-o", folder.path("x.mp4"),
      ]
    ) { _ in
      try Program.run("sleep", ["3"])
      try "snd_dummy.0".write(
        toFile: "/sys/bus/platform/drivers/snd_dummy/unbind", atomically: false, encoding: .utf8)
    }
    #expect(run.status == 0, "\(run.errors)")
    let take = try folder.take()
    #expect(take.frames.lost.ring == 0 && take.frames.lost.disk == 0)
    let audio = try #require(take.audio)
    #expect(!audio.lost.isEmpty)
    let last = try #require(take.timestamps.last)
    let length = (last - (take.timestamps.first ?? last)) / .seconds(1)
    #expect((Double(audio.samples) / Double(audio.nominalRate) - length).magnitude < 0.2)
  }
}
