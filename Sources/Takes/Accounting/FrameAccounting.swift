package import Timebase

/// The frame accounting of a take: the frames that were written, the times at which they were captured, and
/// the fate of all others.
///
/// A plain value, fed in the order in which frames left the camera. The truth rule holds after each call:
/// ``sent`` = ``written`` + the ledger's total.
public struct FrameAccounting: Hashable, Sendable {
  /// The camera's number of each frame written, unwrapped past 32 bits.
  public private(set) var sequences = FrameColumn()
  /// The capture time of each frame written.
  public private(set) var timestamps = FrameTimes()
  /// The frames written with the time of their receipt, as the driver's timestamps cannot be right; in order.
  public private(set) var timedAtDequeue: [FrameRun] = []
  /// The frames written with estimated number and time, as they are not in a journal; in order.
  public private(set) var estimated: [FrameRun] = []
  /// The lost frames.
  public private(set) var ledger = LossLedger()
  /// The number of frames written that may be damaged, because they depend on others, and one was lost since the last
  /// key frame.
  public private(set) var atRisk: Int64 = 0
  private var hasLossSinceKeyframe = false
  private var tally = FrameTally()
  /// The first and the last frame written with known number and time.
  private var firstKnown: Moment?
  private var lastKnown: Moment?

  private struct Moment: Hashable {
    var number: Int64
    var time: Instant
  }

  /// Creates an empty accounting.
  public init() {}

  /// Records a frame that was written.
  ///
  /// - Parameter isDependent: whether it depends on frames before it.
  package mutating func enterWritten(
    sequence: UInt32, at timestamp: Instant, isTimedAtDequeue: Bool = false, isEstimated: Bool = false,
    isDependent: Bool = false
  ) {
    let step = tally.frameArrived(sequence)
    enterGap(before: step)
    hasLossSinceKeyframe = isDependent && hasLossSinceKeyframe
    if hasLossSinceKeyframe { atRisk += 1 }
    let number = step.start
    sequences.append(number)
    timestamps.append(timestamp)
    if isTimedAtDequeue { timedAtDequeue.enter(number) }
    guard !isEstimated else { return estimated.enter(number) }
    let moment = Moment(number: number, time: timestamp)
    firstKnown = firstKnown ?? moment
    lastKnown = moment
  }

  /// Records `count` frames from `sequence` on that were lost at `stage`.
  ///
  /// Frames that the driver dropped before the first one are not part of the take, just as a gap there is
  /// not.
  package mutating func enterLost(sequence: UInt32, count: UInt32 = 1, at stage: LossStage) {
    guard let step = tally.framesLost(sequence, count, at: stage) else { return }
    enterGap(before: step)
    hasLossSinceKeyframe = true
    ledger.enter(Loss(sequence: step.start, count: Int64(count), stage: stage))
  }

  /// Records the frames missing between the last entry and `sequence` as lost at `stage`, if the driver may
  /// not be the cause.
  package mutating func enterGap(before sequence: UInt32, at stage: LossStage) {
    guard let missing = missing(before: sequence), missing > 0 else { return }
    enterLost(sequence: tally.lastRaw &+ 1, count: UInt32(missing), at: stage)
  }

  /// Records the frames that the driver dropped before `step`.
  private mutating func enterGap(before step: FrameTally.Step) {
    if step.missing > 0 { hasLossSinceKeyframe = true }
    ledger.enter(Loss(sequence: step.start - step.missing, count: step.missing, stage: .driver))
  }

  /// Whether the camera's numbers increase; if they repeat or go back, dropped frames cannot be counted.
  public var hasReliableSequence: Bool { !tally.wentBack && tally.repeats * 10 <= written }

  /// Whether all ``sequences`` are the camera's own numbers; if not, some of its numbers repeat or go back.
  package var hasCameraNumbers: Bool { !tally.wentBack && tally.repeats == 0 }

  /// Returns the number of the latest frame written that was captured at or before `time`; `nil` if there is
  /// none.
  package func sequence(at time: Instant) -> Int64? {
    zip(sequences, timestamps).reduce(nil) { latest, frame in frame.1 <= time ? frame.0 : latest }
  }

  /// Whether the driver's timestamps are usable as a clock: those of at least nine frames in ten can be
  /// right.
  public var hasReliableTimestamps: Bool {
    timedAtDequeue.reduce(0) { $0 + $1.count } * 10 <= written
  }

  /// The number of frames lost at each stage; ``ledger`` lists them.
  public var lost: Take.FrameCounts.Lost { tally.lost }

  /// The number of frames written.
  public var written: Int64 { Int64(sequences.count) }

  /// The number of frames that the camera sent from the first to the last, by its own numbers.
  public var sent: Int64 { tally.first.map { tally.last - $0 + 1 } ?? 0 }

  /// The rate from the frames' own numbers and timestamps; `nil` for fewer than two frames or if no time
  /// passed.
  public var measuredFramesPerSecond: Double? {
    guard let firstKnown, let lastKnown, lastKnown.time > firstKnown.time else { return nil }
    // A damaged journal may contain any numbers and times.
    let duration = Int128(lastKnown.time.nanoseconds) - Int128(firstKnown.time.nanoseconds)
    let rate = Double(lastKnown.number - firstKnown.number) * 1e9 / Double(duration)
    return rate <= 1e9 ? rate : nil
  }

  /// The time of the last frame that was recorded, and the number expected for the next.
  var end: (next: UInt32, time: Instant?)? {
    tally.first.map { _ in (tally.lastRaw &+ 1, timestamps.last) }
  }

  /// Returns the number of frames missing between the last entry and `sequence`; `nil` if there is no entry
  /// yet, or numbers repeat or go back.
  func missing(before sequence: UInt32) -> Int? {
    let step = Int32(bitPattern: sequence &- tally.lastRaw)
    return tally.first == nil || step < 1 ? nil : Int(step) - 1
  }
}
