import Retime
import Takes

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

  /// What a take says of it.
  var entry: Take.Clip.Flicker {
    switch self {
    case .none: Take.Clip.Flicker()
    case .evened(let hertz, let before, let after):
      Take.Clip.Flicker(
        hertz: hertz, depthPercent: Self.rounded(before), depthAfterPercent: after.map(Self.rounded))
    }
  }

  /// In percent, to a hundredth.
  private static func rounded(_ depth: Double) -> Double { (depth * 10_000).rounded() / 100 }

  private static func percent(_ depth: Double) -> String { "\(rounded(depth))" }
}
