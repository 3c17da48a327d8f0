/// A moment on a clock: `CLOCK_MONOTONIC`, unless another one is named.
///
/// Moments of two clocks are not told apart, so compare only those of one. Lengths of time are
/// Swift's `Duration`. No arithmetic of an instant traps: drivers, files and journals give any
/// number, so what would lie beyond the ends of 64 bits lies at the end, 292 years from zero.
public struct Instant: Hashable, Sendable {
  /// Nanoseconds since the clock's zero.
  public let nanoseconds: Int64

  /// The moment so many nanoseconds after the clock's zero.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The earliest moment that can be told.
  public static let distantPast = Instant(nanoseconds: .min)
  /// The latest moment that can be told.
  public static let distantFuture = Instant(nanoseconds: .max)
}

extension Instant: InstantProtocol {
  /// The moment `duration` later, in whole nanoseconds towards zero; held to the ends of 64 bits.
  public func advanced(by duration: Duration) -> Instant {
    Instant(nanoseconds: Int64(clamping: Int128(nanoseconds) + duration.nanoseconds))
  }

  /// How long it is from this moment to `other`, exactly; negative where that came before.
  public func duration(to other: Instant) -> Duration {
    .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
  }

  /// The moment `duration` later; held to the ends of 64 bits.
  public static func + (instant: Instant, duration: Duration) -> Instant { instant.advanced(by: duration) }

  /// Moves to `duration` later; held to the ends of 64 bits.
  public static func += (instant: inout Instant, duration: Duration) { instant = instant + duration }

  /// The moment `duration` earlier; held to the ends of 64 bits.
  public static func - (instant: Instant, duration: Duration) -> Instant {
    Instant(nanoseconds: Int64(clamping: Int128(instant.nanoseconds) - duration.nanoseconds))
  }

  /// How long `left` came after `right`, exactly; negative where it came before.
  public static func - (left: Instant, right: Instant) -> Duration { right.duration(to: left) }

  /// Moves to `duration` earlier; held to the ends of 64 bits.
  public static func -= (instant: inout Instant, duration: Duration) { instant = instant - duration }

  /// Whether `left` came before `right`.
  public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }
}

extension Instant: Codable {
  /// Reads a number of nanoseconds.
  public init(from decoder: any Decoder) throws {
    self.init(nanoseconds: try decoder.singleValueContainer().decode(Int64.self))
  }

  /// Writes the number of nanoseconds.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(nanoseconds)
  }
}
