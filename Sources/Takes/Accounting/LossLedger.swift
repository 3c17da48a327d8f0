/// The stage at which a frame was lost.
public enum LossStage: String, CaseIterable, Codable, Hashable, Sendable {
  /// A gap in the driver's sequence numbers: the camera or its driver dropped the frame.
  case driver
  /// The driver flagged the frame as damaged, or its data is cut off.
  case corrupt
  /// The ring was full.
  case ring
  /// The frame could not be written.
  case disk
}

/// A run of lost frames.
public struct Loss: Codable, Hashable, Sendable {
  /// The camera's number of the first frame, unwrapped.
  public var sequence: Int64
  /// The number of frames, numbered without a gap.
  public var count: Int64
  /// The stage that lost them.
  public var stage: LossStage

  /// Creates a run of `count` frames from `sequence` on, lost at `stage`.
  public init(sequence: Int64, count: Int64, stage: LossStage) {
    self.sequence = sequence
    self.count = count
    self.stage = stage
  }
}

/// The list of all frames that are missing from the master, in order, with the stage that lost each.
public struct LossLedger: Hashable, Sendable {
  /// The runs of lost frames, in order of sequence; adjacent ones of one stage are merged.
  public private(set) var losses: [Loss] = []

  /// Creates an empty ledger.
  public init() {}

  /// Adds a run, which follows those before.
  mutating func enter(_ loss: Loss) {
    guard loss.count > 0 else { return }
    if let last = losses.last, last.stage == loss.stage, last.sequence + last.count == loss.sequence {
      losses[losses.count - 1].count += loss.count
    } else {
      losses.append(loss)
    }
  }

  /// Returns the number of frames that `stage` lost.
  public func count(of stage: LossStage) -> Int64 {
    losses.reduce(0) { $1.stage == stage ? $0 + $1.count : $0 }
  }

  /// The total number of lost frames.
  public var total: Int64 { losses.reduce(0) { $0 + $1.count } }
}

/// A run of frames with consecutive numbers.
public struct FrameRun: Codable, Hashable, Sendable {
  /// The camera's number of the first frame, unwrapped past 32 bits.
  public var sequence: Int64
  /// The number of frames.
  public var count: Int64

  /// Creates a run of `count` frames from `sequence` on.
  public init(sequence: Int64, count: Int64) {
    self.sequence = sequence
    self.count = count
  }
}

extension [FrameRun] {
  /// Appends the frame `number`, which follows all frames so far.
  mutating func enter(_ number: Int64) {
    if let last, last.sequence + last.count == number {
      self[count - 1].count += 1
    } else {
      append(FrameRun(sequence: number, count: 1))
    }
  }
}
