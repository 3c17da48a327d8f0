/// A moment on a clock: `CLOCK_MONOTONIC`, unless stated otherwise.
///
/// An instant does not record its clock, so compare only instants of the same clock. Lengths of time are
/// Swift's `Duration`. Arithmetic never traps, because drivers, files and journals may contain any number:
/// results saturate at the ends of 64 bits, 292 years from zero.
public struct Instant: Hashable, Sendable {
  /// Nanoseconds since the clock's zero.
  public let nanoseconds: Int64

  /// Creates the moment `nanoseconds` after the clock's zero.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The earliest moment that can be represented.
  public static let distantPast = Instant(nanoseconds: .min)
  /// The latest moment that can be represented.
  public static let distantFuture = Instant(nanoseconds: .max)
}

extension Instant: InstantProtocol {
  /// Returns the moment `duration` later, truncated to whole nanoseconds; saturates at the ends of 64 bits.
  public func advanced(by duration: Duration) -> Instant {
    Instant(nanoseconds: Int64(clamping: Int128(nanoseconds) + duration.nanoseconds))
  }

  /// Returns the exact duration from this moment to `other`; negative if `other` is earlier.
  public func duration(to other: Instant) -> Duration {
    .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
  }

  /// Returns the moment `duration` later; saturates at the ends of 64 bits.
  public static func + (instant: Instant, duration: Duration) -> Instant { instant.advanced(by: duration) }

  /// Advances the instant by `duration`; saturates at the ends of 64 bits.
  public static func += (instant: inout Instant, duration: Duration) { instant = instant + duration }

  /// Returns the moment `duration` earlier; saturates at the ends of 64 bits.
  public static func - (instant: Instant, duration: Duration) -> Instant {
    Instant(nanoseconds: Int64(clamping: Int128(instant.nanoseconds) - duration.nanoseconds))
  }

  /// Returns the exact duration from `right` to `left`; negative if `left` is earlier.
  public static func - (left: Instant, right: Instant) -> Duration { right.duration(to: left) }

  /// Moves the instant back by `duration`; saturates at the ends of 64 bits.
  public static func -= (instant: inout Instant, duration: Duration) { instant = instant - duration }

  /// Returns whether `left` is earlier than `right`.
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
