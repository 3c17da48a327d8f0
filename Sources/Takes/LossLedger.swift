/// Where a frame was lost.
public enum LossStage: String, CaseIterable, Codable, Hashable, Sendable {
  /// A gap in the driver's sequence numbers: the camera or its driver lost it.
  case driver
  /// The driver flagged it as damaged, or its data are cut off.
  case corrupt
  /// The ring was full.
  case ring
  /// It could not be written.
  case disk
}

/// A run of frames that did not make it.
public struct Loss: Codable, Hashable, Sendable {
  /// The camera's number of the first of them, unwrapped.
  public var sequence: Int64
  /// How many frames, numbered without a gap.
  public var count: Int64
  /// The stage that lost them.
  public var stage: LossStage

  /// `count` frames from `sequence` on, lost at `stage`.
  public init(sequence: Int64, count: Int64, stage: LossStage) {
    self.sequence = sequence
    self.count = count
    self.stage = stage
  }
}

/// Every frame that did not make it into the master, in order, with the stage that lost it.
public struct LossLedger: Hashable, Sendable {
  /// The runs of lost frames, in order of sequence; neighbours of one stage are one run.
  public private(set) var losses: [Loss] = []

  /// An empty ledger.
  public init() {}

  /// Enters a run, which follows those entered before.
  mutating func enter(_ loss: Loss) {
    guard loss.count > 0 else { return }
    if let last = losses.last, last.stage == loss.stage, last.sequence + last.count == loss.sequence {
      losses[losses.count - 1].count += loss.count
    } else {
      losses.append(loss)
    }
  }

  /// How many frames `stage` lost.
  public func count(of stage: LossStage) -> Int64 {
    losses.reduce(0) { $1.stage == stage ? $0 + $1.count : $0 }
  }

  /// How many frames were lost in all.
  public var total: Int64 { losses.reduce(0) { $0 + $1.count } }
}

/// Frames whose numbers follow one another.
public struct FrameRun: Codable, Hashable, Sendable {
  /// The camera's number of the first of them, unwrapped past 32 bits.
  public var sequence: Int64
  /// How many they are.
  public var count: Int64

  /// `count` frames from `sequence` on.
  public init(sequence: Int64, count: Int64) {
    self.sequence = sequence
    self.count = count
  }
}

extension [FrameRun] {
  /// Enters the frame `number`, which comes after all that were entered before.
  mutating func enter(_ number: Int64) {
    if let last, last.sequence + last.count == number {
      self[count - 1].count += 1
    } else {
      append(FrameRun(sequence: number, count: 1))
    }
  }
}
