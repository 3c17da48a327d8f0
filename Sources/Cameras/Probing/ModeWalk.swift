import CameraModel
import V4L2

/// The modes that a driver lists, with each list read to its end or to a bound.
struct ModeWalk {
  private(set) var rows: [ModeRow] = []
  private(set) var warnings: [String] = []
  private var lists = ListReader()

  /// Reads all the lists of `driver`.
  ///
  /// - Parameter more: formats that are not in the driver's own list, as a driver may list them only for an
  ///   input format.
  /// - Throws: ``V4L2Error`` if the driver failed, rather than ended a list.
  init(
    _ driver: borrowing some ModeDriver & ~Copyable, more: [PixelFormat] = []
  ) throws(V4L2Error) {
    let formats = try lists.list("formats") { index throws(V4L2Error) in try driver.pixelFormat(at: index) }
    for format in formats + more.filter({ !formats.contains($0) }) { try walk(format, of: driver) }
    warnings += lists.warnings
  }

  private mutating func walk(
    _ format: PixelFormat, of driver: borrowing some ModeDriver & ~Copyable
  ) throws(V4L2Error) {
    let sizes = try lists.list("sizes of \(format)", isWhole: \.isRange) { index throws(V4L2Error) in
      try driver.frameSize(of: format, at: index)
    }
    for size in sizes {
      switch size {
      case .discrete(let width, let height):
        let intervals = try intervals(of: format, Dimensions(width: width, height: height), driver)
        rows.append(ModeRow(format, size, intervals))
      case .stepwise(_, let max, _), .continuous(_, let max):
        try walk(size, upTo: max, of: format, driver)
      }
    }
    if sizes.isEmpty { try sample(Self.anySize, of: format, driver) }
  }

  /// The range to try with a driver that lists no sizes and clamps to those that it has.
  private static let anySize = SizeRange(
    from: Dimensions(width: 1, height: 1), to: Dimensions(width: 32_768, height: 32_768))

  /// Adds a range's row, with the intervals of its largest size, and rows for its samples.
  private mutating func walk(
    _ size: FrameSize, upTo max: Dimensions, of format: PixelFormat,
    _ driver: borrowing some ModeDriver & ~Copyable
  ) throws(V4L2Error) {
    let given = try driver.nearestSize(to: max, of: format)
    if let given, given != max {
      // A range stands for its largest size: without intervals it promises nothing.
      rows.append(ModeRow(format, size, []))
      warnings.append(
        "The driver lists \(format) up to \(max), but changes that to \(given)."
      )
    } else {
      rows.append(ModeRow(format, size, try intervals(of: format, max, driver)))
    }
    if let range = SizeRange(size) { try sample(range, of: format, driver) }
  }

  /// Adds rows for those samples of `range` that the driver accepts unchanged, and for its answers to the
  /// ends.
  private mutating func sample(
    _ range: SizeRange, of format: PixelFormat, _ driver: borrowing some ModeDriver & ~Copyable
  ) throws(V4L2Error) {
    var sampled: [Dimensions] = []
    for size in range.samples {
      guard let given = try driver.nearestSize(to: size, of: format) else { continue }
      let isEnd = size == range.least || size == range.most
      guard isEnd || given == size, given.width > 0, given.height > 0, !sampled.contains(given) else {
        continue
      }
      sampled.append(given)
      var row = ModeRow(
        format, .discrete(width: given.width, height: given.height), try intervals(of: format, given, driver))
      row.isSampled = true
      rows.append(row)
    }
  }

  private mutating func intervals(
    of format: PixelFormat, _ size: Dimensions, _ driver: borrowing some ModeDriver & ~Copyable
  ) throws(V4L2Error) -> [FrameIntervals] {
    try lists.list("intervals of \(format) at \(size)", isWhole: \.isRange) {
      index throws(V4L2Error) in try driver.frameIntervals(of: format, size: size, at: index)
    }
  }
}

extension ModeRow {
  fileprivate init(_ format: PixelFormat, _ size: FrameSize, _ entries: [FrameIntervals]) {
    // A code of zero bytes is not a format: `????` would be four characters that no driver gave.
    self.init(fourcc: format.rawValue == 0 ? "\0\0\0\0" : format.description, size: size)
    for entry in entries { add(entry) }
  }
}

extension FrameIntervals {
  fileprivate var isRange: Bool {
    if case .discrete = self { false } else { true }
  }
}
