package import Timebase

/// The frame accounting of a take: which frames were written, when they were captured, and what became of the rest.
///
/// A pure value, fed in the order in which frames left the camera. The truth rule holds after each call:
/// ``sent`` = ``written`` + the ledger's total.
public struct FrameAccounting: Hashable, Sendable {
  /// The camera's number of each frame written, unwrapped past 32 bits.
  public private(set) var sequences = FrameColumn()
  /// When each frame written was captured.
  public private(set) var timestamps = FrameTimes()
  /// The frames written whose time is that of their receipt, as the driver's timestamps cannot be true; in order.
  public private(set) var timedAtDequeue: [FrameRun] = []
  /// The frames written whose number and time are estimated, as no journal tells them; in order.
  public private(set) var estimated: [FrameRun] = []
  /// What was lost.
  public private(set) var ledger = LossLedger()
  private var first: Int64?
  private var last: Int64 = 0
  private var lastRaw: UInt32 = 0
  /// `lastRaw` past 32 bits; behind `last` where numbers were repeated.
  private var lastUnwrapped: Int64 = 0
  private var repeats: Int64 = 0
  private var wentBack = false
  /// The first and the last frame written whose number and time are known.
  private var firstKnown: Moment?
  private var lastKnown: Moment?

  private struct Moment: Hashable {
    var number: Int64
    var time: Instant
  }

  /// Books without an entry.
  public init() {}

  /// Enters a frame that was written.
  package mutating func enterWritten(
    sequence: UInt32, at timestamp: Instant, isTimedAtDequeue: Bool = false, isEstimated: Bool = false
  ) {
    let number = advance(to: sequence, by: 1)
    sequences.append(number)
    timestamps.append(timestamp)
    if isTimedAtDequeue { timedAtDequeue.enter(number) }
    guard !isEstimated else { return estimated.enter(number) }
    let moment = Moment(number: number, time: timestamp)
    firstKnown = firstKnown ?? moment
    lastKnown = moment
  }

  /// Enters `count` frames from `sequence` on that were lost at `stage`.
  ///
  /// What the driver lost before the first frame that came is no part of the take, as a gap there is none.
  package mutating func enterLost(sequence: UInt32, count: UInt32 = 1, at stage: LossStage) {
    guard count > 0, first != nil || stage != .driver else { return }
    ledger.enter(Loss(sequence: advance(to: sequence, by: count), count: Int64(count), stage: stage))
  }

  /// Enters what is missing between the last entry and `sequence` as lost at `stage`, where it is not known to be the
  /// driver that lost it.
  package mutating func enterGap(before sequence: UInt32, at stage: LossStage) {
    let step = Int32(bitPattern: sequence &- lastRaw)
    guard first != nil, step > 1 else { return }
    enterLost(sequence: lastRaw &+ 1, count: UInt32(step - 1), at: stage)
  }

  /// Steps to a run of `count` frames and enters what the driver left out before it; the run's first number.
  private mutating func advance(to raw: UInt32, by count: UInt32) -> Int64 {
    let start: Int64
    if first == nil {
      start = Int64(raw)
      lastUnwrapped = start
      first = start
    } else {
      // The difference of two wrapping numbers is right as long as a gap is shorter than 2^31 frames.
      let step = Int64(Int32(bitPattern: raw &- lastRaw))
      if step == 0 { repeats += 1 }
      if step < 0 { wentBack = true }
      lastUnwrapped = step < 0 ? last + 1 : lastUnwrapped + step
      // A number that comes twice and then leaves one out was late to count, as vivid is: no frame is missing.
      start = max(lastUnwrapped, last + 1)
      ledger.enter(Loss(sequence: last + 1, count: start - last - 1, stage: .driver))
    }
    last = start + Int64(count) - 1
    lastUnwrapped += Int64(count) - 1
    lastRaw = raw &+ (count - 1)
    return start
  }

  /// Whether the camera's numbers go up; where they stand or go back, losses in the driver cannot be told.
  public var hasReliableSequence: Bool { !wentBack && repeats * 10 <= written }

  /// Whether the driver's timestamps serve as a clock: those of nine frames in ten can be true.
  public var hasReliableTimestamps: Bool {
    timedAtDequeue.reduce(0) { $0 + $1.count } * 10 <= written
  }

  /// How many frames were written.
  public var written: Int64 { Int64(sequences.count) }

  /// How many frames the camera sent from the first to the last, by its own numbers.
  public var sent: Int64 { first.map { last - $0 + 1 } ?? 0 }

  /// The rate by the frames' own numbers and timestamps; `nil` below two frames or without passing time.
  public var measuredFramesPerSecond: Double? {
    guard let firstKnown, let lastKnown, lastKnown.time > firstKnown.time else { return nil }
    // A damaged journal may tell of any numbers and times.
    let duration = Int128(lastKnown.time.nanoseconds) - Int128(firstKnown.time.nanoseconds)
    let rate = Double(lastKnown.number - firstKnown.number) * 1e9 / Double(duration)
    return rate <= 1e9 ? rate : nil
  }

  /// The number and the time of the last frame that was entered, and the number that the next is expected to have.
  var end: (next: UInt32, time: Instant?)? {
    first.map { _ in (lastRaw &+ 1, timestamps.last) }
  }

  /// How many frames are missing between the last entry and `sequence`; `nil` where there is no entry yet, or numbers
  /// stand or go back.
  func missing(before sequence: UInt32) -> Int? {
    let step = Int32(bitPattern: sequence &- lastRaw)
    return first == nil || step < 1 ? nil : Int(step) - 1
  }
}
