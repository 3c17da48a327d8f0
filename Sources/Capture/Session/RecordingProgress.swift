/// How a recording stands.
public struct RecordingProgress: Hashable, Sendable {
  /// What it does just now.
  public enum Stage: Hashable, Sendable {
    /// Frames go into the master of this take, counted from 1.
    case filming(take: Int)
    /// Nothing is written: the newest frames wait in the ring for the trigger of this take, this much time of them.
    case armed(take: Int, held: Duration)
    /// Nothing is written: the frames around a trigger stay in the ring for a review, this much time of them so far.
    case gathering(take: Int, held: Duration)
  }

  /// What it does just now.
  public var stage = Stage.filming(take: 1)
  /// The time from the first frame in the master to the last, by their own timestamps: the pre-roll
  /// counts.
  public var duration: Duration
  /// Frames in the master.
  public var framesWritten: Int64
  /// Frames lost so far, at all stages.
  public var framesLost: Int64
  /// The rate by the frames' own timestamps; `nil` below two frames.
  public var measuredFramesPerSecond: Double?
  /// How much of the ring is taken, from 0 to 1.
  public var ringFill: Double
  /// How long it takes until the ring is full, if it goes on as in the last second; `nil` where it does not fill up.
  public var timeUntilRingIsFull: Duration?
  /// Bytes written to the master.
  public var bytesWritten: Int64
  /// Which part of the bytes that the master may have are written, from 0 to 1, its index aside; `nil` where it
  /// may have any number.
  public var limitFill: Double?
}
