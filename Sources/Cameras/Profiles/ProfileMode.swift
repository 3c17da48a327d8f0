public import CameraModel
public import Timebase

extension Profile {
  /// Facts about one size, or several that share them.
  public struct Mode: Encodable, Hashable, Sendable {
    /// Pixels across and down, in the driver's order.
    public var sizes: [Dimensions]
    /// The pixel formats that have these sizes; empty for all.
    public var formats: [String]
    /// The rates listed one by one, in the driver's order.
    public var rates: [ProfileRate]
    /// The slowest and the fastest of a range of rates without steps.
    public var continuous: [ProfileRate]
    /// Whether pixels of the sensor are combined.
    @Nullable public var isBinned: Bool?
    /// The number of pixels combined across and down.
    @Nullable public var binning: [Int]?
    /// The visible part of the sensor: x, y, width, height.
    @Nullable public var crop: [Int]?
    /// Whether the picture is scaled after it was read from the sensor.
    @Nullable public var isScaled: Bool?
    /// The range of the code values: `full` or `limited`.
    @Nullable public var range: String?
    /// The source of this fact; `nil` for the profile's own source.
    @Nullable public var source: String?
    /// Further remarks.
    @Nullable public var note: String?

    /// Returns whether it describes `row`; never for a range of sizes.
    func covers(_ row: ModeRow) -> Bool {
      guard case .discrete(let width, let height) = row.size else { return false }
      let format = PixelFormat(fourcc: row.fourcc)
      return sizes.contains(Dimensions(width: width, height: height))
        && (formats.isEmpty || formats.contains { PixelFormat(fourcc: $0) == format })
    }
  }
}
