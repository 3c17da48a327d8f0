public import Timebase

/// One frame of a take, for measurements.
public struct FrameEntry: Hashable, Sendable {
  /// Its index in the master, counted from 0.
  public let index: Int
  /// The camera's number of the frame.
  public let sequence: Int64
  /// The capture time, on the take's clock.
  public let time: Instant
  /// The time from the first frame.
  public let sinceFirst: Duration
  /// The number of frames lost between the previous one and this.
  public let lostBefore: Int64
}

/// The frames of a take, in order.
public struct FrameList: Sequence, Sendable {
  private let take: Take

  init(_ take: Take) { self.take = take }

  /// An iterator over the frames.
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

    /// Returns the next frame.
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

  /// Returns an iterator over the frames, in order.
  public func makeIterator() -> Iterator { Iterator(take) }
}

extension Take {
  /// Its frames, each with its number, its time and the losses before it.
  public var frameList: FrameList { FrameList(self) }
}
