import Foundation
import Overcrank

extension RateReport {
  /// Returns the whole report, for people.
  func text(_ measurement: RateMeasurement) -> String {
    let accounting = measurement.accounting
    let lost = measurement.frames.lost
    var lines = [
      row("claimed", mode.rate.map { "\($0) fps" } ?? "unknown"),
      row(
        "accepted",
        measurement.configuration.frameFormat.acceptedInterval?.rate.map { "\($0) fps" }
          ?? "not reported by the driver"),
      row("measured", measurement.rateText + String(format: " over %.1f s", measurement.seconds)),
      row(
        "frames",
        "\(accounting.sent) sent, \(accounting.written) received, \(accounting.ledger.total) lost"
          + lost.stages),
    ]
    if let intervals = measurement.intervals {
      lines.append(
        row(
          "interval",
          String(
            format: "%.3f ms on average, %.3f to %.3f", intervals.mean / .milliseconds(1),
            intervals.shortest / .milliseconds(1),
            intervals.longest / .milliseconds(1))))
      lines.append(
        row(
          "jitter",
          "p50 \(microseconds(intervals.jitterMedian))  p99 \(microseconds(intervals.jitterP99))  p99.9 \(microseconds(intervals.jitterP999))  max \(microseconds(intervals.jitterMost)) us"
        ))
    }
    let rate = measurement.bytesPerSecond.map { String(format: "%.1f MB/s, ", $0 / 1e6) } ?? ""
    lines.append(
      row(
        "data", rate + String(format: "at most %.1f MB in the ring", Double(measurement.ringPeakBytes) / 1e6))
    )
    let stages = measurement.processorTimePerFrameByStage.mapValues(\.microseconds)
    lines.append(
      row(
        "processor",
        String(
          format: "%.0f us per frame: %.0f to capture, %.0f to drain the ring",
          measurement.processorTimePerFrame.microseconds,
          stages["capture"] ?? 0, stages["drain"] ?? 0)))
    if let verdict {
      lines.append(verdict.summary)
      for cause in verdict.causes { lines.append("  \(cause.cause) \(cause.remedy)") }
    }
    return (["\(camera.name) in \(mode):"] + lines).joined(separator: "\n")
  }

  /// The reason that nothing could be measured; `nil` if something was.
  var failureText: String? {
    if case .failure(let error) = outcome { error.message } else { nil }
  }

  private func microseconds(_ duration: Duration) -> String {
    duration < .microseconds(10)
      ? String(format: "%.1f", duration.microseconds) : "\(duration.wholeNanoseconds / 1000)"
  }
}

/// Returns a line of a report.
private func row(_ name: String, _ value: String) -> String {
  "  " + name.padding(toLength: 11, withPad: " ", startingAt: 0) + value
}

extension GroupTotals {
  /// Returns the sums of all cameras and whether all sustain their rates, for people.
  var text: String {
    let lost = frames.lost
    let lines =
      [
        "\(cameraCount) cameras together:",
        row(
          "frames", "\(frames.sent) sent, \(frames.written) received, \(lost.total) lost\(lost.stages)"),
        row(
          "data",
          String(
            format: "%.1f MB/s, at most %.1f MB in the rings", bytesPerSecond / 1e6,
            Double(ringPeakBytes) / 1e6)),
        row(
          "processor",
          String(
            format: "%.1f ms in a second: to capture, and to drain the rings",
            processorTimePerSecond / .milliseconds(1))),
      ]
      + buses.map { bus in
        row(
          "USB bus \(bus.name)",
          String(
            format: "%.1f MB/s from %d cameras; it carries about %.0f MB/s", Double(bus.bytesPerSecond) / 1e6,
            bus.cameraCount, Double(bus.mostBytesPerSecond) / 1e6))
      }
    return (lines + [verdict]).joined(separator: "\n")
  }

