import CameraModel
import Cameras
import Foundation
import Media
import Platform
import Simulator
import Takes
import Testing
import Timebase

@testable import Capture

/// An output that fails after a number of frames.
private final class FailingOutput: TakeOutput {
  private(set) var bytesWritten: Int64 = 0
  private var rest: Int

  init(after count: Int) { rest = count }

  func write(
    _ frame: UnsafeRawBufferPointer, sequence: UInt32, timestampNanoseconds: Int64, isTimedAtDequeue: Bool
  ) throws(OvercrankError) {
    guard rest > 0 else { throw OvercrankError(.inputOutput, "The disk has failed.") }
    rest -= 1
    bytesWritten += Int64(frame.count)
  }
}

/// An output during whose writes the next frame arrives, as from a capture thread.
private final class OvertakenOutput: TakeOutput, @unchecked Sendable {
  // Unchecked: only the test's thread uses it.
  private(set) var bytesWritten: Int64 = 0
  private var producer: RingProducer?
  private var next: UInt32 = 0
  private let count: UInt32

  init(_ producer: consuming RingProducer, _ count: UInt32) {
    self.producer = .some(producer)
    self.count = count
    push()
  }

  private func push() {
    guard next < count else {
      producer.take()?.close()
      return
    }
    let record = RingRecord(
      kind: .frame, sequence: next, timestampNanoseconds: 1_000_000_000 + Int64(next) * 4_000_000)
    next += 1
    _ = producer?.push(record, payloadBytes: 64) { _ in }
  }

  func write(
    _ frame: UnsafeRawBufferPointer, sequence: UInt32, timestampNanoseconds: Int64, isTimedAtDequeue: Bool
  ) {
    bytesWritten += Int64(frame.count)
    push()
  }
}

@Suite("The status of a session")
struct SessionStatusTests {
  private static let plan = SessionPlan(
    preRoll: .milliseconds(100), limit: RecordingLimit(duration: .milliseconds(600)), takeCount: nil)

  /// What listeners learned about one take.
  private struct Told {
    var lost: Int64 = 0
    var progress: SessionStatus?
  }

