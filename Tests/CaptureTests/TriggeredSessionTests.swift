import FrameJudge
import Foundation
import Synchronization
import Takes
import Testing
import Timebase

@testable import Capture

@Suite("An armed session")
struct TriggeredSessionTests {
  /// At 240 frames a second.
  private let interval = Duration.seconds(1) / 240

  private func plan(pre: Int, post: Int? = nil, frames: Int? = nil, takes: Int? = 1) -> SessionPlan {
    SessionPlan(
      preRoll: .milliseconds(pre),
      limit: RecordingLimit(frames: frames, duration: post.map { .milliseconds($0) }),
      takeCount: takes)
  }

  private func checkTruth(_ accounting: FrameAccounting) {
    #expect(accounting.sent == accounting.written + accounting.ledger.total)
  }

  @Test("records exactly the frames from the pre-roll before its trigger to the end of the limit")
  func plain() throws {
    let folder = try TemporaryFolder()
    var stage = try SessionStage(plan: plan(pre: 100, post: 50)) { folder.path("x\($0).mov") }
    for _ in 0..<60 { try stage.advance(by: .milliseconds(5)) }
    let trigger = stage.now
    stage.commands.trigger(TriggerEvent(.signal, at: trigger))
    while !stage.isDone { try stage.advance(by: .milliseconds(5)) }
    let recording = try #require(stage.ended.first).get()
    let window = trigger - .milliseconds(100)..<trigger + .milliseconds(50)
    let expected = stage.arrived.filter { window.contains($0.timestamp) }
    #expect(Array(recording.accounting.sequences) == expected.map { Int64($0.number) })
    #expect(Array(recording.accounting.timestamps) == expected.map(\.timestamp))
    #expect(recording.accounting.ledger.total == 0)
    #expect(try stripNumbers(inMaster: folder.path("x1.mov")) == expected.map { $0.number })
    #expect(recording.trigger.kind == "signal")
    #expect(recording.trigger.time == trigger)
    #expect(recording.trigger.preRoll == expected.first.map { trigger - $0.timestamp })
    #expect(recording.trigger.postRoll == .milliseconds(50))
    #expect(recording.trigger.preRollCut == nil)
    #expect(
      recording.ringDepth.frames == RingDepth(byteCount: 1 << 20, frameBytes: 4096, interval: nil).frames)
    #expect(try folder.names == ["x1.mov"])
  }

  @Test("names the frame that the trigger fell into as the take does, also if the camera repeats its number")
  func repeated() throws {
    let folder = try TemporaryFolder()
    var stage = try SessionStage(plan: plan(pre: 100, post: 50)) { folder.path("x\($0).mov") }
    stage.repeating = 60
    while stage.arrived.count < 61 { try stage.advance(by: interval / 4) }
    let trigger = stage.arrived[60].timestamp + interval / 2
    stage.commands.trigger(TriggerEvent(.signal, at: trigger))
    while !stage.isDone { try stage.advance(by: .milliseconds(5)) }
    let recording = try #require(stage.ended.first).get()
    let frames = Array(zip(recording.accounting.sequences, recording.accounting.timestamps))
    let number = frames.last { $0.1 <= trigger }?.0
    #expect(stage.arrived.contains { $0.number == 59 } && !stage.arrived.contains { $0.number == 60 })
    #expect(number == 60 && recording.trigger.sequence == 60)
    #expect(recording.accounting.ledger.total == 0)
  }

  /// The outcomes of changes of the span.
  private final class Outcomes: Sendable {
    let all = Mutex<[SpanOutcome]>([])
  }

  @Test("takes a new span without restarting the stream or losing frames if the ring has room")
  func span() throws {
    let folder = try TemporaryFolder()
    let outcomes = Outcomes()
    var stage = try SessionStage(ring: 48 << 20, plan: plan(pre: 100, post: 50, takes: nil)) {
      folder.path("x\($0).mov")
    }
    for _ in 0..<60 { try stage.advance(by: .milliseconds(5)) }
    let span = TakeSpan(preRoll: .milliseconds(300), limit: RecordingLimit(duration: .milliseconds(80)))
    stage.commands.send(
      .span(SpanChange(span) { [outcomes] outcome in outcomes.all.withLock { $0.append(outcome) } }))
    try stage.advance(by: .milliseconds(5))
    #expect(outcomes.all.withLock { $0 } == [.changed])
    var triggers: [Instant] = []
    for _ in 0..<2 {
      triggers.append(stage.now)
      stage.commands.trigger(TriggerEvent(.signal, at: stage.now))
      for _ in 0..<120 { try stage.advance(by: .milliseconds(5)) }
    }
    try stage.stop()
    let numbers = stage.arrived.map(\.number)
    #expect(numbers == Array(numbers[0]..<numbers[0] + UInt32(numbers.count)))
    let takes = try stage.ended.map { try $0.get() }
    #expect(takes.count == 2)
    for (trigger, take) in zip(triggers, takes) {
      let window = trigger - .milliseconds(300)..<trigger + .milliseconds(80)
      let expected = stage.arrived.filter { window.contains($0.timestamp) }.map { Int64($0.number) }
      let written = Array(take.accounting.sequences)
      #expect(
        take.trigger.requestedPreRoll == .milliseconds(300) && take.trigger.postRoll == .milliseconds(80))
      // The first has only the frames that were kept for the old span, and records this.
      if trigger == triggers[0] {
        #expect(take.trigger.preRollCut == .start && written == Array(expected.suffix(written.count)))
        #expect(written.count < expected.count && written.count >= 24 + 19)
      } else {
        #expect(take.trigger.preRollCut == nil && written == expected)
      }
    }
  }

  @Test("refuses a span for which the ring has no room, and keeps the old one")
  func spanTooLong() throws {
    let folder = try TemporaryFolder()
    let outcomes = Outcomes()
    var stage = try SessionStage(plan: plan(pre: 100, post: 50)) { folder.path("x\($0).mov") }
    for _ in 0..<60 { try stage.advance(by: .milliseconds(5)) }
    // This ring is smaller than usual, but a span no longer than its original one always fits.
    for preRoll in [.seconds(20), .milliseconds(100), .zero] as [Duration] {
      let span = TakeSpan(preRoll: preRoll, limit: RecordingLimit(frames: 3))
      stage.commands.send(
        .span(SpanChange(span) { [outcomes] outcome in outcomes.all.withLock { $0.append(outcome) } }))
      try stage.advance(by: .milliseconds(5))
    }
    #expect(outcomes.all.withLock { $0 } == [.needsMoreMemory, .changed, .changed])
    stage.commands.trigger(TriggerEvent(.signal, at: stage.now))
    while !stage.isDone { try stage.advance(by: .milliseconds(5)) }
    #expect(try stage.ended.first?.get().accounting.written == 3)
    stage.commands.send(
      .span(
        SpanChange(TakeSpan(preRoll: .zero, limit: RecordingLimit())) { [outcomes] outcome in
          outcomes.all.withLock { $0.append(outcome) }
        }))
    #expect(outcomes.all.withLock { $0.last } == .sessionEnded)
  }

  @Test(
    "records 200 takes at random times exactly as triggered, with losses and wrapping numbers",
    arguments: [UInt64(1)])
  func manyTakes(_ seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let folder = try TemporaryFolder()
    let first = UInt32.max - 9000
    let (pre, post) = (Duration.milliseconds(100), Duration.milliseconds(60))
    var stage = try SessionStage(
      camera: "sim:,drop=2%,flagged=2%,jitter=1ms,seed=\(seed)", firstSequence: first,
      plan: plan(pre: 100, post: 60, takes: 200)
    ) { folder.path("\($0).mov") }
    // The expected result of each trigger, computed independently of the code under test.
    var windows: [(start: Instant, end: Instant, extensions: Int)] = []
    try stage.advance(by: .milliseconds(10))
    var next = stage.now + .milliseconds(Int.random(in: 0...200, using: &random))
    while !stage.isDone {
      let step = Duration.milliseconds(Int.random(in: 1...25, using: &random))
      while next <= stage.now + step {
        stage.commands.trigger(TriggerEvent(.socket, at: next))
        if let last = windows.last, next < last.end {
          windows[windows.count - 1].end = next + post
          windows[windows.count - 1].extensions += 1
        } else {
          windows.append((max(next - pre, windows.last?.end ?? .distantPast), next + post, 0))
        }
        next += .milliseconds(Int.random(in: 1...300, using: &random))
      }
      try stage.advance(by: step, writerStalls: Int.random(in: 0..<4, using: &random) == 0)
    }
    #expect(stage.ended.count == 200)
    var extended = 0
    for (index, window) in windows.prefix(200).enumerated() {
      let recording = try stage.ended[index].get()
      let all = stage.arrived.filter { window.start <= $0.timestamp && $0.timestamp < window.end }
      let frames = all.filter { $0.kind == .frame }
      let accounting = recording.accounting
      let numbers = frames.map { $0.number }
      try #require(
        accounting.sequences.map { UInt32(truncatingIfNeeded: $0) } == numbers, "take \(index + 1)")
      try #require(Array(accounting.timestamps) == frames.map(\.timestamp), "take \(index + 1)")
      let strips = try stripNumbers(inMaster: folder.path("\(index + 1).mov"))
      try #require(strips == numbers.map { $0 &- first }, "take \(index + 1)")
      #expect(accounting.ledger.count(of: .corrupt) == Int64(all.count { $0.kind == .lostCorrupt }))
      // Numbers between the first and the last one that never arrived are the driver's losses.
      let span = Int64(try #require(all.last).number &- #require(all.first).number) + 1
      #expect(accounting.sent == span)
      #expect(accounting.ledger.count(of: .driver) == span - Int64(all.count))
      checkTruth(accounting)
      #expect(recording.trigger.extensions.count == window.extensions)
      extended += window.extensions
    }
    #expect(extended > 20)
    #expect(stage.arrived.contains { $0.number < first })
  }

  @Test("assigns the losses of a stalled writer only to the take in which they occur")
  func overflow() throws {
    let folder = try TemporaryFolder()
    // 64 frames.
    var stage = try SessionStage(ring: 64 * (4096 + 64) + 1 << 14, plan: plan(pre: 100, post: 50, takes: 2)) {
      folder.path("\($0).mov")
    }
    func settle() throws { for _ in 0..<40 { try stage.advance(by: .milliseconds(5)) } }
    try settle()
    // Armed: lost long before a trigger, and so not the loss of any take.
    for _ in 0..<120 { try stage.advance(by: .milliseconds(5), writerStalls: true) }
    #expect(stage.arrived.contains { $0.kind == .lostInRing })
    try settle()
    stage.commands.trigger(TriggerEvent(.key, at: stage.now))
    try settle()
    #expect(try #require(stage.ended.first).get().accounting.ledger.total == 0)

    // Still armed, but lost in the pre-roll, which begins in the middle of the stall.
    try settle()
    let stalled = stage.arrived.count
    for _ in 0..<120 { try stage.advance(by: .milliseconds(5), writerStalls: true) }
    try stage.advance(by: .milliseconds(5))
    try stage.advance(by: .milliseconds(5))
    let trigger = stage.now
    stage.commands.trigger(TriggerEvent(.key, at: trigger))
    try settle()
    let accounting = try stage.ended[1].get().accounting
    let lost = stage.arrived[stalled...].filter {
      $0.kind == .lostInRing && trigger - .milliseconds(100) <= $0.timestamp
    }
    #expect(!lost.isEmpty)
    #expect(
      accounting.ledger.losses == [
        Loss(sequence: Int64(lost[0].number), count: Int64(lost.count), stage: .ring)
      ]
    )
    checkTruth(accounting)
  }

  @Test("counts a limit of frames from the trigger")
  func frameLimit() throws {
    let folder = try TemporaryFolder()
    var stage = try SessionStage(plan: plan(pre: 50, frames: 7)) { folder.path("\($0).mov") }
    for _ in 0..<30 { try stage.advance(by: .milliseconds(5)) }
    let trigger = stage.now
    stage.commands.trigger(TriggerEvent(.key, at: trigger))
    for _ in 0..<30 where !stage.isDone { try stage.advance(by: .milliseconds(5)) }
    let accounting = try #require(stage.ended.first).get().accounting
    #expect(accounting.timestamps.count { $0 >= trigger } == 7)
    #expect(accounting.timestamps.count { $0 < trigger } == 12)
  }

  @Test("without a limit, ends a take at the next trigger, and starts none at a trigger that only ends")
  func openEnd() throws {
    let folder = try TemporaryFolder()
    var stage = try SessionStage(plan: plan(pre: 0, takes: 2)) { folder.path("\($0).mov") }
    let answers = Answers()
    func pull(startsTake: Bool = true) throws -> Instant {
      stage.commands.trigger(
        TriggerEvent(.enter, at: stage.now, startsTake: startsTake, answer: { answers.append($0) }))
      let time = stage.now
      for _ in 0..<10 { try stage.advance(by: .milliseconds(5)) }
      return time
    }
    try stage.advance(by: .milliseconds(20))
    _ = try pull(startsTake: false)
    let begin = try pull()
    let end = try pull(startsTake: false)
    _ = try pull()
    try stage.stop()
    #expect(answers.all == [.refused, .started(take: 1), .ended(take: 1), .started(take: 2)])
    let expected = stage.arrived.filter { begin <= $0.timestamp && $0.timestamp < end }
    #expect(Array(try stage.ended[0].get().accounting.timestamps) == expected.map(\.timestamp))
    #expect(stage.ended.count == 2)
  }

  @Test("keeps as much of the pre-roll as a small ring holds, loses no frame, and records the cut")
  func smallRing() throws {
    let folder = try TemporaryFolder()
    var stage = try SessionStage(ring: 1 << 17, plan: plan(pre: 500, post: 10)) { folder.path("\($0).mov") }
    for _ in 0..<200 { try stage.advance(by: .milliseconds(5)) }
    #expect(stage.status.phase == .armed && stage.status.takeNumber == 1)
    let held = stage.status.held
    #expect(held > .milliseconds(50) && held < .milliseconds(150))
    stage.commands.trigger(TriggerEvent(.key, at: stage.now))
    for _ in 0..<20 where !stage.isDone { try stage.advance(by: .milliseconds(5)) }
    let recording = try #require(stage.ended.first).get()
    #expect(recording.trigger.preRollCut == .ring)
    #expect(recording.accounting.ledger.total == 0)
    #expect(!stage.arrived.contains { $0.kind != .frame })
    let kept = try #require(recording.trigger.preRoll)
    #expect(max(kept, held) - min(kept, held) <= interval * 2)
  }

  @Test(
    "places frames with a clock of their own by their arrival",
    arguments: [Duration.seconds(-3600), .seconds(5)])
  func otherClock(_ offset: Duration) throws {
    let folder = try TemporaryFolder()
    var stage = try SessionStage(clock: .copied, plan: plan(pre: 100, post: 50)) { folder.path("\($0).mov") }
    stage.clockOffset = offset
    for _ in 0..<60 { try stage.advance(by: .milliseconds(5)) }
    stage.commands.trigger(TriggerEvent(.key, at: stage.now))
    for _ in 0..<60 where !stage.isDone { try stage.advance(by: .milliseconds(5)) }
    let recording = try #require(stage.ended.first).get()
    #expect((35...36).contains(recording.accounting.written))
    let preRoll = try #require(recording.trigger.preRoll)
    #expect(max(preRoll, .milliseconds(100)) - min(preRoll, .milliseconds(100)) <= interval)
  }

  @Test("does not assume another clock for frames that arrive while their reader is delayed")
  func heldUp() {
    var mapper = TimestampMapper()
    let frame = Instant(nanoseconds: 5_000_000_000)
    // The clock was read before the frame arrived.
    mapper.see(frame, at: frame - .milliseconds(300))
    #expect(mapper.offset == .zero)
    #expect(mapper.exactFrameTime(of: frame + .seconds(1)) == frame + .seconds(1))
  }

  @Test(
    "starts a take at the first frame for an earlier trigger, and refuses a trigger after its end",
    arguments: [5, 40])
  func early(firstLook: Int) throws {
    let folder = try TemporaryFolder()
    var stage = try SessionStage(plan: plan(pre: 100, post: 50)) { folder.path("\($0).mov") }
    stage.commands.trigger(TriggerEvent(.key, at: stage.now - .milliseconds(10_000)))
    try stage.advance(by: .milliseconds(firstLook))
    for _ in 0..<30 where !stage.isDone { try stage.advance(by: .milliseconds(5)) }
    let recording = try #require(stage.ended.first).get()
    #expect(Array(recording.accounting.sequences) == Array(0..<12))
    #expect(recording.trigger.frameTime == recording.accounting.timestamps.first)
    let answers = Answers()
    let isDone = stage.isDone
    #expect(isDone)
    stage.commands.trigger(TriggerEvent(.key, at: stage.now, answer: { answers.append($0) }))
    #expect(answers.all == [.refused])
  }

  @Test("reports that the camera has started and that it is armed at the first frame")
  func armedByFirstFrame() throws {
    let folder = try TemporaryFolder()
    var stage = try SessionStage(plan: plan(pre: 100, post: 50)) { folder.path("x\($0).mov") }
    while stage.arrived.isEmpty {
      #expect(stage.told.isEmpty)
      try stage.advance(by: .milliseconds(1))
    }
    #expect(stage.told.prefix(2).map(\.name) == ["started", "armed"])
    #expect(stage.told.prefix(2).allSatisfy { $0.time == stage.now })
    try stage.stop()
  }

  @Test("records in the take if the camera started too late for the whole pre-roll")
  func shortPreRoll() throws {
    let folder = try TemporaryFolder()
    var stage = try SessionStage(plan: plan(pre: 500, post: 50)) { folder.path("x\($0).mov") }
    for _ in 0..<20 { try stage.advance(by: .milliseconds(5)) }
    let trigger = stage.now
    stage.commands.trigger(TriggerEvent(.key, at: trigger))
    while !stage.isDone { try stage.advance(by: .milliseconds(5)) }
    let recording = try #require(stage.ended.first).get()
    #expect(recording.trigger.preRollCut == .start)
    #expect(recording.trigger.preRoll == stage.arrived.first.map { trigger - $0.timestamp })
    #expect(recording.trigger.requestedPreRoll == .milliseconds(500))
  }

  @Test("leaves nothing behind if it is stopped")
  func nothing() throws {
    let folder = try TemporaryFolder()
    do {
      var stage = try SessionStage(plan: plan(pre: 100, post: 50)) { folder.path("\($0).mov") }
      for _ in 0..<30 { try stage.advance(by: .milliseconds(5)) }
      try stage.stop()
      #expect(stage.ended.isEmpty)
    }
    #expect(try folder.names.isEmpty)
  }

  @Test("starts a take at a given time after it is armed, each time again")
  func times() throws {
    let folder = try TemporaryFolder()
    var timed = plan(pre: 20, post: 20, takes: 3)
    timed.times = [.delay(.milliseconds(100))]
    var stage = try SessionStage(plan: timed) { folder.path("\($0).mov") }
    for _ in 0..<200 where !stage.isDone { try stage.advance(by: .milliseconds(3)) }
    let triggers = try stage.ended.map { try #require(try $0.get().trigger.time) }
    #expect(triggers.count == 3)
    #expect(zip(triggers, triggers.dropFirst()).allSatisfy { $1 - $0 >= .milliseconds(120) })
    #expect(try stage.ended.allSatisfy { try $0.get().trigger.kind == "time" })
  }
}

/// Answers to triggers, in order.
final class Answers: Sendable {
  private let list = Mutex<[TriggerOutcome]>([])
  func append(_ answer: TriggerOutcome) { list.withLock { $0.append(answer) } }
  var all: [TriggerOutcome] { list.withLock { $0 } }
}
