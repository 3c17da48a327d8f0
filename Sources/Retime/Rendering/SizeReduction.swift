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

  /// Creates a reduction that gives up nothing.
  init() {}

  /// Finds what an animation without qualities gives up: first size, then half its rate.
  ///
  /// - Parameters:
  ///   - excess: the size of the clip as it would be, divided by the one allowed.
  ///   - width: its width in pixels.
  ///   - height: its height in pixels.
  ///   - rate: its frames per second.
  /// - Returns: `nil` if nothing acceptable is small enough.
  init?(of excess: Double, width: Int, height: Int, rate: FrameRate) {
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
  }

  /// The largest part by which an animation without qualities can be reduced.
  static func most(width: Int, height: Int, rate: FrameRate) -> Double {
    var (low, high) = (1.0, 100_000.0)
    while high / low > 1.02 {
      let middle = (low * high).squareRoot()
      if SizeReduction(of: middle, width: width, height: height, rate: rate) == nil {
        high = middle
      } else {
        low = middle
      }
    }
    return low
  }

  /// Returns the sizes that pictures are tried in, from the largest; `nil` is their own.
  static func sizes(_ width: Int, _ height: Int, for codec: VideoEncoder.Kind) -> [ClipReport.Size?] {
    let scales = [0.75, 0.5, 0.375, 0.25].filter {
      Double(min(width, height)) * $0 >= Double(codec.leastSide)
    }
    return [nil] + scales.map { size(width, height, $0) }
  }

  /// The smallest rate of an animation, in frames per second.
  private static let leastRate = Fraction(10)

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
    switch try await search.result(in: container) {
    case .success(let reduction): return reduced(by: reduction, of: plan)
    case .failure(let tooLarge):
      throw OvercrankError(
        .outOfRange,
        "\(source.name): a clip of it cannot stay under \(limit.sizeWords) and still look good. The least is about "
          + "\(tooLarge.rounded.sizeWords). Allow more, or choose a shorter part.",
        remedy: .allowSize(tooLarge.rounded))
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

    /// The least size, rounded up to what is printed, so that this suffices.
    var rounded: Int64 {
      let step: Int64 = least < 1_000_000 ? 100 : least < 1_000_000_000 ? 100_000 : 100_000_000
      return least.adding(clamping: step - 1) / step * step
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
  /// The part of ``aim`` that a sample must reach at least, and the most samples of pictures of one size.
  private static let (contentment, mostSamples) = (0.93, 5)
  /// The room that a sampled size needs.
  private static let room = 0.94

  /// Returns the reduction with which a sample of the clip comes closest to the size.
  func result(in container: Container) async throws(OvercrankError) -> Result<SizeReduction, TooLarge> {
    let sample = try await SizeSample(renderer, bytes: bytes, fixed: fixed, in: container)
    func size(_ reduction: SizeReduction) async throws(OvercrankError) -> Double {
      try await sample.bytes(renderer.reduced(by: reduction, of: plan).spec)
    }
    let codec = renderer.spec.codec
    guard let worst = codec.worstQuality else { return try await reducingSize(size) }
    return try await reducingQuality(to: max(worst, renderer.spec.quality ?? codec.usualQuality), size)
  }

  private typealias Measure = (SizeReduction) async throws(OvercrankError) -> Double

  /// Finds the largest pictures that are small enough at the worst quality, and the best quality for them.
  private func reducingQuality(
    to worst: Double, _ bytes: Measure
  ) async throws(OvercrankError) -> Result<SizeReduction, TooLarge> {
    let spec = renderer.spec
    let (width, height) = plan.pictures.size
    var least = Double.infinity
    for size in SizeReduction.sizes(width, height, for: spec.codec) {
      func reduction(_ quality: Double) -> SizeReduction {
        var reduction = SizeReduction()
        (reduction.size, reduction.isCapped) = (size, spec.codec.keepsCap)
        // A worse quality is smaller.
        reduction.quality = min((quality * 10).rounded(.up) / 10, worst)
        return reduction
      }
      var fitting = (quality: worst, bytes: try await bytes(reduction(worst)))
      least = min(least, fitting.bytes)
      guard fitting.bytes <= aim else { continue }
      let best = spec.quality ?? spec.codec.usualQuality
      var larger = (quality: best, bytes: Double(self.bytes))
      if size != nil { larger.bytes = try await bytes(reduction(best)) }
      guard larger.bytes > aim else { return .success(reduction(best)) }
      for _ in 0..<Self.mostSamples where fitting.bytes < aim * Self.contentment {
        // Each step of quality divides the size by about the same.
        let part = log(aim * 0.97 / fitting.bytes) / max(1e-9, log(larger.bytes / fitting.bytes))
        let quality =
          fitting.quality + (larger.quality - fitting.quality) * min(0.9, max(0.1, part))
        let tried = (quality: quality, bytes: try await bytes(reduction(quality)))
        if tried.bytes <= aim { fitting = tried } else { larger = tried }
      }
      return .success(reduction(fitting.quality))
    }
    return .failure(TooLarge(least: Int64(clamping: (least / (Self.target * Self.room)).rounded(.up))))
  }

  /// Finds the largest pictures, or the rate, that are small enough.
  private func reducingSize(
    _ bytes: Measure
  ) async throws(OvercrankError) -> Result<SizeReduction, TooLarge> {
    let (width, height) = plan.pictures.size
    func reduction(_ excess: Double) -> SizeReduction? {
      SizeReduction(of: excess, width: width, height: height, rate: plan.outputRate)
    }
    let most = SizeReduction.most(width: width, height: height, rate: plan.outputRate)
    var excess = min(most, max(1.01, Double(self.bytes) / aim))
    var slope = 1.0
    var former: (excess: Double, bytes: Double)?
    var best: (reduction: SizeReduction, bytes: Double)?
    for _ in 0..<Self.mostSamples {
      guard let reduction = reduction(excess) else { break }
      let size = try await bytes(reduction)
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
    guard let last = reduction(most) else { return .failure(TooLarge(least: self.bytes)) }
    let size = try await bytes(last)
    guard size > aim else { return .success(last) }
    return .failure(TooLarge(least: Int64(clamping: (size / (Self.target * Self.room)).rounded(.up))))
  }
}
