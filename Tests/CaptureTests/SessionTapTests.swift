import FrameJudge
import Foundation
import Simulator
import Synchronization
import Takes
import Testing
import Timebase

@testable import Capture

/// An output that a test can block.
private final class HeldOutput: TakeOutput {
  /// The test's control of an output.
  final class Gate: Sendable {
    let isOpen = Mutex(true)
    let sequences = Mutex<[UInt32]>([])
    /// The number of writes and checkpoints while the gate was closed.
    let violations = Mutex(0)
  }

  private let gate: Gate
  private(set) var bytesWritten: Int64 = 0

  init(_ gate: Gate) { self.gate = gate }

  func isReady(forBytes byteCount: Int) -> Bool { gate.isOpen.withLock { $0 } }

  func write(
    _ frame: UnsafeRawBufferPointer, sequence: UInt32, timestampNanoseconds: Int64, isTimedAtDequeue: Bool
  ) {
    if !isReady(forBytes: frame.count) { gate.violations.withLock { $0 += 1 } }
    bytesWritten += Int64(frame.count)
    gate.sequences.withLock { $0.append(sequence) }
  }

  func checkpoint() {
    if !isReady(forBytes: 0) { gate.violations.withLock { $0 += 1 } }
  }
}

@Suite("Taps of a session")
struct SessionTapTests {

  @Test("that never read cost no frame while recording")
  func sleepingWhileRecording() throws {
    let gate = HeldOutput.Gate()
    let tap = FrameTap()
    var stage = try SessionStage(
      plan: SessionPlan(limit: RecordingLimit(duration: .seconds(2))), taps: [tap],
      makeOutput: { _ in HeldOutput(gate) })
    while !stage.isDone { try stage.advance(by: .milliseconds(5)) }
    let accounting = try #require(stage.ended.first).get().accounting
    #expect(accounting.written == 480)
    #expect(accounting.ledger.total == 0)
    // The tap still has its first frame, and then ends.
    #expect(tap.next()?.sequence == stage.arrived.first?.number)
    #expect(tap.next() == nil)
  }

  @Test("that never read cost no frame of the pre-roll, and get frames while armed")
  func sleepingWhileArmed() throws {
    let gate = HeldOutput.Gate()
    let (sleeper, looker) = (FrameTap(), FrameTap())
    var stage = try SessionStage(
      plan: SessionPlan(preRoll: .milliseconds(100), limit: RecordingLimit(duration: .milliseconds(50))),
      taps: [sleeper, looker], makeOutput: { _ in HeldOutput(gate) })
    var looks = 0
    for _ in 0..<200 {
      try stage.advance(by: .milliseconds(5))
      if let frame = looker.poll() {
        looks += 1
        #expect(frame.sequence == stage.arrived.last?.number)
      }
    }
    #expect(gate.sequences.withLock { $0.isEmpty })
    #expect(looks == 30)
    let trigger = stage.now
    stage.commands.trigger(TriggerEvent(.signal, at: trigger))
    while !stage.isDone { try stage.advance(by: .milliseconds(5)) }
    let recording = try #require(stage.ended.first).get()
    let window = trigger - .milliseconds(100)..<trigger + .milliseconds(50)
    let expected = stage.arrived.filter { window.contains($0.timestamp) }
    #expect(Array(recording.accounting.sequences) == expected.map { Int64($0.number) })
    #expect(recording.accounting.ledger.total == 0)
    #expect(sleeper.next()?.sequence == stage.arrived.first?.number)
  }

