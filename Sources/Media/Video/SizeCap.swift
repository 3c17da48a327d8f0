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

  /// The worst quality of pictures that are worth looking at; `nil` if the codec has no quality setting.
  package var worstQuality: Double? {
    switch self {
    case .h264, .hevc: 34
    case .av1: 52
    case .mjpeg: 14
    case .webp: 80
    case .gif, .apng, .prores, .ffv1, .raw: nil
    }
  }

  /// The shortest side of pictures that are made smaller, in pixels: libsvtav1 refuses shorter ones.
  package var leastSide: Int { self == .av1 ? 64 : 16 }

  /// Whether ``SizeCap`` holds for it.
  package var keepsCap: Bool { self == .h264 || self == .hevc }
}
