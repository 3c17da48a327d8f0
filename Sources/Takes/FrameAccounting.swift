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
  private var tally = FrameTally()
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
    let step = tally.frameCame(sequence)
    enterGap(before: step)
    let number = step.start
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
    guard let step = tally.framesLost(sequence, count, at: stage) else { return }
    enterGap(before: step)
    ledger.enter(Loss(sequence: step.start, count: Int64(count), stage: stage))
  }

  /// Enters what is missing between the last entry and `sequence` as lost at `stage`, where it is not known to be the
  /// driver that lost it.
  package mutating func enterGap(before sequence: UInt32, at stage: LossStage) {
    guard let missing = missing(before: sequence), missing > 0 else { return }
    enterLost(sequence: tally.lastRaw &+ 1, count: UInt32(missing), at: stage)
  }

  /// Enters what the driver left out before `step`.
  private mutating func enterGap(before step: FrameTally.Step) {
    ledger.enter(Loss(sequence: step.start - step.missing, count: step.missing, stage: .driver))
  }

  /// Whether the camera's numbers go up; where they stand or go back, losses in the driver cannot be told.
  public var hasReliableSequence: Bool { !tally.wentBack && tally.repeats * 10 <= written }

  /// Whether the driver's timestamps serve as a clock: those of nine frames in ten can be true.
  public var hasReliableTimestamps: Bool {
    timedAtDequeue.reduce(0) { $0 + $1.count } * 10 <= written
  }

  /// How many frames were lost at each stage; ``ledger`` names them.
  public var lost: Take.FrameCounts.Lost { tally.lost }

  /// How many frames were written.
  public var written: Int64 { Int64(sequences.count) }

  /// How many frames the camera sent from the first to the last, by its own numbers.
  public var sent: Int64 { tally.first.map { tally.last - $0 + 1 } ?? 0 }

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
    tally.first.map { _ in (tally.lastRaw &+ 1, timestamps.last) }
  }

  /// How many frames are missing between the last entry and `sequence`; `nil` where there is no entry yet, or numbers
  /// stand or go back.
  func missing(before sequence: UInt32) -> Int? {
    let step = Int32(bitPattern: sequence &- tally.lastRaw)
    return tally.first == nil || step < 1 ? nil : Int(step) - 1
  }
}
