import Platform
import CameraModel
import FrameJudge
import Foundation
import Media
import SystemPackage
import Takes
import Testing
import Timebase

@testable import Capture

@Suite("Takes with a limit on the master's size")
struct FullTakeTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func stage(limit: Int64, camera: String = "sim:", _ plan: SessionPlan) throws -> SessionStage {
    let format = try #require(MasterFormat(.grey))
    return try SessionStage(camera: camera, plan: plan) { [folder] (take) throws(CaptureError) in
      do throws(OvercrankError) {
        return try MasterWriter(
          to: FilePath(folder.path("\(take.number).nut")), as: format, of: take.configuration.frameFormat,
          replacing: false, sizeLimit: limit)
      } catch {
        throw .master(error)
      }
    }
  }

  private func size(_ take: Int) throws -> Int64 {
    Int64(try Stat(FilePath(folder.path("\(take).nut"))).size)
  }

  @Test("end when the next frame would exceed the limit")
  func ends() throws {
    let limit: Int64 = 300_000
    var stage = try stage(limit: limit, SessionPlan(limit: RecordingLimit()))
    while !stage.isDone { try stage.advance(by: .milliseconds(5)) }
    #expect(stage.failure == nil)
    let recording = try #require(stage.ended.first).get()
    let frame = Int64(SessionStage.width * SessionStage.height)
    #expect(recording.isFull)
    #expect(try size(1) <= limit)
    #expect(try size(1) + frame > limit)
    #expect(recording.accounting.ledger.total == 0)
    #expect(
      try stripNumbers(inMaster: folder.path("1.nut"))
        == (0..<UInt32(recording.accounting.written)).map { $0 })
    #expect(stage.ended.count == 1)
  }

  @Test("are not full if they end before")
  func isNotFull() throws {
    var stage = try stage(limit: 300_000, SessionPlan(limit: RecordingLimit(frames: 10)))
    while !stage.isDone { try stage.advance(by: .milliseconds(5)) }
    let recording = try #require(stage.ended.first).get()
    #expect(!recording.isFull)
    #expect(recording.accounting.written == 10)
  }

  @Test("each have their own limit, and the next may begin with the frame that did not fit")
  func several() throws {
    let limit: Int64 = 200_000
    var stage = try stage(
      limit: limit, camera: "sim:,drop=3%,seed=7",
      SessionPlan(preRoll: .milliseconds(100), limit: RecordingLimit(), takeCount: 2))
    try stage.advance(by: .milliseconds(500))
    stage.commands.trigger(TriggerEvent(.signal, at: stage.now))
    while stage.ended.count < 1 { try stage.advance(by: .milliseconds(5)) }
    stage.commands.trigger(TriggerEvent(.signal, at: stage.now))
    while !stage.isDone { try stage.advance(by: .milliseconds(5)) }
    let takes = try stage.ended.map { try $0.get() }
    try #require(takes.count == 2)
    for (index, take) in takes.enumerated() {
      #expect(take.isFull)
      #expect(try size(index + 1) <= limit)
      #expect(try size(index + 1) + 4096 > limit)
      #expect(take.accounting.sent == take.accounting.written + take.accounting.ledger.total)
    }
    // Each frame is in exactly one of the two.
    let first = try #require(takes[0].accounting.sequences.last)
    let second = try #require(takes[1].accounting.sequences.first)
    #expect(second > first)
    let between = stage.arrived.filter {
      $0.kind == .frame && (first + 1..<second).contains(Int64($0.number))
    }
    #expect(between.isEmpty)
  }

  /// Records a take with audio that ends by its limit. Returns its frames, its samples, and its file's size.
  private func take(
    heardBy microphone: String, limit: Int64
  ) throws -> (frames: Int64, audio: AudioAccounting, size: Int64) {
    let path = folder.path("\(UUID()).nut")
    var stage = try SessionStage(
      microphone: microphone, plan: SessionPlan(limit: RecordingLimit()), sizeLimit: limit
    ) { _ in path }
    while !stage.isDone { try stage.advance(by: .milliseconds(5)) }
    #expect(stage.failure == nil)
    let recording = try #require(stage.ended.first).get()
    #expect(recording.isFull)
    return (
      Int64(recording.accounting.written), try #require(recording.audio),
      Int64(try Stat(FilePath(path)).size)
    )
  }

  @Test(
    "hold all the audio of their frames, and have no room for one more frame",
    arguments: [60_000, 300_000, 1_500_000] as [Int64],
    ["sim:", "sim:,late=20ms", "sim:,drift=500ppm", "sim:,drop=100ms-200ms"])
  func heard(limit: Int64, microphone: String) throws {
    let whole = try take(heardBy: microphone, limit: limit)
    #expect(whole.size <= limit)
    let rate = Double(whole.audio.input.format.rate) * (microphone.contains("drift") ? 1.0005 : 1)
    let samples = Double(whole.frames) / 240 * rate
    #expect((Double(whole.audio.sampleCount) - samples).magnitude < 50)
    // The bytes of a frame, including its audio and the container's overhead.
    let frame =
      Int64(SessionStage.width * SessionStage.height) + 64
      + Int64(rate) / 240 * Int64(whole.audio.input.format.sampleBytes)
    let next = try take(heardBy: microphone, limit: whole.size + frame)
    #expect(next.frames == whole.frames + 1)
    #expect(next.size > limit)
  }

  @Test("saved from a review have the limit too, with the audio after all frames")
  func reviewed() throws {
    let limit: Int64 = 1_500_000
    let path = folder.path("part.nut")
    var stage = try SessionStage(
      ring: 16 << 20, microphone: "sim:",
      plan: SessionPlan(preRoll: .seconds(3), limit: RecordingLimit(), takeCount: nil), sizeLimit: limit
    ) { _ in path }
    for _ in 0..<800 { try stage.advance(by: .milliseconds(5)) }
    stage.commands.send(.review)
    for _ in 0..<100 { try stage.advance(by: .milliseconds(5)) }
    let end = SessionStage.start + .seconds(3.5)
    stage.commands.send(.save(TakePart(start: end - .seconds(2), end: end)))
    for _ in 0..<10 { try stage.advance(by: .milliseconds(5)) }
    try stage.stop()
    while !stage.isDone { try stage.advance(by: .milliseconds(5)) }
    let recording = try #require(stage.ended.first).get()
    #expect(recording.isFull)
    let audio = try #require(recording.audio)
    #expect(audio.sampleCount.distance(to: Int64(recording.accounting.written) * 200).magnitude < 10)
    let size = Int64(try Stat(FilePath(path)).size)
    #expect(size <= limit)
    #expect(size + Int64(SessionStage.width * SessionStage.height) + 200 * 4 + 64 > limit)
  }

  @Test("end the session with an error if not even one frame fits")
  func tooSmall() throws {
    var stage = try stage(limit: 3000, SessionPlan(limit: RecordingLimit()))
    while !stage.isDone { try stage.advance(by: .milliseconds(5)) }
    let failure = #expect(throws: CaptureError.self) { try stage.ended.first?.get() }
    guard case .master(let error)? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(error.code == .outOfRange)
    #expect(error.remedy == .allowLargerFile)
    #expect(error.description.contains("3000 bytes"))
    #expect(try folder.names.filter { !$0.hasSuffix(".nut.part") }.isEmpty)
  }
}
