public import Timebase

/// One frame of a take, as those who measure want it.
public struct FrameEntry: Hashable, Sendable {
  /// Its place in the master, counted from 0.
  public let index: Int
  /// The camera's number of it.
  public let sequence: Int64
  /// When it was captured, on the take's clock.
  public let time: Instant
  /// The same from the first frame on.
  public let sinceFirst: Duration
  /// Frames that were lost between the one before and this.
  public let lostBefore: Int64
}

/// The frames of a take, in order.
public struct FrameList: Sequence, Sendable {
  private let take: Take

  init(_ take: Take) { self.take = take }

  /// Goes through the frames.
  public struct Iterator: IteratorProtocol {
    private var sequences: FrameColumn.Iterator
    private var times: FrameTimes.Iterator
    private let losses: [Loss]
    private let first: Instant?
    private var index = 0
    private var nextLoss = 0

    fileprivate init(_ take: Take) {
      sequences = take.sequences.makeIterator()
      times = take.timestamps.makeIterator()
      first = take.timestamps.first
      losses = take.losses
    }

    /// The next frame.
    public mutating func next() -> FrameEntry? {
      guard let sequence = sequences.next(), let time = times.next(), let first else { return nil }
      var lost: Int64 = 0
      while nextLoss < losses.count, losses[nextLoss].sequence < sequence {
        lost = lost.adding(clamping: losses[nextLoss].count)
        nextLoss += 1
      }
      defer { index += 1 }
      return FrameEntry(
        index: index, sequence: sequence, time: time, sinceFirst: time - first, lostBefore: lost)
    }
  }

  /// The frames, in order.
  public func makeIterator() -> Iterator { Iterator(take) }
}

extension Take {
  /// Its frames, each with its number, its time and what was lost before it.
  public var frameList: FrameList { FrameList(self) }
}
