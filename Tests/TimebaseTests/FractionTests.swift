import Testing
import Timebase

@Suite("Fractions")
struct FractionTests {
  @Test("are kept in lowest terms with the sign in the numerator")
  func reduction() {
    #expect(Fraction(120_000, 1001) == Fraction(240_000, 2002))
    #expect(Fraction(3, -6).numerator == -1)
    #expect(Fraction(3, -6).denominator == 2)
    #expect(Fraction(0, -5) == Fraction(0))
  }

  @Test("compare correctly where Double is not exact enough")
  func comparison() {
    let large = Int64(1) << 53
    #expect(Fraction(large + 1, large) > Fraction(large + 2, large + 1))
    #expect(Fraction(-1, 3) < Fraction(1, 1000))
  }

  @Test("add up without drift over a million NTSC intervals")
  func sum() {
    let interval = Fraction(1001, 120_000)
    var total = Fraction(0)
    for _ in 0..<1000 { total = total + interval }
    #expect(total == Fraction(1001, 120))
    #expect(interval * Fraction(1_000_000) == Fraction(1_001_000_000, 120_000))
  }

  @Test(
    "scale to the nearest whole number, halves upwards",
    arguments: [
      (Fraction(1, 2), 1, 1), (Fraction(1, 2), -1, 0), (Fraction(1, 3), 2, 1), (Fraction(2, 3), -2, -1),
      (Fraction(1_000_000_000, 240), 3, 12_500_000), (Fraction(1), Int64.max, Int64.max),
    ])
  func scaling(_ factor: Fraction, _ value: Int64, _ expected: Int64) {
    #expect(factor.scaling(value) == expected)
  }

  @Test("are rounded if they do not fit into 62 bits, and never stop the program")
  func rounding() {
    let fine = Fraction(1, 4_294_967_291)
    let product = fine * fine * fine
    #expect(product.doubleValue >= 0 && product.doubleValue < 1e-18)
    let large = Fraction(Int64.max) * Fraction(Int64.max)
    #expect(large.numerator == 1 << 62 && large.denominator == 1)
    #expect((Fraction(Int64.min) - Fraction(Int64.max)).numerator < 0)
    let near = Fraction((1 << 61) - 1, 1 << 61) * Fraction((1 << 60) + 1, 1 << 60)
    #expect(abs(near.doubleValue - 1) < 1e-15)
    #expect(Fraction(1 << 62).scaling(.max) == .max)
  }

  @Test("round down below zero too")
  func floor() {
    #expect(Fraction(-1, 2).floor == -1)
    #expect(Fraction(7, 2).floor == 3)
    #expect(Fraction(-7, 2).rounded == -3)
  }

  @Test(
    "print the usual number",
    arguments: [
      (Fraction(240), "240"), (Fraction(120_000, 1001), "119.88"), (Fraction(1, 3), "0.33"),
      (Fraction(2999, 1000), "3"), (Fraction(10_005, 1000), "10.01"), (Fraction(-1, 1000), "0"),
    ])
  func decimals(_ value: Fraction, _ text: String) {
    #expect(value.decimal(places: 2) == text)
  }

  @Test(
    "print no point without decimals",
    arguments: [
      (Fraction(0), "0"), (Fraction(20), "20"), (Fraction(-10, 3), "-3"), (Fraction(-1, 3), "0"),
      (Fraction(29, 10), "3"),
    ])
  func noDecimals(_ value: Fraction, _ text: String) {
    #expect(value.decimal(places: 0) == text)
  }
}
