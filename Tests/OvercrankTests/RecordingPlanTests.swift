import Platform
import CameraModel
import Cameras
import Capture
import Foundation
import Media
import SystemPackage
import Takes
import Testing
import Timebase

@testable import Overcrank

@Suite("The plan of a recording")
struct RecordingPlanTests {
  private static let fast = ModeRow(
    fourcc: "MJPG", size: .discrete(width: 640, height: 480), intervals: [FrameInterval(1, 240)])
  private static let large = ModeRow(
    fourcc: "MJPG", size: .discrete(width: 1920, height: 1080), intervals: [FrameInterval(1, 60)])
  private static let odd = ModeRow(
    fourcc: "XYZ1", size: .discrete(width: 640, height: 480), intervals: [FrameInterval(1, 500)])

  /// The plan for a camera with the modes of `rows`, whose driver refuses those of some widths.
  private func plan(
    _ request: RecordRequest, _ rows: [ModeRow] = [large, fast], refusing widths: Set<UInt32> = [],
    mounting: CameraMounting = CameraMounting()
  ) throws -> RecordingPlan {
    var table = CameraTable(card: "Test", rows: rows)
    table.mounting = mounting
    let choices = ModeChoice.possible(request.choices(from: table)).filter { $0.mode != nil }
    let trial = try ModeTrial(of: choices) { (mode) throws(OvercrankError) in
      guard !widths.contains(mode.width) else { throw OvercrankError(.noMode, "no such mode") }
      return AcceptedMode(
        fourcc: mode.fourcc, width: mode.width, height: mode.height, interval: mode.interval)
    }
    let facts = RecordingFacts(
      camera: "/dev/video9", table: table, trial: trial, controls: [], profile: nil,
      date: Date(timeIntervalSince1970: 1_500_000_000), library: "/library")
    return try RecordingPlan(request, facts)
  }

  @Test("has the mode that the rule chooses and the driver gives, and lists the refused ones")
  func mode() throws {
    #expect(try plan(RecordRequest(rate: .rate(FrameRate(whole: 240)))).mode.width == 640)
    #expect(try plan(RecordRequest(rate: .rate(FrameRate(whole: 60)))).mode.width == 1920)
    let fallback = try plan(RecordRequest(rate: .rate(FrameRate(whole: 60))), refusing: [1920])
    #expect(fallback.mode.width == 640 && fallback.metadata.requestedMode?.width == 1920)
    #expect(fallback.metadata.refusedModes?.map(\.mode.width) == [1920])
    #expect(fallback.metadata.requestedFramesPerSecond == 60)
  }

  @Test("refuses an impossible mode, one that the driver refuses, and frames that no master can hold")
  func refusals() throws {
    #expect {
      try plan(RecordRequest(rate: .rate(FrameRate(whole: 1000))))
    } throws: {
      if case RecordError.noMode(let choice, _, "/dev/video9") = $0 { !choice.nearest.isEmpty } else { false }
    }
    #expect {
      try plan(RecordRequest(rate: .rate(FrameRate(whole: 60))), refusing: [1920, 640])
    } throws: {
      if case RecordError.modesRefused(let trial, _) = $0 { trial.refused.count == 2 } else { false }
    }
    #expect {
      try plan(RecordRequest(rate: .rate(FrameRate(whole: 500))), [Self.odd])
    } throws: {
      if case RecordError.failure(let error) = $0 { error.description.contains("XYZ1") } else { false }
    }
  }

  @Test(
    "turns clips as the camera is mounted, unless the request says otherwise",
    arguments: [(90, nil, 270), (270, nil, 90), (180, nil, 180), (0, nil, nil), (90, 0, nil), (90, 90, 90)]
      as [(Int, Int?, Int?)])
  func mounting(rotation: Int, requested: Int?, turn: Int?) throws {
    let request = RecordRequest(
      rate: .rate(FrameRate(whole: 240)), turn: requested.flatMap { PictureTurn(degrees: $0) })
    let plan = try plan(request, mounting: CameraMounting(rotation: rotation))
    #expect(plan.metadata.turn?.degrees == turn && plan.request.turn == plan.metadata.turn)
  }

  @Test("names files by the request, else by the date in the folder or the library, and creates none")
  func names() throws {
    var request = RecordRequest(
      rate: .rate(FrameRate(whole: 240)), output: "/nowhere/{camera}-{fps}.mp4", label: "drop")
    let named = try plan(request)
    #expect(named.clip == "/nowhere/{camera}-{fps}.mp4")
    let facts = named.nameFacts(at: named.facts.date)
    #expect(facts.camera == "Test" && facts.label == "drop" && facts.rate == named.mode.rate)
    request.output = nil
    let stem = LibraryFolder.stem(at: named.facts.date)
    #expect(try plan(request).clip == FilePath("/library/\(stem).mp4"))
    request.folder = "/other"
    #expect(try plan(request).clip == FilePath("/other/\(stem).mp4"))
  }

  @Test("keeps frames for as long as its slowest trigger may be delayed")
  func triggers() throws {
    struct Slow: TriggerSource {
      static let kind = TriggerKind(rawValue: "slow")
      static let usage = "slow"
      let prompt = "wait"
      let time: TriggerTime? = nil
      let delay = Duration.seconds(3)
      init(argument: String?) {}
      func open(to session: CaptureSession) throws(OvercrankError) -> (any Sendable)? { nil }
    }
    var request = RecordRequest(
      rate: .rate(FrameRate(whole: 240)), plan: SessionPlan(preRoll: .seconds(2), limit: RecordingLimit()))
    #expect(try plan(request).session.triggerDelay == SessionPlan.usualTriggerDelay)
    request.triggers = [Slow(argument: nil)]
    #expect(try plan(request).session.triggerDelay == .seconds(3))
    #expect(try plan(request).session.preRoll == .seconds(2))
  }
}
