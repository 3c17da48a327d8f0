import Glibc

/// The place of one camera's frames on another one's clock, by one method.
package struct OffsetEstimate: Hashable, Sendable {
  /// The method.
  package var method: AlignmentMethod
  /// The nanoseconds from the other camera's first frame to this one's.
  package var offset: Double
  /// The bound of the error of ``offset``, in nanoseconds, in 95 of 100 cases; infinite if unknown.
  package var uncertainty: Double
  /// How much longer a second of this camera's clock is on the other one's, in millionths.
  package var rate: Double
  /// The bound of the error of ``rate``, in millionths, in 95 of 100 cases; `nil` if it was not measured.
  package var rateUncertainty: Double?

  /// The usual difference of two clocks, in millionths: the standard deviation where nothing else is known.
  static let usualDeviation = 50.0
  /// The largest difference of two clocks, in millionths; what differs more is no clock's error.
  static let largestDeviation = 12_000.0

  /// Creates an estimate of these numbers.
  package init(
    _ method: AlignmentMethod, offset: Double, uncertainty: Double, rate: Double = 0,
    rateUncertainty: Double? = nil
  ) {
    self.method = method
    self.offset = offset
    self.uncertainty = uncertainty
    self.rate = rate
    self.rateUncertainty = rateUncertainty
  }
}

extension OffsetEstimate {
  /// The methods from the most to the least direct: what was seen and heard at the same time, what the kernel says, and
  /// what began the takes.
  private static let directness: [AlignmentMethod] = [.flash, .clap, .stamps, .trigger]

  /// The weight in a mean, at most that of an error of a nanosecond; 0 if the error is unknown.
  private var weight: Double { 1 / max(1, uncertainty * uncertainty) }

  /// Joins estimates of several methods.
  ///
  /// Estimates that agree within twice their uncertainties are weighted by these; where they differ by more than these,
  /// the joint one is less certain. One that contradicts the more direct ones does not count. The rate is that of the
  /// most direct one that measured it.
  ///
  /// - Returns: the joint estimate, with the method of the most direct one, and the methods that count; `nil` if there
  ///   are none.
  package static func fused(_ estimates: [OffsetEstimate]) -> (OffsetEstimate, by: [AlignmentMethod])? {
    let ordered = directness.compactMap { method in estimates.first { $0.method == method } }
    guard var joint = ordered.first else { return nil }
    var methods = [joint.method]
    for estimate in ordered.dropFirst() {
      let distance = estimate.offset - joint.offset
      let bound = hypot(joint.uncertainty, estimate.uncertainty)
      // Of true estimates, 5 in 100 differ by more than the bound, and hardly any by more than twice that.
      guard distance.magnitude <= 2 * bound else { continue }
      methods.append(estimate.method)
      if joint.rateUncertainty == nil {
        (joint.rate, joint.rateUncertainty) = (estimate.rate, estimate.rateUncertainty)
      }
      let (one, other) = (joint.weight, estimate.weight)
      guard one + other > 0 else { continue }
      joint.offset += other / (one + other) * distance
      joint.uncertainty = (1 / (one + other)).squareRoot() * max(1, distance.magnitude / max(1, bound))
    }
    return (joint, methods)
  }
}
