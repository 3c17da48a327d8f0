import Takes

/// A take that a trigger began, while it is filmed.
struct TakeInProgress: ~Copyable {
  /// Which take it is, counted from 1.
  let number: Int
  /// When its trigger was seen, on `CLOCK_MONOTONIC` in nanoseconds.
  let beganAt: Int64
  /// Which frames belong to it.
  private(set) var window: TakeWindow
  private(set) var writer: TakeWriter
  private(set) var facts: TakeFacts

  init(number: Int, beganAt: Int64, window: TakeWindow, master: consuming MasterWriter, facts: TakeFacts) {
    self.number = number
    self.beganAt = beganAt
    self.window = window
    self.facts = facts
    writer = TakeWriter(master)
  }

  /// Takes in a further trigger.
  mutating func retrigger(_ event: TriggerEvent, at frameTime: Int64) -> TakeWindow.Effect {
    let effect = window.retrigger(at: frameTime)
    if effect == .extends { facts.trigger.extensions.append(event.nanoseconds) }
    return effect
  }

  /// Writes a frame, unless it lies before the take.
  mutating func enter(frame record: RingRecord, _ payload: UnsafeRawBufferPointer) {
    guard !window.isBefore(record.timestampNanoseconds) else { return }
    window.admit(record.timestampNanoseconds)
    writer.enter(record, payload)
  }

  /// Enters the part of a run of lost frames that lies in the take; `next` is what followed it.
  mutating func enter(run: RingRecord, before next: RingRecord?) {
    let interval = facts.configuration.frameFormat.nominalIntervalNanoseconds ?? 0
    guard let part = window.part(of: run, before: next, interval: interval) else { return }
    writer.enter(part, UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// Makes what was written safe from a crash.
  mutating func checkpoint() { writer.checkpoint() }

  /// Notes how much waited in the ring at most.
  mutating func end(ringPeakBytes: Int) { facts.ringPeakBytes = ringPeakBytes }

  /// Closes the master and sums up; see ``TakeWriter/finish(_:failure:)``.
  consuming func finish(failure: CaptureError?) throws(CaptureError) -> Recording {
    try writer.finish(facts, failure: failure)
  }
}
