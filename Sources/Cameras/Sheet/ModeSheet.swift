package import CameraModel
package import Timebase

/// A camera table laid out for people: a line for each format and size with all its rates, the fast and wide
/// on top.
///
/// Lines are grouped by their fastest rate: 240 fps and more, 120, 60, 30, below that, and those that list
/// none. Within a group the widest comes first, then the tallest, then the fastest, then the order of
/// `ModeChoice`: unbinned before binned, full range before limited, MJPEG before raw before other compressed,
/// then the driver's order. A line belongs to a group from 0.99 of its rate, the tolerance of a mode choice.
package struct ModeSheet: Hashable, Sendable {
  /// The camera in one line: card, driver, bus.
  package let title: String
  /// The lines, best first.
  package let lines: [Line]
  /// The number of sampled sizes that were left out because they list no rate.
  package let hiddenCount: Int

  /// The rates for which the sheet marks the mode that a recording would take.
  package static let markedRates: [Int64] = [240, 120]
  /// The rates at which groups begin.
  private static let classRates: [Int64] = [240, 120, 60, 30]

  /// One format at one size, or range of sizes.
  package struct Line: Hashable, Sendable {
    /// The rows of the table that differ only in their rates, merged into one.
    package var row: ModeRow
    /// Those of `ModeSheet.markedRates` that would take this mode, each with the interval.
    package var taken: [Taken] = []

    /// A rate that takes this mode.
    package struct Taken: Hashable, Sendable {
      /// The requested rate.
      package var rate: Int64
      /// The interval that it takes.
      package var interval: FrameInterval
    }
  }

  /// Lays out `table`.
  ///
  /// - Parameters:
  ///   - table: the modes to list.
  ///   - showsAll: whether sampled sizes without any rate are listed too.
  package init(_ table: CameraTable, showsAll: Bool = false) {
    let name = [table.card, table.driver.map { "(\($0))" }, table.bus].compactMap { $0 }
      .joined(separator: " ")
    title = name.isEmpty ? table.id ?? "Camera" : name
    let isHidden = { (row: ModeRow) in !showsAll && row.isSampled && !row.listsIntervals }
    hiddenCount = table.rows.count { isHidden($0) }
    // Rows that differ only in their rates are one line.
    var lines = table.rows.filter { !isHidden($0) }.merged { row in
      var key = row
      (key.intervals, key.stepwise, key.continuous, key.measured) = ([], nil, nil, [])
      return key
    }.map { Line(row: $0) }
    for rate in Self.markedRates {
      let choice = ModeChoice(from: table, for: .init(rate: FrameRate(whole: rate)))
      guard let mode = choice.mode else { continue }
      let same = lines.indices.filter { lines[$0].row.isOf(mode) }
      guard let place = same.first(where: { lines[$0].row.intervals.contains(mode.interval) }) ?? same.first
      else { continue }
      lines[place].taken.append(.init(rate: rate, interval: mode.interval))
    }
    self.lines = lines.enumerated().sorted { left, right in
      Self.goesBefore(left.element, right.element) ?? (left.offset < right.offset)
    }.map(\.element)
  }

  /// Whether the camera has any measurements.
  var isMeasured: Bool { lines.contains { !$0.row.measured.isEmpty } }

  /// Returns whether `left` comes before `right`; `nil` if only the driver's order decides.
  private static func goesBefore(_ left: Line, _ right: Line) -> Bool? {
    let (fast, other) = (left.row.fastestRate, right.row.fastestRate)
    let (one, two) = (rateClass(fast), rateClass(other))
    if one != two { return one < two }
    let (size, otherSize) = (left.row.size.largest, right.row.size.largest)
    if size.width != otherSize.width { return size.width > otherSize.width }
    if size.height != otherSize.height { return size.height > otherSize.height }
    if let fast, let other, fast != other { return fast > other }
    if left.row.isBinned != right.row.isBinned { return right.row.isBinned }
    if left.row.isLimited != right.row.isLimited { return right.row.isLimited }
    let (family, otherFamily) = (left.row.family.weight, right.row.family.weight)
    return family == otherFamily ? nil : family < otherFamily
  }

  private static func rateClass(_ rate: FrameRate?) -> Int {
    guard let rate else { return classRates.count + 1 }
    return classRates.firstIndex { rate.framesPerSecond >= Fraction($0) * ModeChoice.tolerance }
      ?? classRates.count
  }
}

extension ModeSheet.Line {
  /// Bytes per second of raw frames at the fastest rate; `nil` if frames are compressed or their size is
  /// unknown.
  package var bytesPerSecond: Int? { row.fastestRate.flatMap { row.bytesPerSecond(at: $0) } }
}

extension ModeRow {
  /// The highest rate that it promises; `nil` if it promises none.
  var fastestRate: FrameRate? {
    (intervals + ranges.flatMap { [$0.min, $0.max] }).compactMap(\.rate).max()
  }

  /// Returns the bytes per second of raw frames of the largest size; `nil` if compressed or unknown.
  func bytesPerSecond(at rate: FrameRate) -> Int? {
    guard family == .raw, let format = PixelFormat(fourcc: fourcc),
      let bytes = format.bytesPerFrame(width: size.largest.width, height: size.largest.height)
    else { return nil }
    let result = Double(bytes) * rate.framesPerSecond.doubleValue
    // A forged table may claim more than an `Int` can hold.
    return result < 1e18 ? Int(clamping: result.rounded()) : nil
  }

  /// Returns whether `mode` was chosen from rows like this one; a choice treats an unknown readout as
  /// unbinned.
  fileprivate func isOf(_ mode: Mode) -> Bool {
    fourcc == mode.fourcc && size.largest == Dimensions(width: mode.width, height: mode.height)
      && isBinned == (mode.readout.isBinned == true) && isLimited == (mode.range == "limited")
  }
}