  @Test("get frames at no more than their own rate", arguments: [0, 1, 4, 10, 30, 100, 240])
  func rate(_ perSecond: Int64) throws {
    let gate = HeldOutput.Gate()
    let interval = perSecond == 0 ? Duration.zero : .seconds(1) / perSecond
    let tap = FrameTap(minimumInterval: interval)
    var stage = try SessionStage(
      plan: SessionPlan(limit: RecordingLimit()), taps: [tap], makeOutput: { _ in HeldOutput(gate) })
    let steps = 800
    var times: [Instant] = []
    var firstStep: Instant?
    for _ in 0..<steps {
      try stage.advance(by: .milliseconds(5))
      if !stage.arrived.isEmpty { firstStep = firstStep ?? stage.now }
      if tap.poll() != nil { times.append(stage.now) }
    }
    let shown = stage.now - (try #require(firstStep))
    // Each step has a new frame, and at most one poll.
    let most = shown.wholeNanoseconds / max(interval, .milliseconds(5)).wholeNanoseconds
    #expect(Int64(times.count) == most + 1)
    // At most one frame in each interval.
    let beats = times.map { ($0 - times[0]).wholeNanoseconds / max(1, interval.wholeNanoseconds) }
    #expect(Set(beats).count == beats.count)
    try stage.stop()
  }

  @Test("do not catch up on missed frames")
  func noCatchingUp() throws {
    let gate = HeldOutput.Gate()
    let tap = FrameTap(minimumInterval: .milliseconds(100))
    var stage = try SessionStage(
      plan: SessionPlan(limit: RecordingLimit()), taps: [tap], makeOutput: { _ in HeldOutput(gate) })
    for _ in 0..<70 { try stage.advance(by: .milliseconds(5)) }
    #expect(tap.poll() != nil)
    var looks = 0
    for _ in 0..<20 {
      try stage.advance(by: .milliseconds(5))
      if tap.poll() != nil { looks += 1 }
    }
    #expect(looks <= 2)
    try stage.stop()
  }

  @Test("get 30 frames a second while the output is not ready, and no frame is lost")
  func heldOutput() throws {
    let gate = HeldOutput.Gate()
    let tap = FrameTap(minimumInterval: .seconds(1) / 30)
    // Room for 2 s of frames and a little more.
    var stage = try SessionStage(
      ring: 4 << 20, plan: SessionPlan(limit: RecordingLimit(duration: .seconds(4))), taps: [tap],
      makeOutput: { _ in HeldOutput(gate) })
    for _ in 0..<200 {
      try stage.advance(by: .milliseconds(5))
      _ = tap.poll()
    }
    let before = gate.sequences.withLock { $0.count }
    #expect(before == stage.arrived.count)
    gate.isOpen.withLock { $0 = false }
    var looks = 0
    for _ in 0..<400 {
      try stage.advance(by: .milliseconds(5))
      guard let frame = tap.poll() else { continue }
      looks += 1
      #expect(frame.sequence == stage.arrived.last?.number)
    }
    #expect(looks == 60)
    #expect(gate.sequences.withLock { $0.count } == before)
    #expect(stage.arrived.count - before == 480)
    gate.isOpen.withLock { $0 = true }
    while !stage.isDone { try stage.advance(by: .milliseconds(5)) }
    let accounting = try #require(stage.ended.first).get().accounting
    #expect(accounting.written == 960)
    #expect(accounting.ledger.total == 0)
    #expect(gate.sequences.withLock { $0 } == stage.arrived.prefix(960).map(\.number))
    #expect(gate.violations.withLock { $0 } == 0)
  }

  @Test("get no frames once closed, and are closed at once if added after the end")
  func closing() throws {
    let gate = HeldOutput.Gate()
    let tap = FrameTap()
    var stage = try SessionStage(
      plan: SessionPlan(limit: RecordingLimit()), taps: [tap], makeOutput: { _ in HeldOutput(gate) })
    tap.close()
    for _ in 0..<20 { try stage.advance(by: .milliseconds(5)) }
    #expect(tap.next() == nil)
    try stage.stop()
    let taps = TapList<FrameTap>()
    taps.close()
    let late = FrameTap()
    taps.add(late)
    #expect(late.next() == nil)
  }

  @Test("reuse the memory of a recycled frame, but never that of one that is kept")
  func recycling() throws {
    let gate = HeldOutput.Gate()
    let tap = FrameTap(minimumInterval: .zero)
    var stage = try SessionStage(
      plan: SessionPlan(limit: RecordingLimit()), taps: [tap], makeOutput: { _ in HeldOutput(gate) })
    try stage.advance(by: .milliseconds(10))
    let kept = try #require(tap.poll())
    let bytes = kept.bytes
    tap.recycle(kept)
    for _ in 0..<3 {
      try stage.advance(by: .milliseconds(10))
      if let frame = tap.poll() {
        #expect(frame.bytes != bytes)
        tap.recycle(frame)
      }
    }
    // The frame that was both kept and recycled is unchanged.
    let number = FrameStrip.number(
      inLuma: kept.bytes.span, stride: SessionStage.width, width: SessionStage.width)
    #expect(number == kept.sequence)
    try stage.stop()
  }
}
