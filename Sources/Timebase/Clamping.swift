// Inlinable, because the simulator's per-pixel code takes three times as long without specialisation across
// modules.
extension FixedWidthInteger {
  /// Creates the integer part of `value`, clamped to this type's range; 0 if `value` is not a number.
  ///
  /// Quotients of values from cameras and files may be infinite, not a number, or beyond 64 bits;
  /// `Int(value)` would trap.
  @inlinable
  package init(clamping value: Double) {
    guard !value.isNaN else {
      self = 0
      return
    }
    self = Self(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
  }

  /// Returns the sum, clamped to this type's range.
  @inlinable
  package func adding(clamping other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    guard overflow else { return sum }
    return other < 0 ? .min : .max
  }

  /// Returns the difference, clamped to this type's range.
  @inlinable
  package func subtracting(clamping other: Self) -> Self {
    let (difference, overflow) = subtractingReportingOverflow(other)
    guard overflow else { return difference }
    return other < 0 ? .max : .min
  }

  /// Returns the product, clamped to this type's range.
  @inlinable
  package func multiplied(clamping other: Self) -> Self {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    guard overflow else { return product }
    return (self < 0) == (other < 0) ? .max : .min
  }
}