  private func checkSums(_ status: SessionStatus, location: SourceLocation = #_sourceLocation) {
    let frames = status.frames
    #expect(frames.sent == frames.came + frames.lost.total - frames.lost.disk, sourceLocation: location)
    #expect(
      frames.came == frames.waiting + frames.written + frames.letGo + frames.lost.disk && frames.waiting >= 0,
      sourceLocation: location)
    guard let take = status.take else { return }
    #expect(take.frames.sent == take.frames.written + take.frames.lost.total, sourceLocation: location)
    #expect(take.frames.written <= frames.written, sourceLocation: location)
    for stage in LossStage.allCases {
      #expect(take.frames.lost[stage] <= frames.lost[stage], "\(stage)", sourceLocation: location)
    }
  }

  private func lostInJSON(_ event: SessionEvent) throws -> Int64? {
    struct Line: Decodable { var lost: Int64? }
    return try JSONDecoder().decode(Line.self, from: JSONEncoder().encode(event)).lost
  }

  @Test(
    "agrees with all events about frames lost by the driver, by damage, by a full ring and by the disk",
    arguments: [10_000, 80])
  func tellings(untilDiskFails: Int) throws {
    var stage = try SessionStage(
      camera: "sim:,drop=20+40+60-62+200-209,flagged=80-83+230,stall=200ms@300", ring: 256 << 10,
      plan: Self.plan
    ) { _ in FailingOutput(after: untilDiskFails) }
    for step in 0..<800 where !stage.isDone {
      if step % 200 == 60 { stage.commands.trigger(TriggerEvent(.signal, at: stage.now)) }
      let stalls = step % 100 > 40
      try stage.advance(by: .milliseconds(5), writerStalls: stalls)
      let status = stage.status
      checkSums(status)
      if !stalls { #expect(status.frames.came == stage.arrived.count { $0.kind == .frame }) }
    }
    try stage.stop()

    var (takes, revision) = ([Int: Told](), 0)
    var (written, lost) = (Int64(0), Take.FrameCounts.Lost())
    _ = stage.ended
    for event in stage.told {
      switch event.kind {
      case .lost(let take, let frames): takes[take, default: Told()].lost += frames
      case .progress(let status):
        checkSums(status)
        #expect(status.revision >= revision)
        revision = status.revision
        #expect(try lostInJSON(event) == status.framesLost)
        guard let take = status.take else { continue }
        #expect(take.frames.lost.total == takes[status.takeNumber]?.lost ?? 0)
        takes[status.takeNumber, default: Told()].progress = status
      case .takeEnded(let number, let result):
        let accounting = try result.get().accounting
        #expect(accounting.lost.total == takes[number]?.lost ?? 0)
        #expect(try lostInJSON(event) == accounting.lost.total)
        for stage in LossStage.allCases {
          #expect(accounting.lost[stage] == accounting.ledger.count(of: stage))
          let told = takes[number]?.progress?.take?.frames.lost[stage] ?? 0
          #expect(told <= accounting.lost[stage])
        }
        written += accounting.written
        lost = Take.FrameCounts.Lost(
          driver: lost.driver + accounting.lost.driver, corrupt: lost.corrupt + accounting.lost.corrupt,
          ring: lost.ring + accounting.lost.ring, disk: lost.disk + accounting.lost.disk)
      default: break
      }
    }
    let end = stage.status
    #expect(end.phase == .ended && end.take == nil && end.frames.waiting == 0)
    #expect(end.frames.written == written && end.frames.lost.disk == lost.disk)
    #expect(end.frames.lost.ring >= lost.ring && end.frames.lost.corrupt >= lost.corrupt)
    #expect(end.frames.lost.driver >= lost.driver)
    #expect(lost.driver > 0 && lost.corrupt > 0 && lost.ring > 0)
    #expect((lost.disk > 0) == (untilDiskFails < 1000))
  }

  @Test("counts a frame that arrives while another one is written")
  func overtaken() throws {
    let count: UInt32 = 200
    let interval = FrameInterval(1, 250)
    let ends = try Ring.make(minimumCapacity: 1 << 16)
    let output = OvertakenOutput(ends.producer, count)
    let mode = Mode(fourcc: "GREY", width: 8, height: 8, interval: interval)
    let clock = VirtualClock(at: Instant(nanoseconds: 1_000_000_000))
    let format = FrameFormat(.grey, width: 8, height: 8, acceptedInterval: interval, clock: .monotonic)
    let configuration = StreamConfiguration(format, largestFrame: 64, bufferCount: 4, controls: [:])
    let session = CaptureSession(
      SessionSetup(
        CaptureSource(name: "test", clock: .virtual(clock)) {
          (_) throws(OvercrankError) -> SimulatedStream<VirtualClock> in
          throw OvercrankError(.noCamera, "There is none.")
        }, SessionConfiguration(mode: mode), SessionPlan(limit: RecordingLimit())
      ) { _ in output })
    _ = try session.run(ends.consumer, configuration)
    let frames = session.status.frames
    #expect(frames.came == Int64(count) && frames.written == Int64(count) && frames.lost.total == 0)
    #expect(session.status.newest?.sequence == count - 1)
  }

  @Test("has a phase for each activity of a session, and a take only while recording")
  func phases() throws {
    var plan = Self.plan
    plan.outcome = .review
    var stage = try SessionStage(ring: 4 << 20, plan: plan) { _ in FailingOutput(after: 10_000) }
    #expect(stage.status.phase == .starting && stage.status.isRunning)
    var phases: [SessionStatus.Phase] = []
    for step in 0..<260 {
      if step == 40 {
        var event = TriggerEvent(.signal, at: stage.now)
        event.span = TakeSpan(preRoll: .zero, limit: plan.limit)
        stage.commands.trigger(event)
      }
      if step == 180 { stage.commands.trigger(TriggerEvent(.signal, at: stage.now)) }
      try stage.advance(by: .milliseconds(5))
      let status = stage.status
      #expect(status.isRecording == (status.phase == .recording))
      #expect((status.review != nil) == [.gathering, .reviewing].contains(status.phase))
      if phases.last != status.phase { phases.append(status.phase) }
    }
    while stage.status.phase != .reviewing { try stage.advance(by: .milliseconds(5)) }
    #expect(phases == [.armed, .recording, .armed, .gathering])
    #expect(stage.status.takeNumber == 2 && !stage.status.isRunning)
    try stage.stop()
    #expect(stage.status.phase == .ended)
  }
}