  private var verdict: String {
    func count(_ names: [String]) -> String { "\(names.count) of \(cameraCount) cameras" }
    var verdicts: [String] = []
    if !fallingShort.isEmpty {
      let isOne = fallingShort.count == 1
      verdicts.append(
        "\(count(fallingShort)) \(isOne ? "does" : "do") not sustain \(isOne ? "its rate" : "their rates") beside "
          + "the others: \(fallingShort.joined(separator: ", ")).")
    }
    if !failed.isEmpty {
      verdicts.append("\(count(failed)) failed before the end: \(failed.joined(separator: ", ")).")
    }
    return verdicts.isEmpty
      ? "\(cameraCount == 2 ? "Both" : "All \(cameraCount)") sustain their rates together."
      : verdicts.joined(separator: "\n")
  }
}

extension RateMeasurement {
  /// The measured rate with its unit.
  fileprivate var rateText: String {
    accounting.measuredFramesPerSecond.map { String(format: "%.2f fps", $0) } ?? "no rate"
  }
}

extension Take.FrameCounts.Lost {
  /// The losses by stage, such as ` (3 driver, 1 ring)`; empty without losses.
  fileprivate var stages: String {
    let named = [("driver", driver), ("corrupt", corrupt), ("ring", ring), ("disk", disk)].filter { $0.1 > 0 }
    return named.isEmpty ? "" : " (" + named.map { "\($0.1) \($0.0)" }.joined(separator: ", ") + ")"
  }
}

/// The table of --all with one line per mode. On a narrow terminal, it has fewer columns.
struct RateTable {
  private let modeWidth: Int
  private let columns: [Column]

  private enum Column: String, CaseIterable {
    case claimed, accepted, measured, lost
    case jitter = "p99 us"
    case megabytes = "MB/s"

    /// The columns to drop on a narrow terminal, in this order.
    static let dispensable: [Column] = [.megabytes, .jitter, .accepted, .claimed]
  }

  private static let cellWidth = 10
  private static let verdicts = (holds: "  holds", falls: "  falls short")

  /// Creates a table for `modes`.
  ///
  /// - Parameter width: the terminal's columns; `nil` for a pipe.
  init(_ modes: [Mode], width: Int? = nil) {
    let modeWidth = max(12, modes.map { "\($0.width)x\($0.height) \($0.fourcc)".count }.max() ?? 0)
    self.modeWidth = modeWidth
    var columns = Column.allCases
    for column in Column.dispensable
    where modeWidth + columns.count * Self.cellWidth + Self.verdicts.falls.count > width ?? .max {
      columns.removeAll { $0 == column }
    }
    self.columns = columns
  }

  /// The line with the names of the columns.
  var head: String { padded("mode", modeWidth) + cells { $0.rawValue } }

  /// Returns the line of one mode.
  func line(_ report: RateReport) -> String {
    let mode = report.mode
    let name = padded("\(mode.width)x\(mode.height) \(mode.fourcc)", modeWidth)
    let claimed = mode.rate.map { "\($0)" } ?? "-"
    guard let measurement = try? report.outcome.get() else {
      return name + padded(claimed, to: Self.cellWidth) + "  " + (report.failureText ?? "")
    }
    let accounting = measurement.accounting
    let cells = cells { column in
      switch column {
      case .claimed: claimed
      case .accepted: measurement.configuration.frameFormat.acceptedInterval?.rate.map { "\($0)" } ?? "-"
      case .measured: accounting.measuredFramesPerSecond.map { String(format: "%.2f", $0) } ?? "-"
      case .lost: "\(accounting.ledger.total)"
      case .jitter: measurement.intervals.map { "\($0.jitterP99.wholeNanoseconds / 1000)" } ?? "-"
      case .megabytes: measurement.bytesPerSecond.map { String(format: "%.1f", $0 / 1e6) } ?? "-"
      }
    }
    return name + cells
      + (report.verdict?.isSustained == true ? Self.verdicts.holds : Self.verdicts.falls)
  }

  private func cells(_ text: (Column) -> String) -> String {
    columns.map { padded(text($0), to: Self.cellWidth) }.joined()
  }

  /// Returns the text aligned to the right of a cell.
  private func padded(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text.padding(toLength: width, withPad: " ", startingAt: 0)
  }
}
