import Foundation
public import Media
public import Platform
import Timebase

extension ClipRenderer {
  /// Makes the clip with less quality, size or rate, so that it stays under the size that it may have.
  ///
  /// - Parameters:
  ///   - bytes: the size of the clip without that.
  ///   - frames: the bytes of its encoded frames among them.
  ///   - container: the kind of file.
  ///   - make: makes the clip of a renderer; throws `outOfRange` with the remedy `shrink` if it is too large.
  /// - Throws: `outOfRange` if the smallest clip that is worth looking at is too large, with its size; the other errors
  ///   of `make`.
  public func reduced(
    from bytes: Int64, frames: Int64, in container: Container,
    make: (ClipRenderer) async throws(OvercrankError) -> ClipReport
  ) async throws(OvercrankError) -> ClipReport {
    guard let limit = spec.largestSize else { return try await make(self) }
    let plan = try ClipPlan(source, spec, of: part, in: container)
    let fixed = max(0, bytes - frames)
    let sample = try await SizeSample(self, bytes: bytes, fixed: fixed, in: container)
    let search = SizeSearch(
      limit: limit, bytes: bytes, codec: spec.codec, quality: spec.quality ?? spec.codec.usualQuality,
      width: plan.pictures.size.width, height: plan.pictures.size.height, rate: plan.outputRate)
    let result = try await search.clip { reduction throws(OvercrankError) in
      try await sample.bytes(reduced(by: reduction, of: plan, fixed: fixed).spec)
    } make: { reduction throws(OvercrankError) in
      try await make(reduced(by: reduction, of: plan, fixed: fixed))
    }
    switch result {
    case .success(let report): return report
    case .failure(let tooLarge):
      throw OvercrankError(
        .outOfRange,
        "\(source.name): a clip of it cannot stay under \(limit.sizeWords) and still look good. The least is "
          + "\(tooLarge.rounded.sizeWords). Allow more, or choose a shorter part.",
        remedy: .allowSize(tooLarge.rounded))
    }
  }

  private func reduced(by reduction: SizeReduction, of plan: ClipPlan, fixed: Int64) -> ClipRenderer {
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
    renderer.fixedBytes = fixed
    return renderer
  }
}

/// The search for the smallest reduction that makes a clip small enough.
///
/// A sample tells how large a reduced clip will be. No size is refused before the smallest clip that is worth looking
/// at has been made and is larger.
struct SizeSearch {
  /// No acceptable reduction makes the clip small enough.
  struct TooLarge: Error {
    /// The size of the smallest clip that was made, in bytes.
    var least: Int64

    /// That size, rounded up to what is printed, so that it suffices.
    var rounded: Int64 {
      let step: Int64 = least < 1_000_000 ? 100 : least < 1_000_000_000 ? 100_000 : 100_000_000
      return least.adding(clamping: step - 1) / step * step
    }
  }

  /// The most bytes that the clip may have.
  let limit: Int64
  /// The size of the clip without a reduction.
  let bytes: Int64
  let codec: VideoEncoder.Kind
  /// The quality without a reduction.
  let quality: Double
  /// The size of the clip's pictures in pixels.
  let (width, height): (Int, Int)
  /// The clip's frames per second.
  let rate: FrameRate

  /// The parts of the size that are allowed to aim at, first and when the clip was unlike the sample: samples and
  /// encoders are not exact.
  private static let targets = [0.96, 0.93]
  /// The part of the aim that a sample must reach at least, and the most samples of pictures of one size.
  private static let (contentment, mostSamples) = (0.93, 5)

  /// A reduction, and the size that its clip is expected to have.
  private typealias Expected = (reduction: SizeReduction, bytes: Double)
  private typealias Measure = (SizeReduction) async throws(OvercrankError) -> Double

