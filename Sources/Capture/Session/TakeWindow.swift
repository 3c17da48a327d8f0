import Timebase

/// Which frames belong to a take, by their own timestamps.
struct TakeWindow: Hashable {
  /// What ends it.
  enum End: Hashable {
    /// The first frame that is stamped so or later.
    case time(Instant)
    /// So many more frames that are stamped with the trigger's time or later.
    case frames(Int)
    /// Open-ended: a trigger or a stop ends it.
    case open
  }

  /// The first moment that belongs to it.
  let start: Instant
  /// When its trigger came, or the last that kept it going.
  private(set) var trigger: Instant
  private(set) var end: End
  private let limit: RecordingLimit
  /// Whether a frame has been taken in; from then on time that goes back leaves nothing out.
  private var hasBegun = false
  private var newest = Instant.distantPast
  /// How many frames were admitted since its trigger, or the last.
  private var framesSinceTrigger = 0

  /// The window around a trigger at `time`.
  ///
  /// - Parameters:
  ///   - begin: when what triggered began, which belongs to a take with a pre-roll.
  ///   - earliest: where the take before it ended, into which it may not reach.
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

  /// The window that begins with the first frame, captured at `time`, and all that was lost before it.
  ///
  /// - Parameter interval: the time between frames. A frame that jitter moves across the limit
  ///   still counts as being on its own side.
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

  /// What a further trigger at `time` does.
  enum Effect { case extends, ends, comesAfter }

  /// Takes in a further trigger.
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

  /// Has the take end before a record stamped `time`, whatever its limit.
  mutating func close(before time: Instant) { end = .time(time) }

  /// Whether nothing but a trigger or a stop ends it.
  var isOpenEnded: Bool { limit == RecordingLimit() }

  /// Whether a record stamped `time` lies before the take.
  func isBefore(_ time: Instant) -> Bool { !hasBegun && time < start }

  /// Whether the take is over before a record stamped `time`.
  func isOver(before time: Instant) -> Bool {
    switch end {
    case .time(let until): time >= until
    case .frames(let left): left == 0
    case .open: false
    }
  }

  /// Whether nothing is to follow, whatever it is stamped.
  var isComplete: Bool { end == .frames(0) }

  /// Where the next take may begin at the earliest.
  var nextStart: Instant {
    if case .time(let until) = end { until } else { newest + .nanoseconds(1) }
  }

  /// Takes in a frame stamped `time`.
  mutating func admit(_ time: Instant) {
    hasBegun = true
    newest = max(newest, time)
    guard time >= trigger else { return }
    framesSinceTrigger += 1
    if case .frames(let left) = end { end = .frames(left - 1) }
  }

  /// What is left of its limit, which counts from the trigger.
  ///
  /// - Parameter interval: the time between frames.
  func rest(interval: Duration) -> RecordingLimit {
    limit.remaining(
      afterFrames: framesSinceTrigger,
      duration: framesSinceTrigger == 0 ? .zero : newest - trigger + interval)
  }

  /// The part of a run of lost frames that lies in the take; `nil` where none does.
  ///
  /// - Parameters:
  ///   - next: what followed the run, by which its frames' times are told: they lay evenly between.
  ///   - interval: the time between frames, where nothing followed.
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
    // Time that stands still or goes back cannot divide the run.
    guard step > 0 else { return isBefore(time(0)) || isOver(before: time(0)) ? nil : run }
    let first = Self.leading(run.count) { isBefore(time($0)) }
    let end = Self.leading(run.count) { !isOver(before: time($0)) }
    guard first < end else { return nil }
    return RingRecord(
      kind: run.kind, sequence: run.sequence &+ first, count: end - first,
      timestampNanoseconds: time(first).nanoseconds)
  }

  /// How many of `count` frames, whose times rise, come before the first that `condition` does not hold
  /// for. A driver whose numbers leap may have lost thousands of millions.
  private static func leading(_ count: UInt32, while condition: (UInt32) -> Bool) -> UInt32 {
    var (low, high) = (UInt32(0), count)
    while low < high {
      let middle = low + (high - low) / 2
      if condition(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
