public import Timebase

/// Some of a camera's frames: named ones, a share of all, or both.
public struct FrameSelection: Hashable, Sendable {
  /// Named runs of frames, in any order.
  public var ranges: [ClosedRange<Int64>]
  /// How many of a million frames are picked besides, by chance.
  public var perMillion: UInt64

  /// The frames in `ranges` and `perMillion` millionths of the others.
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

  /// Whether `frame` is one of them; `noise` decides by chance.
  func contains(_ frame: Int64, noise: FrameNoise) -> Bool {
    for range in ranges where range.contains(frame) { return true }
    return perMillion > 0 && noise.value(of: frame) % 1_000_000 < perMillion
  }
}

/// A pseudo-random value for each frame, which depends on the frame's number alone.
struct FrameNoise {
  private let seed: UInt64

  /// The values of `seed`; `stream` keeps apart those that are used for different things.
  init(seed: UInt64, stream: UInt64) { self.seed = Self.mix(seed) &+ stream }

  /// Any 64-bit value with the same chance.
  func value(of frame: Int64) -> UInt64 { Self.mix(Self.mix(seed) &+ UInt64(bitPattern: frame)) }

  // SplitMix64's step (Steele, Lea, Flood: Fast splittable pseudorandom number generators).
  private static func mix(_ value: UInt64) -> UInt64 {
    var mixed = value &+ 0x9e37_79b9_7f4a_7c15
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
