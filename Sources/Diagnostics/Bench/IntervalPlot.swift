import Timebase

/// An SVG plot of a measurement's intervals: each over time, with a histogram of their lengths beside it.
public struct IntervalPlot {
  private let points: [(seconds: Double, milliseconds: Double)]
  private let gaps: [(from: Double, to: Double, count: Int64)]
  private let title: String
  private let nominal: Double?

  private static let width = 1000.0
  private static let height = 420.0
  private static let plot = (left: 70.0, top: 50.0, width: 640.0, height: 310.0)
  private static let side = (left: 740.0, width: 220.0)
  private static let bucketCount = 62

  /// Creates a plot of `measurement` with `title` above it.
  public init(_ measurement: RateMeasurement, title: String) {
    let accounting = measurement.accounting
    let start = accounting.timestamps.first?.nanoseconds ?? 0
    self.title = title
    nominal = measurement.configuration.frameFormat.nominalInterval.map { $0 / .milliseconds(1) }
    var points: [(seconds: Double, milliseconds: Double)] = []
    var gaps: [(from: Double, to: Double, count: Int64)] = []
    let frames = zip(accounting.sequences, accounting.timestamps.lazy.map(\.nanoseconds))
    for (last, next) in zip(frames, frames.dropFirst()) {
      let seconds = Double(next.1 &- start) / 1e9
      let missing = next.0 - last.0 - 1
      if missing > 0 {
        gaps.append((Double(last.1 &- start) / 1e9, seconds, missing))
      } else {
        points.append((seconds, Double(next.1 &- last.1) / 1e6))
      }
    }
    self.points = points
    self.gaps = gaps
  }

  /// The SVG document.
  public var svg: String {
    let seconds = max(points.last?.seconds ?? 0, gaps.last?.to ?? 0, 1e-3)
    let most = max(points.map(\.milliseconds).max() ?? 0, nominal ?? 0, 1e-3) * 1.08
    let (plot, side) = (Self.plot, Self.side)
    func x(_ value: Double) -> String { Self.number(plot.left + plot.width * value / seconds) }
    func y(_ value: Double) -> String { Self.number(plot.top + plot.height * (1 - max(0, value) / most)) }
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(Int(Self.width))\" height=\"\(Int(Self.height))\" viewBox=\"0 0 \(Int(Self.width)) \(Int(Self.height))\" font-family=\"sans-serif\" font-size=\"12\">",
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>",
      "<text x=\"\(plot.left)\" y=\"28\" font-size=\"15\">\(Self.escaped(title))</text>",
    ]
    for step in 0...4 {
      let value = most * Double(step) / 4
      lines.append(
        "<line x1=\"\(plot.left)\" x2=\"\(side.left + side.width)\" y1=\"\(y(value))\" y2=\"\(y(value))\" stroke=\"#dddddd\"/>"
      )
      lines.append(
        "<text x=\"\(plot.left - 8)\" y=\"\(y(value))\" text-anchor=\"end\" dominant-baseline=\"middle\">\(Self.number(value))</text>"
      )
      let moment = seconds * Double(step) / 4
      lines.append(
        "<text x=\"\(x(moment))\" y=\"\(plot.top + plot.height + 20)\" text-anchor=\"middle\">\(Self.number(moment)) s</text>"
      )
    }
    lines.append(
      "<text x=\"16\" y=\"\(plot.top + plot.height / 2)\" transform=\"rotate(-90 16 \(plot.top + plot.height / 2))\" text-anchor=\"middle\">ms between frames</text>"
    )
    for gap in gaps {
      let width = max(1, plot.width * (gap.to - gap.from) / seconds)
      lines.append(
        "<rect x=\"\(x(gap.from))\" y=\"\(plot.top)\" width=\"\(Self.number(width))\" height=\"\(plot.height)\" fill=\"#cc3311\" fill-opacity=\"0.25\"><title>\(gap.count) lost</title></rect>"
      )
    }
    if let nominal {
      lines.append(
        "<line x1=\"\(plot.left)\" x2=\"\(plot.left + plot.width)\" y1=\"\(y(nominal))\" y2=\"\(y(nominal))\" stroke=\"#009988\" stroke-dasharray=\"6 4\"/>"
      )
    }
    let path = points.map { "M\(x($0.seconds)) \(y($0.milliseconds))h0" }.joined()
    lines.append(
      "<path d=\"\(path)\" stroke=\"#0077bb\" stroke-width=\"2.5\" stroke-linecap=\"round\" stroke-opacity=\"0.6\" fill=\"none\"/>"
    )
    lines += distribution(most)
    lines.append(
      "<text x=\"\(plot.left)\" y=\"\(Self.height - 12)\" fill=\"#555555\">blue: each interval; dashed: the accepted interval; red: lost frames; right: number of intervals of each length</text>"
    )
    lines.append("</svg>")
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the histogram's bars on the right, on the same scale of milliseconds.
  private func distribution(_ most: Double) -> [String] {
    var counts = [Int](repeating: 0, count: Self.bucketCount)
    for point in points where point.milliseconds >= 0 {
      counts[
        min(Self.bucketCount - 1, Int(clamping: point.milliseconds / most * Double(Self.bucketCount)))] += 1
    }
    let largest = Double(max(1, counts.max() ?? 1))
    let thickness = Self.plot.height / Double(Self.bucketCount)
    return counts.enumerated().compactMap { bucket, count in
      guard count > 0 else { return nil }
      let top = Self.plot.top + Self.plot.height - Double(bucket + 1) * thickness
      return
        "<rect x=\"\(Self.side.left)\" y=\"\(Self.number(top))\" width=\"\(Self.number(max(1, Self.side.width * Double(count) / largest)))\" height=\"\(Self.number(thickness - 0.5))\" fill=\"#0077bb\"><title>\(count)</title></rect>"
    }
  }

  /// Returns `value` with two decimals, independent of the locale.
  private static func number(_ value: Double) -> String {
    let hundredths = Int(clamping: (value * 100).rounded())
    let decimals = (hundredths % 100).magnitude
    return
      "\(hundredths < 0 ? "-" : "")\((hundredths / 100).magnitude).\(decimals < 10 ? "0" : "")\(decimals)"
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.append(character)
      }
    }
  }
}
