public import Timebase

/// A selection of a camera's frames: named ones, a random share, or both.
public struct FrameSelection: Hashable, Sendable {
  /// The selected ranges of frames, in any order.
  public var ranges: [ClosedRange<Int64>]
  /// The share of frames selected at random, per million.
  public var perMillion: UInt64

  /// Creates a selection of the frames in `ranges`, and of `perMillion` millionths of the others.
  public init(_ ranges: [ClosedRange<Int64>] = [], perMillion: UInt64 = 0) {
    self.ranges = ranges
    self.perMillion = perMillion
  }

  /// Reads numbers, ranges and shares joined by `+`: `50`, `100-109+200`, `2%`.
  public init(text: String) throws(QuantityError) {
    self.init()
    for part in text.split(separator: "+", omittingEmptySubsequences: false) {
      if part.hasSuffix("%"), let share = Fraction(text: part.dropLast()), share <= Fraction(100) {
        perMillion = UInt64((share * Fraction(10_000)).rounded)
      } else if let range = Self.range(part) {
        ranges.append(range)
      } else {
        throw QuantityError(text, expected: "a list of frames such as 50, 100-109+200 or 2%")
      }
    }
  }

  private static func range(_ text: Substring) -> ClosedRange<Int64>? {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { UInt32($0) }
    guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1], first <= last
    else { return nil }
    return Int64(first)...Int64(last)
  }

  /// Returns whether `frame` is selected; `noise` provides the randomness.
  func contains(_ frame: Int64, noise: FrameNoise) -> Bool {
    for range in ranges where range.contains(frame) { return true }
    return perMillion > 0 && noise.value(of: frame) % 1_000_000 < perMillion
  }
}

/// A source of pseudo-random values that depend only on the frame's number.
struct FrameNoise {
  private let seed: UInt64

  /// Creates the values of `seed`; use a different `stream` for each purpose.
  init(seed: UInt64, stream: UInt64) { self.seed = Self.mix(seed) &+ stream }

  /// Returns a uniformly distributed 64-bit value.
  func value(of frame: Int64) -> UInt64 { Self.mix(Self.mix(seed) &+ UInt64(bitPattern: frame)) }

  // SplitMix64's step (Steele, Lea, Flood: Fast splittable pseudorandom number generators).
  private static func mix(_ value: UInt64) -> UInt64 {
    var mixed = value &+ 0x9e37_79b9_7f4a_7c15
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
