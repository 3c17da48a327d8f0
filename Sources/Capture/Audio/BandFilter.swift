import Glibc

/// A filter that passes a band of frequencies: a high pass and a low pass of the second order, one after the
/// other.
struct BandFilter {
  /// A section of the second order.
  private struct Section {
    var (b0, b1, b2, a1, a2) = (1.0, 0.0, 0.0, 0.0, 0.0)
    var (s1, s2) = (0.0, 0.0)

    /// Creates a Butterworth section; one that passes everything if its frequency is out of reach.
    init(_ frequency: Double, rate: Double, passesHigh: Bool) {
      guard frequency > 0, frequency < rate * 0.49 else { return }
      let angle = 2 * .pi * frequency / rate
      let width = sin(angle) / 2.0.squareRoot()
      let scale = 1 / (1 + width)
      b1 = (passesHigh ? -(1 + cos(angle)) : 1 - cos(angle)) * scale
      b0 = b1.magnitude / 2
      b2 = b0
      a1 = -2 * cos(angle) * scale
      a2 = (1 - width) * scale
    }

    mutating func pass(_ value: Double) -> Double {
      let result = b0 * value + s1
      s1 = b1 * value - a1 * result + s2
      s2 = b2 * value - a2 * result
      return result
    }
  }

  private var high: Section
  private var low: Section

  /// Creates a filter for samples at `rate`. A limit that these samples cannot carry is left out.
  init(_ band: ClosedRange<Double>, rate: Int) {
    high = Section(band.lowerBound, rate: Double(rate), passesHigh: true)
    low = Section(band.upperBound, rate: Double(rate), passesHigh: false)
  }

  /// Returns the next sample, filtered.
  mutating func pass(_ value: Double) -> Double { low.pass(high.pass(value)) }
}
