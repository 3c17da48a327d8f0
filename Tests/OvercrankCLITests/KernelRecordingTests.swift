import FrameJudge
import Foundation
import Testing
import Timebase

@Suite("Recording the kernel's cameras", .serialized, .tags(.kernel), .needs(KernelCameras.vivid))
struct KernelRecordingTests {
  @Test(
    "vivid records at 120 fps, single- and multi-planar, and its settings are restored",
    arguments: [false, true])
  func vivid(_ isMultiplanar: Bool) throws {
    let node = try #require(isMultiplanar ? KernelCameras.multiplanarVivid : KernelCameras.vivid)
    try KernelCameras.setElsewhere(node)
    let before = try KernelCameras.settings(of: node)
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      "record", node, "--no-thumbnail", "--ring", "32MiB", "--fps", "120", "--frames", "30", "--no-clip",
      "-o",
      folder.path("x.mp4"))
    #expect(run.status == 0, "\(run.errors)")
    #expect(try KernelCameras.settings(of: node) == before)

    let take = try folder.take()
    checkTruth(take)
    #expect(take.mode.fourcc == "YUYV")
    #expect(take.mode.width == 640)
    #expect(take.acceptedInterval == FrameInterval(1, 120))
    #expect(take.clock == .monotonic)
    #expect(take.frames.lost.corrupt == 0)
    let probe = try Probe(folder.path("x.master.mov"))
    #expect(probe.packets.count == Int(take.frames.written))
    #expect(probe.packets.allSatisfy { $0.size == "\(640 * 480 * 2)" })
    // Microseconds since the first frame, as the driver stamped them.
    let start = try #require(take.timestamps.first)
    #expect(probe.packets.map(\.pts) == take.timestamps.map { ($0 - start).wholeNanoseconds / 1000 })
  }

  @Test("formats and the choice of a mode come from the driver")
  func choice() throws {
    let node = try #require(KernelCameras.vivid)
    let run = try OvercrankProgram("select", node, "--fps", "120", "--json")
    #expect(run.status == 0)
    #expect(run.output.contains("\"width\" : 640"))
    let none = try OvercrankProgram("select", node, "--fps", "480")
    #expect(none.status == 69)
  }

  @Test("a device in use by another program is reported as busy, and that program is not disturbed")
  func busy() throws {
    let node = try #require(KernelCameras.vivid)
    let folder = try TemporaryFolder()
    let first = try OvercrankProgram(
      [
        "record", node, "--no-thumbnail", "--fps", "30", "--max-width", "320", "--no-clip", "-o",
        folder.path("x.mp4"),
      ],
      whileRunning: { process in
        folder.waitForVideo(of: process)
        let second = try OvercrankProgram(
          "record", node, "--no-thumbnail", "--fps", "60", "--frames", "5", "--no-clip", "-o",
          folder.path("y.mp4"))
        #expect(second.status == 75)
        #expect(second.errors.contains("fuser -v"))
        #expect(second.errors.contains("It is open in overcrank (process \(process.processIdentifier))."))
        folder.waitForVideo(of: process)
        kill(process.processIdentifier, SIGINT)
      })
    #expect(try folder.names == ["x.master.mov", "x.take.json"])
    // The first recording is not affected.
    #expect(first.status == 0, "\(first.errors)")
    let take = try folder.take()
    checkTruth(take)
    #expect(take.acceptedInterval == FrameInterval(1, 30))
    #expect(take.frames.lost.corrupt == 0)
  }

  @Test("a simulated camera played into v4l2loopback has each frame number in the master or the ledger")
  func loopback() throws {
    let node = try #require(KernelCameras.loopback)
    let folder = try TemporaryFolder()
    let fed = try FedLoopback(node)
    defer { fed.stop() }
    let before = try KernelCameras.settings(of: node)
    let run = try OvercrankProgram(
      "record", node, "--no-thumbnail", "--fps", "240", "--duration", "1s", "--no-clip", "-o",
      folder.path("x.mp4"))
    #expect(run.status == 0, "\(run.errors)")
    #expect(try KernelCameras.settings(of: node) == before)
    let take = try folder.take()
    checkTruth(take)
    #expect(take.mode.fourcc == "MJPG")
    #expect(take.acceptedInterval == FrameInterval(1, 240))
    #expect(take.mode.width == FedLoopback.width)
    // The player skips no number, so the strip's numbers are the driver's, apart from their start.
    let video = try StripVideo(folder.path("x.master.mov"))
    #expect(video.complaints.isEmpty, "\(video.complaints)")
    let numbers = video.numbers
    #expect(numbers.count == take.sequences.count)
    let offset = Int64(try #require(numbers.first.flatMap { $0 })) - (take.sequences.first ?? 0)
    let wrong = zip(numbers, take.sequences).filter { $0.map(Int64.init) != $1 + offset }
    #expect(wrong.isEmpty, "\(wrong.prefix(5))")
  }

  @Test("an H.264 stream played into v4l2loopback is in the master from a key frame on")
  func stream() throws {
    let node = try #require(KernelCameras.loopback)
    let folder = try TemporaryFolder()
    let fed = try FedLoopback(node, "H264", rate: 30)
    defer { fed.stop() }
    let run = try OvercrankProgram(
      "record", node, "--format", "h264", "--frames", "40", "--no-clip", "--no-thumbnail", "-o",
      folder.path("x.mp4"))
    #expect(run.status == 0, "\(run.errors)")
    let take = try folder.take()
    checkTruth(take)
    #expect(take.mode.fourcc == "H264" && take.frames.written == 40)
    // A key frame that is lost before the take is in no ledger, and the next is 30 frames later.
    #expect(try #require(take.interframe?.skipped) < 60 + take.frames.lost.total)
    let numbers = try StripVideo(folder.path("x.master.nut")).numbers
    let first = try #require(numbers.first.flatMap { $0 })
    #expect(first % 30 == 0)
    // What the decoder makes of frames after a lost one is its own choice.
    guard take.frames.lost.total == 0 else { return }
    #expect(numbers == (0..<40).map { first + $0 })
  }
}
