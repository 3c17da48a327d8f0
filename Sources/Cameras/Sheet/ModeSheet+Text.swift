import CameraModel
import Timebase

extension ModeSheet {
  /// The layout of text.
  package struct Layout: Hashable, Sendable {
    /// Columns of the terminal; `nil` for a pipe: then nothing is left out, cut or wrapped.
    package var width: Int?
    /// Whether terminal colours may be used.
    package var hasColour: Bool

    /// Creates a layout of `width` columns.
    package init(width: Int? = nil, hasColour: Bool = false) {
      self.width = width
      self.hasColour = hasColour
    }
  }

  /// Formats the sheet as text: the camera, a header, then a line each; no cell contains a blank.
  package func text(_ layout: Layout = Layout()) -> [String] {
    [title.printable] + table.lines(layout)
  }

  var table: TextTable {
    // Most cameras were never measured, so that column is left out even in a pipe.
    let columns = Column.allCases.filter { $0 != .measured || isMeasured }
    return TextTable(
      columns: columns.map(\.column),
      rows: lines.map { line in
        TextTable.Row(
          cells: columns.map { $0.cell(of: line) },
          emphasis: line.isTaken ? .strong : line.isSlow ? .faint : .plain)
      })
  }

  /// The columns, in their order.
  private enum Column: String, CaseIterable {
    case takes, size, format, fps, measured, binned, view, scaled, range, evidence
    case bytes = "MB/s"

    var column: TextTable.Column {
      switch self {
      case .takes, .size, .format: .init(name: rawValue)
      case .fps: .init(name: rawValue, wraps: true)
      // The cells themselves mark a guess, so the evidence is left out first.
      case .evidence: .init(name: rawValue, dispensability: 5)
      case .scaled: .init(name: rawValue, dispensability: 4)
      case .range: .init(name: rawValue, dispensability: 3)
      case .bytes: .init(name: rawValue, alignsRight: true, dispensability: 2)
      case .view, .binned, .measured: .init(name: rawValue, dispensability: 1)
      }
    }

    func cell(of line: Line) -> String? {
      let (row, readout) = (line.row, line.row.readout)
      let guess = readout.evidence == Evidence.inferred ? "?" : ""
      switch self {
      case .takes:
        return line.taken.isEmpty ? nil : line.taken.map { "\($0.rate)" }.joined(separator: ",")
      case .size: return row.size.text
      case .format: return row.fourcc.token
      case .fps: return row.rateText
      case .measured:
        let rates = row.latestMeasured.map { "\($0.got)/\($0.asked)" }
        return rates.isEmpty ? nil : rates.joined(separator: ",")
      case .binned:
        let factor = readout.binning?.map(String.init).joined(separator: "x")
        return readout.isBinned.map { ($0 ? factor ?? "yes" : "no") + guess }
      case .view:
        guard let view = readout.fieldOfView, view.count == 2 else { return nil }
        if view.allSatisfy({ $0 >= 100 }) { return "full" + guess }
        return view.map(Self.percent).joined(separator: "x") + "%" + guess
      case .scaled: return readout.isScaled.map { $0 ? "yes" : "no" }
      case .range: return row.range?.token
      case .evidence: return readout.evidence?.token
      case .bytes:
        if row.family != .raw { return "compressed" }
        return line.bytesPerSecond.map {
          Fraction(Int64($0), 1_000_000).decimal(places: $0 < 10_000_000 ? 1 : 0)
        }
      }
    }

    private static func percent(_ value: Double) -> String {
      // A table from a file may contain any number.
      guard value.magnitude < 1e6 else { return "?" }
      return Fraction(Int64(clamping: (value * 10).rounded()), 10).decimal(places: 1)
    }
  }
}

extension ModeSheet.Line {
  fileprivate var isTaken: Bool { !taken.isEmpty }
  /// Whether the rate is below 60 fps, too low for slow motion, or unknown.
  fileprivate var isSlow: Bool {
    guard let rate = row.fastestRate else { return true }
    return rate.framesPerSecond < Fraction(60) * ModeChoice.tolerance
  }
}

extension FrameSize {
  /// `640x480`, or `16x16..4096x2304/2x2` for a range, without blanks.
  var text: String {
    switch self {
    case .discrete: "\(largest)"
    case .stepwise(let min, let max, let step): "\(min)..\(max)/\(step)"
    case .continuous(let min, let max): "\(min)..\(max)"
    }
  }
}

extension ModeRow {
  /// The rates in decimals, fastest first, each once: `240,119.88,60`; `nil` if none is listed.
  fileprivate var rateText: String? {
    let rates = Set(intervals.compactMap(\.rate)).sorted(by: >).map(\.description)
    // An invalid interval is shown as the driver reported it.
    let broken = intervals.filter { $0.rate == nil }.map { "\($0.numerator)/\($0.denominator)s" }
    let spans = ranges.map { range in
      "\(range.max.rate?.description ?? "?")..\(range.min.rate?.description ?? "?")"
    }
    var seen: Set<String> = []
    let all = (spans + rates + broken).filter { seen.insert($0).inserted }
    return all.isEmpty ? nil : all.joined(separator: ",")
  }
}
