public import CameraModel
public import Timebase

extension Profile {
  /// What is known of one or several sizes that share it.
  public struct Mode: Encodable, Hashable, Sendable {
    /// Pixels across and down, in the driver's order.
    public var sizes: [Dimensions]
    /// The pixel formats that have these sizes; empty for all.
    public var formats: [String]
    /// The rates listed one by one, in the driver's order.
    public var rates: [ProfileRate]
    /// The slowest and the fastest of a range of rates without steps.
    public var continuous: [ProfileRate]
    /// Whether pixels of the sensor are added together.
    @Nullable public var isBinned: Bool?
    /// How many pixels are added across and down.
    @Nullable public var binning: [Int]?
    /// The part of the sensor that is seen: x, y, width, height.
    @Nullable public var crop: [Int]?
    /// Whether the picture is resized after it was read from the sensor.
    @Nullable public var isScaled: Bool?
    /// `full` or `limited`: what the code values span.
    @Nullable public var range: String?
    /// Where this is known from; `nil` for the profile's own source.
    @Nullable public var source: String?
    /// What else is worth knowing.
    @Nullable public var note: String?

    /// Whether it speaks of `row`; never of a range of sizes.
    func covers(_ row: ModeRow) -> Bool {
      guard case .discrete(let width, let height) = row.size else { return false }
      let format = PixelFormat(fourcc: row.fourcc)
      return sizes.contains(Dimensions(width: width, height: height))
        && (formats.isEmpty || formats.contains { PixelFormat(fourcc: $0) == format })
    }
  }
}
