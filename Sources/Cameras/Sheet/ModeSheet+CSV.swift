import Timebase

extension ModeSheet {
  /// The sheet as comma-separated values, quoted as in RFC 4180: a header, then a record for each interval.
  ///
  /// A range of intervals has two records, `fastest` and `slowest`; a size without intervals has one, `none`.
  /// A range of sizes is listed with its largest, and `size_range` holds the range. Unknown fields are empty.
  /// If anything was measured, a last column has the measured rate of each interval.
  package var csv: [String] {
    let columns = Self.csvColumns + (isMeasured ? ["measured_fps"] : [])
    return [columns.joined(separator: ",")] + lines.flatMap { $0.csv(withMeasured: isMeasured) }
  }

  private static let csvColumns = [
    "fourcc", "width", "height", "interval_numerator", "interval_denominator", "fps", "interval_kind",
    "size_range", "sampled", "binned", "binning", "crop", "fov_width_percent", "fov_height_percent", "scaled",
    "range", "evidence", "bytes_per_second", "taken_by_120", "taken_by_240",
  ]
}

extension ModeSheet.Line {
  fileprivate func csv(withMeasured: Bool) -> [String] {
    let entries: [(interval: FrameInterval?, kind: String)] =
      row.intervals.map { ($0, "discrete") }
      + row.ranges.flatMap { [($0.min, "fastest"), ($0.max, "slowest")] }
    // The mark is set once: at its interval, or if a range contains that, at the first entry.
    let places = taken.map { taken in
      (taken.rate, entries.firstIndex { $0.interval == taken.interval } ?? 0)
    }
    return (entries.isEmpty ? [(nil, "none")] : entries).enumerated().map { place, entry in
      let rate = entry.interval?.rate
      let size = row.size.largest
      func isTaken(_ asked: Int64) -> String { places.contains { $0 == (asked, place) } ? "true" : "false" }
      let fields: [String?] = [
        row.fourcc, "\(size.width)", "\(size.height)", entry.interval.map { "\($0.numerator)" },
        entry.interval.map { "\($0.denominator)" }, rate?.description, entry.kind,
        row.size.isRange ? row.size.text : nil, "\(row.isSampled)", row.readout.isBinned.map { "\($0)" },
        row.readout.binning.map { $0.map(String.init).joined(separator: "x") },
        row.readout.crop.map { $0.map(String.init).joined(separator: " ") },
        row.readout.fieldOfView.flatMap(\.first).map { "\($0)" },
        row.readout.fieldOfView.flatMap { $0.count == 2 ? $0.last : nil }.map { "\($0)" },
        row.readout.isScaled.map { "\($0)" }, row.range, row.readout.evidence,
        rate.flatMap { row.bytesPerSecond(at: $0) }.map { "\($0)" }, isTaken(120), isTaken(240),
      ]
      let measured: [String?] = withMeasured ? [rate.flatMap { row.measured(of: $0) }?.description] : []
      return (fields + measured).map { ($0 ?? "").quotedForCSV }.joined(separator: ",")
    }
  }
}

extension String {
  /// The text in quotes, with its quotes doubled, if it contains a comma, a quote or a line break.
  fileprivate var quotedForCSV: String {
    let needsQuotes = utf8.contains { [UInt8(ascii: ","), UInt8(ascii: "\""), 10, 13].contains($0) }
    return needsQuotes
      ? "\"" + split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
      : self
  }
}
