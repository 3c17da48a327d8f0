// Inlined into other rooms: as generic code, the simulator's pixels take three times as long.
extension FixedWidthInteger {
  /// `value` without its fraction, held to what this type can hold; 0 where it is not a number.
  ///
  /// A quotient of what a camera or a file gives may be infinite, not a number, or beyond 64 bits, and
  /// `Int(value)` stops the program then.
  @inlinable
  package init(clamping value: Double) {
    guard !value.isNaN else {
      self = 0
      return
    }
    self = Self(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
  }

  /// The sum, held to what this type can hold.
  @inlinable
  package func adding(clamping other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    guard overflow else { return sum }
    return other < 0 ? .min : .max
  }

  /// The difference, held to what this type can hold.
  @inlinable
  package func subtracting(clamping other: Self) -> Self {
    let (difference, overflow) = subtractingReportingOverflow(other)
    guard overflow else { return difference }
    return other < 0 ? .max : .min
  }

  /// The product, held to what this type can hold.
  @inlinable
  package func multiplied(clamping other: Self) -> Self {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    guard overflow else { return product }
    return (self < 0) == (other < 0) ? .max : .min
  }
}
