package import CameraModel
package import Timebase
package import V4L2

/// How long a raw sensor takes for a frame: the lines that it reads and those that it waits, at the
/// rate of its pixels.
///
/// Drivers of raw sensors have no intervals: this is what their controls say instead, as the
/// kernel's manual has it under "Camera Sensors".
package struct SensorBlanking: Equatable {
  /// `V4L2_CID_VBLANK`: lines that follow each frame.
  static let verticalID: UInt32 = 0x009e_0901
  /// `V4L2_CID_HBLANK`: pixels that follow each line.
  static let horizontalID: UInt32 = 0x009e_0902
  /// `V4L2_CID_PIXEL_RATE`: pixels a second.
  static let pixelRateID: UInt32 = 0x009f_0902

  private let lineLength: Int64
  private let height: Int64
  private let pixelRate: Int64
  private let vertical: Control

  /// What `controls` say of a sensor that gives `size`; `nil` where they do not say it.
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

  /// The most pixels or lines that count: products stay within 64 bits.
  private static let most: Int64 = 1 << 26

  /// The interval with so many lines of blanking; `nil` where there cannot be so many, or where it
  /// passes what V4L2 can say.
  func interval(blanking lines: Int64) -> FrameInterval? {
    guard (0...Self.most).contains(lines),
      let rate = FrameRate(Fraction(pixelRate, lineLength * (height + lines)))
    else { return nil }
    return FrameInterval(rate)
      // Rounded to a millionth of a frame a second.
      ?? FrameRate(Fraction((rate.framesPerSecond * Fraction(1_000_000)).rounded, 1_000_000))
      .flatMap { FrameInterval($0) }
  }

  /// All intervals that it can have; `nil` where V4L2 cannot say them.
  package var range: IntervalRange? {
    guard let min = interval(blanking: vertical.minimum), let max = interval(blanking: vertical.maximum)
    else { return nil }
    return IntervalRange(min: min, max: max)
  }

  /// The interval as it stands.
  package var interval: FrameInterval? { vertical.value.flatMap { interval(blanking: $0) } }

  /// The lines of blanking for `interval`, or the nearest that the sensor can: never slower than
  /// asked for, where it can be as fast.
  package func lines(for interval: FrameInterval) -> Int64? {
    guard let asked = interval.rate else { return nil }
    let lines = (Fraction(pixelRate, lineLength) / asked.framesPerSecond).floor - height
    let step = Int64(clamping: max(1, vertical.step))
    let held = min(max(lines, vertical.minimum), vertical.maximum)
    return vertical.minimum + (held - vertical.minimum) / step * step
  }
}
