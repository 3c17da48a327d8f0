import Timebase

/// A meter of a camera's rate outside its pauses, by the frames' own numbers and times.
struct RateMeter {
  /// Nanoseconds between frames by the camera's word; `nil` if unknown, and no pause is then found.
  private let usual: Int64?
  private var first: (number: Int64, nanoseconds: Int64)?
  private var last: (number: Int64, nanoseconds: Int64) = (0, 0)
  private var pauses: (count: Int64, nanoseconds: Int64) = (0, 0)
  private var lastRaw: UInt32 = 0
  /// `lastRaw` unwrapped past 32 bits; less than the last number after repeated numbers.
  private var unwrapped: Int64 = 0

  /// Creates a meter of a camera whose frames should be `usual` nanoseconds apart.
  init(usual: Int64? = nil) { self.usual = usual }

  /// Frames per second; `nil` for fewer than two frames or if no time passed.
  var framesPerSecond: Double? {
    guard let first, last.nanoseconds > first.nanoseconds else { return nil }
    let frames = last.number - first.number
    // A camera that pauses before every few frames is slower than it says.
    let paused = pauses.count <= frames / 10 ? pauses.nanoseconds : 0
    let nanoseconds = Int128(last.nanoseconds) - Int128(first.nanoseconds) - Int128(paused)
    return nanoseconds > 0 ? Double(frames) * 1e9 / Double(nanoseconds) : nil
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
    let number = max(unwrapped, next)
    if let usual,
      let pause = CapturePauses.pause(
        in: nanoseconds.subtracting(clamping: last.nanoseconds), over: number - last.number, usual: usual)
    {
      pauses = (pauses.count + 1, pauses.nanoseconds.adding(clamping: pause))
    }
    last = (number, nanoseconds)
  }
}
