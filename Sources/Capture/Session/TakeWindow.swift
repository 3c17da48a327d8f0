import Timebase

/// The window of a take: the frames that belong to it, by their own timestamps.
struct TakeWindow: Hashable {
  /// The end of the window.
  enum End: Hashable {
    /// Before the first frame stamped at this time or later.
    case time(Instant)
    /// After this many more frames stamped at the trigger's time or later.
    case frames(Int)
    /// Open-ended: a trigger or a stop ends it.
    case open
  }

  /// The first moment in the take.
  let start: Instant
  /// The time of the trigger, or of the last one that extended the take.
  private(set) var trigger: Instant
  private(set) var end: End
  private let limit: RecordingLimit
  /// Whether a frame has been admitted; after that, timestamps that go back exclude no frame.
  private var hasBegun = false
  private var newest = Instant.distantPast
  /// The number of frames admitted since the last trigger.
  private var framesSinceTrigger = 0

  /// Creates the window around a trigger at `time`.
  ///
  /// - Parameters:
  ///   - begin: The beginning of what triggered, which is included in a take with a pre-roll.
  ///   - earliest: The end of the previous take, before which the window must not begin.
  init(
    around time: Instant, preRoll: Duration, begin: Instant? = nil,
    notBefore earliest: Instant = .distantPast, limit: RecordingLimit
  ) {
    let asked = time - preRoll
    start = max(preRoll > .zero ? min(asked, begin ?? asked) : asked, earliest)
    trigger = time
    self.limit = limit
    end = Self.end(after: time, limit)
  }

  /// Creates the window that begins with the first frame, captured at `time`, and includes all losses before
  /// it.
  ///
  /// - Parameter interval: The time between frames. The limit allows for jitter of half an interval.
  init(fromFirstFrame time: Instant, interval: Duration, limit: RecordingLimit) {
    start = .distantPast
    trigger = time
    self.limit = limit
    let end = Self.end(after: time, limit)
    self.end = if case .time(let until) = end { .time(until - interval / 2) } else { end }
  }

  private static func end(after time: Instant, _ limit: RecordingLimit) -> End {
    if let duration = limit.duration { return .time(time + duration) }
    if let frames = limit.frames { return .frames(frames) }
    return .open
  }

  /// The effect of a further trigger.
  enum Effect { case extends, ends, comesAfter }

  /// Applies a further trigger at `time`. Returns its effect.
  mutating func retrigger(at time: Instant) -> Effect {
    switch end {
    case .time(let until) where time >= until: return .comesAfter
    case .time where limit == RecordingLimit(): return .ends
    case .open:
      end = .time(max(time, trigger + .nanoseconds(1)))
      return .ends
    case .time, .frames:
      trigger = max(trigger, time)
      framesSinceTrigger = 0
      end = Self.end(after: trigger, limit)
      return .extends
    }
  }

  /// Ends the take before a record stamped `time`, whatever its limit.
  mutating func close(before time: Instant) { end = .time(time) }

  /// Ends the take before a record stamped `time`, unless it ends earlier.
  mutating func close(noLaterThan time: Instant) {
    if !isOver(before: time) { close(before: time) }
  }

  /// Whether only a trigger or a stop ends it.
  var isOpenEnded: Bool { limit == RecordingLimit() }

  /// Returns whether a record stamped `time` is before the take.
  func isBefore(_ time: Instant) -> Bool { !hasBegun && time < start }

  /// Returns whether the take is over before a record stamped `time`.
  func isOver(before time: Instant) -> Bool {
    switch end {
    case .time(let until): time >= until
    case .frames(let left): left == 0
    case .open: false
    }
  }

  /// Whether no record follows, whatever its timestamp.
  var isComplete: Bool { end == .frames(0) }

  /// The earliest start of the next take.
  var nextStart: Instant {
    if case .time(let until) = end { until } else { newest + .nanoseconds(1) }
  }

  /// Admits a frame stamped `time`.
  mutating func admit(_ time: Instant) {
    hasBegun = true
    newest = max(newest, time)
    guard time >= trigger else { return }
    framesSinceTrigger += 1
    if case .frames(let left) = end { end = .frames(left - 1) }
  }

  /// Returns the rest of its limit, which counts from the trigger.
  ///
  /// - Parameter interval: The time between frames.
  func rest(interval: Duration) -> RecordingLimit {
    limit.remaining(
      afterFrames: framesSinceTrigger,
      duration: framesSinceTrigger == 0 ? .zero : newest - trigger + interval)
  }

  /// Returns the part of a run of lost frames that is in the take; `nil` if none is.
  ///
  /// - Parameters:
  ///   - next: The record after the run; the lost frames are assumed to be evenly spaced up to it.
  ///   - interval: The time between frames, used if there is no such record.
  func part(of run: RingRecord, before next: RingRecord?, interval: Duration) -> RingRecord? {
    let step: Double
    if let next, case let frames = Int32(bitPattern: next.sequence &- run.sequence), frames > 0 {
      step = Double((next.timestamp - run.timestamp).wholeNanoseconds) / Double(frames)
    } else {
      step = Double(interval.wholeNanoseconds)
    }
    func time(_ index: UInt32) -> Instant {
      run.timestamp + .nanoseconds(Int64(clamping: step * Double(index)))
    }
    // If time stands still or goes back, the run cannot be divided.
    guard step > 0 else { return isBefore(time(0)) || isOver(before: time(0)) ? nil : run }
    let first = Self.leading(run.count) { isBefore(time($0)) }
    let end = Self.leading(run.count) { !isOver(before: time($0)) }
    guard first < end else { return nil }
    return RingRecord(
      kind: run.kind, sequence: run.sequence &+ first, count: end - first,
      timestampNanoseconds: time(first).nanoseconds)
  }

  /// Returns the number of leading indices below `count` for which `condition` holds, by binary search: if a
  /// driver's sequence numbers jump, billions of frames may count as lost.
  private static func leading(_ count: UInt32, while condition: (UInt32) -> Bool) -> UInt32 {
    var (low, high) = (UInt32(0), count)
    while low < high {
      let middle = low + (high - low) / 2
      if condition(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
