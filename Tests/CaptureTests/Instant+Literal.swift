public import Timebase

/// Tests write instants in nanoseconds after the zero of a clock of their own.
extension Instant: ExpressibleByIntegerLiteral {
  /// Creates the instant that many nanoseconds after zero.
  public init(integerLiteral value: Int64) { self.init(nanoseconds: value) }
}
