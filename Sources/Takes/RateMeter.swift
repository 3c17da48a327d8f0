/// How many frames a second a camera sends, by their own numbers and times.
struct RateMeter {
  private var first: (number: Int64, nanoseconds: Int64)?
  private var last: (number: Int64, nanoseconds: Int64) = (0, 0)
  private var lastRaw: UInt32 = 0
  /// `lastRaw` past 32 bits; behind the last number where numbers were repeated.
  private var unwrapped: Int64 = 0

  /// Frames a second; `nil` below two frames or without passing time.
  var framesPerSecond: Double? {
    guard let first, last.nanoseconds > first.nanoseconds else { return nil }
    let nanoseconds = Int128(last.nanoseconds) - Int128(first.nanoseconds)
    return Double(last.number - first.number) * 1e9 / Double(nanoseconds)
  }

  /// Enters the frame of this number, captured at this time.
  mutating func enter(_ raw: UInt32, at nanoseconds: Int64) {
    let step = Int64(Int32(bitPattern: raw &- lastRaw))
    let next = last.number + 1
    lastRaw = raw
    guard first != nil else {
      first = (0, nanoseconds)
      last = (0, nanoseconds)
      return
    }
    // Numbers that stand or go back count as one each, as in `FrameAccounting`.
    unwrapped = step < 0 ? next : unwrapped + step
    last = (max(unwrapped, next), nanoseconds)
  }
}
