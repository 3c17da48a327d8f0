import Platform
import CameraModel
import Capture
import Diagnostics
import FrameJudge
import Foundation
import Overcrank
import SystemPackage
import Takes
import Testing
import Timebase

@Suite("The commands as library calls", .timeLimit(.minutes(1)))
struct FrontDoorTests {
  @Test("a bench measures a mode, and lists all the requested ones")
  func bench() throws {
    let bench = try ModeBench(CaptureDevice(named: "sim:,clock=virtual"), duration: .milliseconds(300))
    #expect(bench.modes().count == 6)
    let modes = bench.modes(.init(maxWidth: 640))
    #expect(modes.map(\.width) == [640, 640])
    #expect(bench.modes(.init(maxWidth: 1)).isEmpty)
    let mode = try #require(modes.last)
    let report = bench.measure(mode, with: try bench.controlPlan(for: mode))
    let measurement = try report.outcome.get()
    #expect(measurement.frames.written > 0)
    #expect(report.mode == mode)
  }

  @Test("an examination reports the mode and the checks, and a missing camera")
  func examination() throws {
    let folder = try TemporaryFolder()
    let examination = try Examination(
      ofCamera: "sim:", criteria: .init(maxWidth: 640), folder: FilePath(folder.url.path))
    #expect(examination.camera == "sim:")
    #expect(examination.mode?.width == 640)
    #expect(!examination.diagnosis.checks.isEmpty)
    #expect(try folder.names.isEmpty)

    let none = try Examination(ofCamera: "/dev/video-none", folder: FilePath(folder.url.path))
    #expect(none.mode == nil)
    #expect(!none.diagnosis.isClean)
  }

  @Test(
    "a still is a JPEG of the largest mode, and replaces a file only if it may", .tags(.program),
    .timeLimit(.minutes(1)))
  func still() throws {
    let folder = try TemporaryFolder()
    let path = FilePath(folder.path("still.jpg"))
    let device = try CaptureDevice(named: "sim:,clock=virtual")
    var settings = StillSettings(skippedFrames: 0, output: path)
    let recorder = try StillRecorder(device, settings)
    #expect(recorder.mode.width == 1920)
    let still = try #require(try recorder.take().first).still
    #expect(try Data(contentsOf: URL(filePath: path.string)) == Data(still.bytes))
    #expect(try Probe(path.string).streams.first?.width == 1920)
    do throws(RecordError) {
      _ = try StillRecorder(device, settings)
      Issue.record("the name is taken")
    } catch {
      guard case .failure(let error) = error, error.remedy == .replace else {
        Issue.record("\(error)")
        return
      }
    }
    settings.replacesFile = true
    settings.rate = .rate(FrameRate(whole: 240))
    #expect(try StillRecorder(device, settings).mode.width == 1280)
  }

  @Test("a missing source is reported, and whether its recording was cut off")
  func record() throws {
    let folder = try TemporaryFolder()
    let path = FilePath(folder.path("x.master.mov"))
    let video = try SourceVideo(path)
    #expect(video.takePath == nil)
    #expect(video.clipName(in: .mp4) == FilePath(folder.path("x-slow.mp4")))
    do throws(OvercrankError) {
      try video.checkExists()
      Issue.record("there is no film")
    } catch {
      #expect(error.code == .noInput)
    }
    try Data().write(to: URL(filePath: "\(path).part"))
    do throws(OvercrankError) {
      try video.checkExists()
      Issue.record("there is no film")
    } catch {
      #expect(error.remedy == .recover(path))
    }
  }

  @Test("a range of rates contains a rate to within one per cent, and a row gives its mode")
  func rates() throws {
    var row = ModeRow(
      fourcc: "MJPG", size: .discrete(width: 1280, height: 720),
      intervals: [FrameInterval(1001, 120_000), FrameInterval(1, 30)])
    let asked = FrameRate(whole: 120)
    #expect(row.frameRateRanges.map { $0.contains(asked) } == [true, false])
    #expect(row.mode(at: asked)?.interval == FrameInterval(1001, 120_000))
    #expect(row.mode(at: FrameRate(whole: 240)) == nil)
    row.continuous = IntervalRange(min: FrameInterval(1, 240), max: FrameInterval(1, 10))
    #expect(row.frameRateRanges.last?.maxFrameRate == FrameRate(whole: 240))
    #expect(row.mode(at: FrameRate(whole: 100))?.interval == FrameInterval(1, 100))
  }
}
