import Foundation
public import Media
public import Platform
public import Timebase

/// The quality, size and rate that a clip gives up to stay under a number of bytes.
public struct SizeReduction: Hashable, Sendable {
  /// The encoder's quality; `nil` if unchanged.
  public var quality: Double?
  /// The size of its pictures; `nil` if unchanged.
  public var size: ClipReport.Size?
  /// Frames per second; `nil` if unchanged.
  public var rate: FrameRate?

  /// The parts of both sides that are tried.
  private static let scales = [1, 0.75, 0.5, 0.375, 0.25]
  /// The smallest rate of an animation, in frames per second.
  private static let leastRate = Fraction(10)

  /// Finds what to give up.
  ///
  /// - Parameters:
  ///   - excess: the size of the clip as it would be, divided by the one allowed.
  ///   - spec: its settings.
  ///   - width: its width in pixels.
  ///   - height: its height in pixels.
  ///   - rate: its frames per second.
  /// - Returns: `nil` if nothing acceptable is small enough.
  init?(of excess: Double, _ spec: RenderSpec, width: Int, height: Int, rate: FrameRate) {
    // Where the encoder does not keep to the size itself, the estimate needs a margin.
    let factor = excess * (spec.codec.keepsCap ? 1.04 : 1.3)
    if spec.codec.qualities == nil {
      // Of 1.3 MB of a simulated camera at 480x270, 0.39 MB were left at 202x114.
      let exponent = 1.4
      var scale = pow(factor, -1 / exponent)
      if scale < 0.5, rate.framesPerSecond / Fraction(2) >= Self.leastRate {
        self.rate = FrameRate(rate.framesPerSecond / Fraction(2))
        // Frames that are further apart have less in common.
        scale *= pow(1.6, 1 / exponent)
      }
      guard scale >= 0.2 else { return nil }
      size = Self.size(width, height, scale)
      return
    }
    let quality = spec.quality ?? spec.codec.usualQuality
    for scale in Self.scales {
      // Smaller pictures have more detail for each pixel.
      let rest = factor * pow(scale, 1.6)
      guard let wanted = spec.codec.quality(quality, dividingSizeBy: rest) else { continue }
      if wanted != quality { self.quality = (wanted * 10).rounded() / 10 }
      if scale < 1 { size = Self.size(width, height, scale) }
      return
    }
    return nil
  }

  /// The largest part by which a clip of `spec` can be reduced.
  static func most(of spec: RenderSpec, rate: FrameRate) -> Double {
    var (low, high) = (1.0, 100_000.0)
    while high / low > 1.02 {
      let middle = (low * high).squareRoot()
      if SizeReduction(of: middle, spec, width: 640, height: 360, rate: rate) == nil {
        high = middle
      } else {
        low = middle
      }
    }
    return low
  }

  private static func size(_ width: Int, _ height: Int, _ scale: Double) -> ClipReport.Size {
    func even(_ length: Int) -> Int { max(16, 2 * Int(clamping: (Double(length) * scale / 2).rounded())) }
    return ClipReport.Size(width: even(width), height: even(height))
  }
}

extension ClipRenderer {
  /// Returns a renderer of the clip with less quality, size or rate, so that it stays under the size that it may have.
  ///
  /// - Parameters:
  ///   - bytes: the size that the clip would have.
  ///   - container: the kind of file.
  /// - Throws: `outOfRange` if nothing acceptable is small enough, with the least size that is.
  public func reduced(from bytes: Int64, in container: Container) throws(OvercrankError)
    -> ClipRenderer
  {
    guard let limit = spec.largestSize else { return self }
    let plan = try ClipPlan(source, spec, of: part, in: container)
    let (width, height) = plan.pictures.size
    guard
      let reduction = SizeReduction(
        of: Double(bytes) / Double(limit), spec, width: width, height: height, rate: plan.outputRate
      )
    else {
      let least = Int64(Double(bytes) / SizeReduction.most(of: spec, rate: plan.outputRate)) + 1
      throw OvercrankError(
        .outOfRange,
        "\(source.name): a clip of it cannot stay under \(limit) B and still look good. The least is about "
          + "\(least) B. Allow more, or choose a shorter part.", remedy: .choosePart)
    }
    var renderer = self
    if let quality = reduction.quality { renderer.spec.quality = quality }
    if let size = reduction.size {
      renderer.spec.stages[ClipScale.self] = .size(width: size.width, height: size.height)
    }
    if let rate = reduction.rate { renderer.spec.outputRate = rate }
    renderer.reduction = reduction
    return renderer
  }
}
