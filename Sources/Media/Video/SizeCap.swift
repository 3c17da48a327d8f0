import Foundation
public import Timebase

/// The most bytes that an encoder may produce.
public struct SizeCap: Sendable {
  private let bytes: Int64
  private let duration: Fraction

  /// Creates a cap for `duration` seconds of video.
  public init(bytes: Int64, duration: Fraction) { (self.bytes, self.duration) = (bytes, duration) }

  /// Parameters of libx264 and libx265 that keep to it.
  ///
  /// In their model, a decoder has a buffer of `vbv-bufsize` kilobits, which is nine tenths full at first and is
  /// filled at `vbv-maxrate` kilobits per second. The video never takes more than the buffer has received.
  var parameters: String {
    let kilobits = Double(bytes) * 8 / 1000
    let buffer = kilobits / 4
    let rate = (kilobits - buffer * 0.9) / max(duration.doubleValue, 0.04)
    return ":vbv-maxrate=\(max(1, Int(rate))):vbv-bufsize=\(max(1, Int(buffer)))"
  }
}

extension VideoEncoder.Kind {
  /// Whether a clip can be made smaller by its quality, its size or its rate.
  package var canShrink: Bool { ![.prores, .ffv1, .raw].contains(self) }

  /// Returns the quality at which about a `factor`-th of the bytes are needed; `nil` if the picture would
  /// be useless, or if the codec has no quality setting.
  ///
  /// - Parameter quality: the quality at which the size is known.
  package func quality(_ quality: Double, dividingSizeBy factor: Double) -> Double? {
    guard factor > 1 else { return quality }
    let (wanted, worst): (Double, Double)
    switch self {
    // Six steps of a constant rate factor halve the size of clean pictures, three that of noisy ones.
    case .h264, .hevc: (wanted, worst) = (quality + 6 * log2(factor), 34)
    case .av1: (wanted, worst) = (quality + 10 * log2(factor), 52)
    case .mjpeg: (wanted, worst) = (max(1, quality) * pow(factor, 1.3), 14)
    // Measured on a simulated camera: 34 steps of libwebp's quality take a fifth away.
    case .webp: (wanted, worst) = (quality + 90 * log2(factor), 80)
    case .gif, .apng, .prores, .ffv1, .raw: return nil
    }
    return wanted <= max(worst, quality) ? wanted : nil
  }

  /// The shortest side of pictures that are made smaller, in pixels: libsvtav1 refuses shorter ones.
  package var leastSide: Int { self == .av1 ? 64 : 16 }

  /// Whether ``SizeCap`` holds for it.
  package var keepsCap: Bool { self == .h264 || self == .hevc }
}