  /// Makes the clip with the smallest reduction that is found.
  ///
  /// - Parameters:
  ///   - sample: returns the size that the clip is expected to have with a reduction.
  ///   - make: makes the clip with a reduction; throws `outOfRange` with the remedy `shrink` if it is too large. It is
  ///     called twice at most, and once more for the smallest clip before the size is refused.
  /// - Throws: the errors of both.
  func clip<Clip: Sendable>(
    sample: (SizeReduction) async throws(OvercrankError) -> Double,
    make: (SizeReduction) async throws(OvercrankError) -> Clip
  ) async throws(OvercrankError) -> Result<Clip, TooLarge> {
    var known: [SizeReduction: Double] = [:]
    func expected(_ reduction: SizeReduction) async throws(OvercrankError) -> Double {
      if let bytes = known[reduction] { return bytes }
      let bytes = try await sample(reduction)
      known[reduction] = bytes
      return bytes
    }
    let smallest = smallest
    // How much larger the clip was than its sample let expect.
    var (least, correction) = (bytes, 1.0)
    for target in Self.targets {
      let found = try await reduction(to: Double(limit) * target / correction, expected)
      guard let found, found.reduction != smallest else { break }
      do throws(OvercrankError) {
        return .success(try await make(found.reduction))
      } catch let failure {
        let size = try failure.excessiveSize
        least = min(least, size)
        correction = max(correction, Double(size) / max(1, found.bytes))
      }
    }
    do throws(OvercrankError) {
      return .success(try await make(smallest))
    } catch {
      return .failure(TooLarge(least: min(least, try error.excessiveSize)))
    }
  }

  /// The reduction to the smallest clip that is worth looking at. Its size is the same for every limit, because no cap
  /// changes it.
  private var smallest: SizeReduction {
    .smallest(codec, width: width, height: height, rate: rate, quality: quality)
  }

  /// Returns the reduction whose sample comes closest to the size `aim`; `nil` if none is small enough.
  private func reduction(to aim: Double, _ bytes: Measure) async throws(OvercrankError) -> Expected? {
    guard let worst = smallest.quality else { return try await reducingSize(to: aim, bytes) }
    return try await reducingQuality(to: aim, worst: worst, bytes)
  }

  /// Finds the largest pictures that are small enough at the worst quality, and the best quality for them.
  private func reducingQuality(
    to aim: Double, worst: Double, _ bytes: Measure
  ) async throws(OvercrankError) -> Expected? {
    for size in SizeReduction.sizes(width, height, for: codec) {
      func reduction(_ quality: Double) -> SizeReduction {
        var reduction = SizeReduction()
        reduction.size = size
        // A worse quality is smaller.
        reduction.quality = min((quality * 10).rounded(.up) / 10, worst)
        reduction.isCapped = codec.keepsCap && reduction != smallest
        return reduction
      }
      var fitting = (reduction: reduction(worst), quality: worst, bytes: try await bytes(reduction(worst)))
      guard fitting.bytes <= aim else { continue }
      var larger = (reduction: reduction(quality), quality: quality, bytes: Double(self.bytes))
      if size != nil { larger.bytes = try await bytes(larger.reduction) }
      guard larger.bytes > aim else { return (larger.reduction, larger.bytes) }
      for _ in 0..<Self.mostSamples where fitting.bytes < aim * Self.contentment {
        // Each step of quality divides the size by about the same.
        let part = log(aim * 0.97 / fitting.bytes) / max(1e-9, log(larger.bytes / fitting.bytes))
        let quality =
          fitting.quality + (larger.quality - fitting.quality) * min(0.9, max(0.1, part))
        let tried = (
          reduction: reduction(quality), quality: quality, bytes: try await bytes(reduction(quality))
        )
        if tried.bytes <= aim { fitting = tried } else { larger = tried }
      }
      return (fitting.reduction, fitting.bytes)
    }
    return nil
  }

  /// Finds the largest pictures, or the rate, that are small enough.
  private func reducingSize(to aim: Double, _ bytes: Measure) async throws(OvercrankError) -> Expected? {
    let most = SizeReduction.most(rate: rate)
    var excess = min(most, max(1.01, Double(self.bytes) / aim))
    var slope = 1.0
    var former: (excess: Double, bytes: Double)?
    var best: Expected?
    for _ in 0..<Self.mostSamples {
      guard let reduction = SizeReduction(of: excess, width: width, height: height, rate: rate) else { break }
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
    return best
  }
}

extension OvercrankError {
  /// The size of a clip that was too large, in bytes.
  ///
  /// - Throws: the error itself if it has another reason.
  fileprivate var excessiveSize: Int64 {
    get throws(OvercrankError) {
      guard case .shrink(let bytes, _)? = remedy else { throw self }
      return bytes
    }
  }
}
