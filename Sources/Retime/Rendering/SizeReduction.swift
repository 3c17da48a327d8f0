import Foundation
import Media
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
    var scale = pow(excess, -1 / Self.exponent)
    if scale < 0.5, let half = Self.half(of: rate) {
      self.rate = half
      scale *= pow(Self.halfRateGain, 1 / Self.exponent)
    }
    // Powers are not exact.
    guard scale >= Self.leastScale * 0.999 else { return nil }
    size = Self.size(width, height, max(scale, Self.leastScale))
  }

  /// The largest part by which an animation without qualities can be reduced.
  static func most(rate: FrameRate) -> Double {
    pow(leastScale, -exponent) * (half(of: rate) == nil ? 1 : halfRateGain)
  }

  /// Returns the reduction to the smallest clip that is worth looking at.
  ///
  /// - Parameters:
  ///   - width: the clip's width in pixels.
  ///   - height: its height in pixels.
  ///   - rate: its frames per second.
  ///   - quality: its quality without a reduction.
  static func smallest(
    _ codec: VideoEncoder.Kind, width: Int, height: Int, rate: FrameRate, quality: Double
  ) -> SizeReduction {
    var reduction = SizeReduction()
    if let worst = codec.worstQuality {
      reduction.quality = max(worst, quality)
      reduction.size = sizes(width, height, for: codec).last ?? nil
    } else {
      reduction.rate = half(of: rate)
      reduction.size = size(width, height, leastScale)
    }
    return reduction
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
  /// The smallest part of an animation's width and height.
  private static let leastScale = 0.2
  /// The power of the width with which an animation grows: of 1.3 MB of a simulated camera at 480x270, 0.39 MB were
  /// left at 202x114.
  private static let exponent = 1.4
  /// How much smaller half the rate makes an animation: frames that are further apart have less in common.
  private static let halfRateGain = 1.6

  /// Returns half of `rate`; `nil` if that is too low.
  private static func half(of rate: FrameRate) -> FrameRate? {
    let half = rate.framesPerSecond / Fraction(2)
    return half >= leastRate ? FrameRate(half) : nil
  }

  private static func size(_ width: Int, _ height: Int, _ scale: Double) -> ClipReport.Size {
    func even(_ length: Int) -> Int { max(16, 2 * Int(clamping: (Double(length) * scale / 2).rounded())) }
    return ClipReport.Size(width: even(width), height: even(height))
  }
}
