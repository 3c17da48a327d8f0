import Takes
import Testing
import Timebase

/// Checks a take that a trigger began against the promises for such takes, by its own numbers and times.
func checkTriggered(
  _ take: Take, pre: Duration, post: Duration, location: SourceLocation = #_sourceLocation
) throws {
  let trigger = try #require(take.trigger, sourceLocation: location)
  let time = try #require(trigger.frameTime, sourceLocation: location)
  let last = trigger.extensions.last.map { time + ($0 - (trigger.time ?? $0)) } ?? time
  #expect(trigger.requestedPreRoll == pre, sourceLocation: location)
  #expect(trigger.postRoll == post, sourceLocation: location)
  #expect(take.timestamps.allSatisfy { time - pre <= $0 && $0 < last + post }, sourceLocation: location)
  #expect(
    trigger.preRoll == take.timestamps.first.map { max(.zero, time - $0) }, sourceLocation: location)
  // It fell into the latest frame captured until then; one before the take is in no list.
  let captured = Array(zip(take.timestamps, take.sequences))
  if trigger.score == nil, let frame = captured.last(where: { $0.0 <= time }) {
    #expect(trigger.sequence == UInt32(truncatingIfNeeded: frame.1), sourceLocation: location)
  }
  // No seam: each number from the first to the last is in the master or in the ledger.
  #expect(take.frames.sent == take.frames.written + take.frames.lost.total, sourceLocation: location)
  let lost = Set(take.losses.flatMap { Array($0.sequence..<$0.sequence + $0.count) })
  let first = min(take.sequences.first ?? 0, lost.min() ?? .max)
  let isComplete = Set(take.sequences).union(lost) == Set(first..<first + take.frames.sent)
  #expect(isComplete, "\(take.frames), from \(first): \(take.losses)", sourceLocation: location)
}
