import Overcrank

extension ClipReport.Flicker {
  /// What was found, for people.
  var words: String {
    switch self {
    case .none: "no flicker of mains light was found, and the light is left as it is"
    case .evened(let hertz, let before, let after):
      "flicker of \(hertz) Hz evened out from \(Self.percent(before)) % of the light"
        + (after.map { " to \(Self.percent($0)) %" } ?? "")
    }
  }

  /// In percent, to a hundredth.
  private static func rounded(_ depth: Double) -> Double { (depth * 10_000).rounded() / 100 }

  private static func percent(_ depth: Double) -> String { "\(rounded(depth))" }
}
