import Testing

@testable import Timebase

@Suite("Arithmetic that is clamped to its type")
struct ClampingTests {
  @Test(
    "rounds a quotient to the nearest whole number, whatever its value",
    arguments: [
      (Double.nan, 0), (.infinity, Int64.max), (-.infinity, .min), (1e300, .max), (-1e300, .min), (2.9, 2),
      (-2.9, -2), (9.3e18, .max), (0x1p63, .max), (-0x1p63, .min),
    ] as [(Double, Int64)])
  func quotients(_ value: Double, _ nearest: Int64) {
    #expect(Int64(clamping: value) == nearest)
  }

  @Test("clamps conversions to narrow and unsigned types")
  func narrow() {
    #expect(UInt32(clamping: -1.5) == 0)
    #expect(UInt32(clamping: 4_294_967_296.0) == .max)
    #expect(UInt64(clamping: 1e19) == 10_000_000_000_000_000_000)
    #expect(Int8(clamping: 127.9) == 127)
  }

  @Test("clamps sums, differences and products at both ends")
  func operations() {
    #expect(Int64.max.adding(clamping: 1) == .max)
    #expect(Int64.min.adding(clamping: -1) == .min)
    #expect(Int64(3).adding(clamping: -5) == -2)
    #expect(Int64.min.subtracting(clamping: 1) == .min)
    #expect(Int64.max.subtracting(clamping: -1) == .max)
    #expect(UInt32(3).subtracting(clamping: 5) == 0)
    #expect(Int64.min.multiplied(clamping: -1) == .max)
    #expect(Int64.min.multiplied(clamping: 2) == .min)
    #expect(UInt32.max.multiplied(clamping: 2) == .max)
    #expect(Int64(-3).multiplied(clamping: 5) == -15)
  }

  @Test("makes a fraction of every whole number, and computes with every fraction")
  func fractions() {
    let numbers = [Int64.min, .min + 1, -1, 0, 1, .max].map { Fraction($0) }
    for one in numbers {
      _ = (one.magnitude, one.rounded, one.floor, one.scaling(.min), one.scaling(.max))
      for other in numbers {
        _ = (one + other, one - other, one * other, one < other)
        if other.numerator != 0 { _ = one / other }
      }
    }
    #expect(Fraction(Int64.min).magnitude == Fraction(Int64.max))
  }
}
