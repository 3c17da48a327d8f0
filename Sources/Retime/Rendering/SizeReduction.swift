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
  /// Whether frames get less than ``quality`` where the clip would be too large. The same quality alone then makes
  /// another clip.
  public var isCapped = false

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
    isCapped = spec.codec.keepsCap
    if spec.codec.qualities == nil {
      // Of 1.3 MB of a simulated camera at 480x270, 0.39 MB were left at 202x114.
      let exponent = 1.4
      var scale = pow(excess, -1 / exponent)
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
      let rest = excess * pow(scale, 1.6)
      let side = Double(min(width, height)) * scale
      guard scale == 1 || side >= Double(spec.codec.leastSide),
        let wanted = spec.codec.quality(quality, dividingSizeBy: rest)
      else { continue }
      if wanted != quality { self.quality = (wanted * 10).rounded() / 10 }
      if scale < 1 { size = Self.size(width, height, scale) }
      return
    }
    return nil
  }

  /// The largest part by which a clip of `spec` can be reduced.
  static func most(of spec: RenderSpec, width: Int, height: Int, rate: FrameRate) -> Double {
    var (low, high) = (1.0, 100_000.0)
    while high / low > 1.02 {
      let middle = (low * high).squareRoot()
      if SizeReduction(of: middle, spec, width: width, height: height, rate: rate) == nil {
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
  ///   - excess: the size of a reduced clip that was too large, divided by the one allowed; 1 at first.
  /// - Throws: `outOfRange` if nothing acceptable is small enough, with the least size that is.
  public func reduced(
    from bytes: Int64, in container: Container, again excess: Double = 1
  ) async throws(OvercrankError) -> ClipRenderer {
    guard let limit = spec.largestSize else { return self }
    let plan = try ClipPlan(source, spec, of: part, in: container)
    let search = SizeSearch(
      renderer: self, plan: plan, bytes: bytes, fixed: plan.fixedBytes,
      aim: Double(limit) * SizeSearch.target / max(1, excess))
    switch try await search.sampled(in: container) {
    case .success(let reduction): return reduced(by: reduction, of: plan)
    case .failure(let tooLarge):
      throw OvercrankError(
        .outOfRange,
        "\(source.name): a clip of it cannot stay under \(limit.sizeWords) and still look good. The least is about "
          + "\(tooLarge.leastInWords). Allow more, or choose a shorter part.", remedy: .choosePart)
    }
  }

  fileprivate func reduced(by reduction: SizeReduction, of plan: ClipPlan) -> ClipRenderer {
    var renderer = self
    if let quality = reduction.quality { renderer.spec.quality = quality }
    if let size = reduction.size {
      renderer.spec.stages[ClipScale.self] = .size(width: size.width, height: size.height)
    }
    if let rate = reduction.rate {
      renderer.spec.outputRate = rate
      // Otherwise every frame would still be shown once, and half as fast.
      renderer.spec.speed =
        spec.speed ?? plan.group?.curve ?? Speed(plan.timeline.speed).map { SpeedCurve($0) }
    }
    renderer.reduction = reduction
    return renderer
  }
}

/// The search for the smallest reduction that makes a clip small enough.
private struct SizeSearch {
  /// No acceptable reduction makes the clip small enough.
  struct TooLarge: Error {
    /// The least size that can be allowed, in bytes.
    var least: Int64

    /// The least size as text, rounded up, so that it suffices.
    var leastInWords: String {
      let step: Int64 = least < 1_000_000 ? 100 : least < 1_000_000_000 ? 100_000 : 100_000_000
      return (least.adding(clamping: step - 1) / step * step).sizeWords
    }
  }

  let renderer: ClipRenderer
  let plan: ClipPlan
  /// The size of the clip without a reduction.
  let bytes: Int64
  /// The part of the size that stays, at most.
  let fixed: Double
  /// The size to reach.
  let aim: Double

  /// The part of the size that is allowed to aim at: samples and encoders are not exact.
  static let target = 0.96
  /// The part of ``aim`` that a sample must reach at least, and the most samples.
  private static let (contentment, mostSamples) = (0.93, 5)
  /// The room that a sampled size needs.
  private static let room = 0.94

  private func reduction(_ excess: Double) -> SizeReduction? {
    let (width, height) = plan.pictures.size
    return SizeReduction(of: excess, renderer.spec, width: width, height: height, rate: plan.outputRate)
  }

  /// Returns the reduction with which a sample of the clip comes closest to the size.
  func sampled(in container: Container) async throws(OvercrankError) -> Result<SizeReduction, TooLarge> {
    let sample = try await SizeSample(renderer, bytes: bytes, fixed: fixed, in: container)
    let (width, height) = plan.pictures.size
    let most = SizeReduction.most(of: renderer.spec, width: width, height: height, rate: plan.outputRate)
    var excess = min(most, max(1.01, Double(bytes) / aim))
    var slope = 1.0
    var former: (excess: Double, bytes: Double)?
    var best: (reduction: SizeReduction, bytes: Double)?
    for _ in 0..<Self.mostSamples {
      guard let reduction = reduction(excess) else { break }
      let size = try await sample.bytes(renderer.reduced(by: reduction, of: plan).spec)
      if size <= aim, size > best?.bytes ?? 0 { best = (reduction, size) }
      if let best, best.bytes >= aim * Self.contentment { break }
      if size > aim, excess >= most { break }
      if let former, former.bytes != size, former.excess != excess {
        slope = min(2.5, max(0.4, log(former.bytes / size) / log(excess / former.excess)))
      }
      former = (excess, size)
      // Between the middle of what is enough and the aim.
      excess = min(most, max(1.01, excess * pow(size / (aim * 0.97), 1 / slope)))
    }
    if let best { return .success(best.reduction) }
    guard let last = reduction(most) else { return .failure(TooLarge(least: bytes)) }
    let size = try await sample.bytes(renderer.reduced(by: last, of: plan).spec)
    guard size > aim else { return .success(last) }
    return .failure(TooLarge(least: Int64(clamping: (size / (Self.target * Self.room)).rounded(.up))))
  }
}
