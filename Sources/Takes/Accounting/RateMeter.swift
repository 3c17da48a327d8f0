/// A meter of a camera's rate, by the frames' own numbers and times.
struct RateMeter {
  private var first: (number: Int64, nanoseconds: Int64)?
  private var last: (number: Int64, nanoseconds: Int64) = (0, 0)
  private var lastRaw: UInt32 = 0
  /// `lastRaw` unwrapped past 32 bits; less than the last number after repeated numbers.
  private var unwrapped: Int64 = 0

  /// Frames per second; `nil` for fewer than two frames or if no time passed.
  var framesPerSecond: Double? {
    guard let first, last.nanoseconds > first.nanoseconds else { return nil }
    let nanoseconds = Int128(last.nanoseconds) - Int128(first.nanoseconds)
    return Double(last.number - first.number) * 1e9 / Double(nanoseconds)
  }

  /// Records the frame with this number, captured at this time.
  mutating func enter(_ raw: UInt32, at nanoseconds: Int64) {
    let step = Int64(Int32(bitPattern: raw &- lastRaw))
    let next = last.number + 1
    lastRaw = raw
    guard first != nil else {
      first = (0, nanoseconds)
      last = (0, nanoseconds)
      return
    }
    // Numbers that repeat or go back count as one each, as in `FrameAccounting`.
    unwrapped = step < 0 ? next : unwrapped + step
    last = (max(unwrapped, next), nanoseconds)
  }
}
