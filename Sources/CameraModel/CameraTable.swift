public import Timebase

/// All the modes of one camera, as its driver lists them: claims, not yet tried.
public struct CameraTable: Hashable, Sendable {
  /// A short name for the camera, fit for a file name; `nil` if none was given.
  public var id: String?
  /// The card's name.
  public var card: String?
  /// The driver's name.
  public var driver: String?
  /// The bus that it is attached to.
  public var bus: String?
  /// USB vendor and product, as in `32e4:9230`.
  public var vendorProduct: String?
  /// Whether frames come through the multi-planar API.
  public var isMultiplanar: Bool?
  /// The sensor's name in the media graph; `nil` if there is none, or none was found.
  public var sensor: String?
  /// The sensor's pixels, across and down; `nil` if unknown.
  public var native: Dimensions?
  /// The camera's orientation in its machine, and its purpose.
  public var mounting = CameraMounting()
  /// The media graph that the camera is part of; `nil` if there is none.
  public var graph: MediaGraph?
  /// The id of the profile that describes this camera; `nil` if none does.
  public var profile: String?
  /// One row for each format and size, in the driver's order.
  public var rows: [ModeRow]
  /// Caveats about the rows, as sentences.
  public var warnings: [String]

  /// Creates a table of `rows`.
  public init(
    id: String? = nil, card: String? = nil, driver: String? = nil, bus: String? = nil,
    vendorProduct: String? = nil, isMultiplanar: Bool? = nil, rows: [ModeRow], warnings: [String] = []
  ) {
    self.id = id
    self.card = card
    self.driver = driver
    self.bus = bus
    self.vendorProduct = vendorProduct
    self.isMultiplanar = isMultiplanar
    self.rows = rows
    self.warnings = warnings
  }
}

/// One format at one size, or at a range of sizes, with its frame intervals.
public struct ModeRow: Hashable, Sendable {
  /// The four-character code, as text, since drivers report codes that are not valid ones.
  public var fourcc: String
  /// The size in pixels, or the range of sizes.
  public var size: FrameSize
  /// The intervals that are listed one by one, fastest or slowest first, in the driver's order.
  public var intervals: [FrameInterval]
  /// A range of intervals with a step.
  public var stepwise: IntervalRange?
  /// A range of intervals without steps.
  public var continuous: IntervalRange?
  /// The user's measurements of this format and size.
  public var measured: [MeasuredRate] = []
  /// Whether the driver lists a range that contains this size, rather than the size itself.
  public var isSampled = false
  /// The way in which the picture is read from the sensor.
  public var readout = Readout()
  /// The range of code values, `full` or `limited`; `nil` if unknown.
  public var range: String?

  /// Creates a row with an unknown readout.
  public init(
    fourcc: String, size: FrameSize, intervals: [FrameInterval] = [], stepwise: IntervalRange? = nil,
    continuous: IntervalRange? = nil
  ) {
    self.fourcc = fourcc
    self.size = size
    self.intervals = intervals
    self.stepwise = stepwise
    self.continuous = continuous
  }
}

extension ModeRow {
  /// The ranges of intervals, with a step or without.
  package var ranges: [IntervalRange] { [stepwise, continuous].compactMap(\.self) }

  /// Whether it lists any interval, or a range of them.
  package var listsIntervals: Bool { !intervals.isEmpty || !ranges.isEmpty }

  /// Whether it is known to be binned.
  package var isBinned: Bool { readout.isBinned == true }

  /// Whether it is known to be of limited range.
  package var isLimited: Bool { range == "limited" }

  /// The kind of its frames' coding; an invalid code counts as raw.
  package var family: PixelFormat.Family { PixelFormat(fourcc: fourcc)?.family ?? .raw }

  /// Adds the intervals and measurements of `other`, a row of the same format and size.
  fileprivate mutating func merge(_ other: ModeRow) {
    intervals += other.intervals
    measured += other.measured
    stepwise = other.stepwise ?? stepwise
    continuous = other.continuous ?? continuous
  }

  /// Adds one entry of a driver's list of intervals.
  package mutating func add(_ entry: FrameIntervals) {
    switch entry {
    case .discrete(let interval): intervals.append(interval)
    case .stepwise(let min, let max, let step): stepwise = IntervalRange(min: min, max: max, step: step)
    case .continuous(let min, let max): continuous = IntervalRange(min: min, max: max)
    }
  }
}

extension [ModeRow] {
  /// Returns the rows with those of the same `key` merged, in the order of the first of each.
  package func merged<Key: Hashable>(by key: (ModeRow) -> Key) -> [ModeRow] {
    var places: [Key: Int] = [:]
    var merged: [ModeRow] = []
    for row in self {
      let own = key(row)
      if let place = places[own] {
        merged[place].merge(row)
      } else {
        places[own] = merged.count
        merged.append(row)
      }
    }
    return merged
  }
}

extension CameraTable {
  /// Every mode with a rate: each format and size with each of its listed intervals, and with the fastest of
  /// each range; in the driver's order, without repetitions.
  public var modes: [Mode] {
    var seen: Set<Mode> = []
    return ModeRanking.Offer.merging(rows).flatMap { offer in
      offer.intervals.compactMap { interval in
        guard let rate = interval.rate, rate.framesPerSecond > Fraction(0) else { return nil }
        return offer.mode(at: interval)
      }
    }.filter { seen.insert($0).inserted }
  }
}
