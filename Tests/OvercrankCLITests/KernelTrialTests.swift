import CameraModel
import Cameras
import Capture
import FrameJudge
import Foundation
import SystemPackage
import Testing
import Timebase

@Suite(
  "Trying a mode restores a kernel camera's settings", .serialized,
  .tags(.kernel), .needs(KernelCameras.vivid))
struct KernelTrialTests {
  @Test("and vivid gives what it lists, single- and multi-planar", arguments: [false, true])
  func vivid(_ isMultiplanar: Bool) throws {
    let node = try #require(isMultiplanar ? KernelCameras.multiplanarVivid : KernelCameras.vivid)
    try KernelCameras.setElsewhere(node)
    let before = try KernelCameras.settings(of: node)
    let run = try OvercrankProgram("select", node, "--fps", "120", "--verify", "--json")
    #expect(run.status == 0, "\(run.errors)")
    let answer = try run.json(TrialCommandTests.Answer.self)
    #expect(answer.verified == true)
    #expect(answer.accepted?.width == 640)
    #expect(answer.accepted?.fps == 120)
    #expect(answer.refused?.isEmpty == true)
    #expect(try KernelCameras.settings(of: node) == before)
  }

  @Test("even if the driver gives less than its table claims, which is noticed")
  func claims() throws {
    let node = try #require(KernelCameras.vivid)
    try KernelCameras.setElsewhere(node)
    let before = try KernelCameras.settings(of: node)
    let camera = CaptureDevice.camera(V4L2Camera(path: FilePath(node)))
    var table = try camera.table(profiles: ProfileLibrary(userFolder: "/no/such/folder"))
    let row = try #require(
      table.rows.first { $0.fourcc == "YUYV" && $0.size == .discrete(width: 640, height: 480) })
    // A rate that it does not have at a size that it has, and a size that it does not have.
    for size in [(width: UInt32(1920), height: UInt32(1080)), (width: 4000, height: 3000)] {
      var claim = row
      claim.size = .discrete(width: size.width, height: size.height)
      claim.intervals = [FrameInterval(1, 120)]
      table.rows.insert(claim, at: 0)
    }
    let choice = ModeChoice(
      from: table, for: .init(rate: FrameRate(whole: 120), .init(format: try FormatFilter(text: "YUYV"))))
    let trial = try camera.trial(of: [choice])
    #expect(trial.refused.map(\.mode.width) == [4000, 1920])
    #expect(trial.refused.allSatisfy { $0.got != nil })
    #expect(trial.mode?.width == 640)
    #expect(trial.accepted?.interval?.rate == FrameRate(whole: 120))
    #expect(try KernelCameras.settings(of: node) == before)
  }

  @Test("unless another program is using the camera: then it is busy")
  func busy() throws {
    let node = try #require(KernelCameras.vivid)
    let folder = try TemporaryFolder()
    _ = try OvercrankProgram(
      [
        "record", node, "--no-thumbnail", "--fps", "30", "--max-width", "320", "--no-clip", "-o",
        folder.path("x.mp4"),
      ],
      whileRunning: { process in
        folder.waitForVideo(of: process)
        let second = try OvercrankProgram("select", node, "--fps", "60", "--verify")
        #expect(second.status == 75)
        #expect(second.errors.contains("fuser -v"))
        kill(process.processIdentifier, SIGINT)
      })
  }

  @Test("and v4l2loopback, with one format and a fixed rate, gives only those")
  func loopback() throws {
    let node = try #require(KernelCameras.loopback)
    let fed = try FedLoopback(node)
    defer { fed.stop() }
    let before = try KernelCameras.settings(of: node)
    let run = try OvercrankProgram("select", node, "--fps", "240", "--verify", "--json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try run.json(TrialCommandTests.Answer.self).accepted?.fps == 240)

    // Claims that a table may make and the driver ignores: another size, and a rate beyond its own.
    let camera = CaptureDevice.camera(V4L2Camera(path: FilePath(node)))
    var table = try camera.table(profiles: ProfileLibrary(userFolder: "/no/such/folder"))
    var claim = try #require(table.rows.first)
    claim.size = .discrete(width: 1920, height: 1080)
    claim.intervals = [FrameInterval(1, 240)]
    table.rows.insert(claim, at: 0)
    let trial = try camera.trial(of: [ModeChoice(from: table, for: .init(rate: FrameRate(whole: 240)))])
    #expect(trial.refused.map(\.mode.width) == [1920])
    #expect(trial.refused.map(\.got?.width) == [UInt32(FedLoopback.width)])
    #expect(trial.mode?.width == UInt32(FedLoopback.width))
    #expect(try KernelCameras.settings(of: node) == before)
  }
}
