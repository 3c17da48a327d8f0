public import Timebase

/// Tests count moments in nanoseconds from the zero of a clock of their own.
extension Instant: ExpressibleByIntegerLiteral {
  /// So many nanoseconds after zero.
  public init(integerLiteral value: Int64) { self.init(nanoseconds: value) }
}
