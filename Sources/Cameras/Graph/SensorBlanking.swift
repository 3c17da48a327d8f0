package import CameraModel
package import Timebase
package import V4L2

/// The timing of a raw sensor's frame: its active lines and its blanking, at its pixel rate.
///
/// Drivers of raw sensors have no intervals and offer these controls instead, as the kernel's manual explains
/// under "Camera Sensors".
package struct SensorBlanking: Equatable {
  /// `V4L2_CID_VBLANK`: blanking after each frame, in lines.
  static let verticalID: UInt32 = 0x009e_0901
  /// `V4L2_CID_HBLANK`: blanking after each line, in pixels.
  static let horizontalID: UInt32 = 0x009e_0902
  /// `V4L2_CID_PIXEL_RATE`: pixels per second.
  static let pixelRateID: UInt32 = 0x009f_0902

  private let lineLength: Int64
  private let height: Int64
  private let pixelRate: Int64
  private let vertical: Control

  /// Reads the timing of a sensor that delivers `size` from its `controls`; `nil` if they do not define it.
  package init?(_ controls: [Control], size: Dimensions) {
    func control(_ id: UInt32) -> Control? { controls.first { $0.id == id } }
    guard let vertical = control(Self.verticalID), vertical.value != nil,
      !vertical.flags.contains(.readOnly), vertical.minimum <= vertical.maximum,
      let horizontal = control(Self.horizontalID)?.value, let rate = control(Self.pixelRateID)?.value,
      rate > 0, (0...Self.most).contains(horizontal), (0...Self.most).contains(vertical.minimum),
      vertical.maximum <= Self.most, size.width > 0, size.height > 0, size.width <= Self.most,
      size.height <= Self.most
    else { return nil }
    self.vertical = vertical
    lineLength = Int64(size.width) + horizontal
    height = Int64(size.height)
    pixelRate = rate
  }

  /// The most pixels or lines that are accepted, so that products stay within 64 bits.
  private static let most: Int64 = 1 << 26

  /// Returns the interval with `lines` of blanking; `nil` if out of range, or if V4L2 cannot represent it.
  func interval(blanking lines: Int64) -> FrameInterval? {
    guard (0...Self.most).contains(lines),
      let rate = FrameRate(Fraction(pixelRate, lineLength * (height + lines)))
    else { return nil }
    return FrameInterval(rate)
      // Rounded to a millionth of a frame per second.
      ?? FrameRate(Fraction((rate.framesPerSecond * Fraction(1_000_000)).rounded, 1_000_000))
      .flatMap { FrameInterval($0) }
  }

  /// The range of possible intervals; `nil` if V4L2 cannot represent it.
  package var range: IntervalRange? {
    guard let min = interval(blanking: vertical.minimum), let max = interval(blanking: vertical.maximum)
    else { return nil }
    return IntervalRange(min: min, max: max)
  }

  /// The present interval.
  package var interval: FrameInterval? { vertical.value.flatMap { interval(blanking: $0) } }

  /// Returns the lines of blanking for `interval`, or the nearest that the sensor can do: never slower than
  /// requested, if it can be as fast.
  package func lines(for interval: FrameInterval) -> Int64? {
    guard let asked = interval.rate else { return nil }
    let lines = (Fraction(pixelRate, lineLength) / asked.framesPerSecond).floor - height
    let step = Int64(clamping: max(1, vertical.step))
    let held = min(max(lines, vertical.minimum), vertical.maximum)
    return vertical.minimum + (held - vertical.minimum) / step * step
  }
}
