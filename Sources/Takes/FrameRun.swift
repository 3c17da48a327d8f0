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
