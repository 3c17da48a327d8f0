import Overcrank

/// A number of bytes, readable and writable as text.
struct ByteCount: Hashable, CustomStringConvertible {
  /// The number of bytes, which is positive.
  let bytes: Int64

  init(bytes: Int64) { self.bytes = bytes }

  /// Reads `4GB`, `700MB`, `1.5GiB`, `500kB` or plain bytes; `4G` is 4 GB.
  init(text: String) throws(QuantityError) {
    let number = text.prefix { $0.isNumber || $0 == "." }
    let unit = text.dropFirst(number.count).trimmingPrefix(" ").lowercased()
    // A limit below an exabyte, so that no computation with it overflows.
    guard let value = Fraction(text: number), let factor = Self.units[unit],
      value * factor >= Fraction(1), value * factor < Fraction(1 << 60)
    else {
      throw QuantityError(
        text, expected: "a size above zero, such as 4GB, 700MB, 1.5GiB or 500kB")
    }
    bytes = (value * factor).floor
  }

  private static let units: [String: Fraction] = [
    "": Fraction(1), "b": Fraction(1), "k": Fraction(1000), "kb": Fraction(1000), "m": Fraction(1_000_000),
    "mb": Fraction(1_000_000), "g": Fraction(1_000_000_000), "gb": Fraction(1_000_000_000),
    "t": Fraction(1_000_000_000_000), "tb": Fraction(1_000_000_000_000), "kib": Fraction(1 << 10),
    "mib": Fraction(1 << 20), "gib": Fraction(1 << 30), "tib": Fraction(1 << 40),
  ]

  /// A text such as `66.3 MB`.
  var description: String { bytes.sizeWords }
}
