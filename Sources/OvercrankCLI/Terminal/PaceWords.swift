import Overcrank

extension CapturePace {
  /// `1/8`.
  var speedWords: String { Speed(speed)?.description ?? "\(speed)" }
}

extension CapturePace.Source {
  /// What says how fast a film was captured, for people.
  func words(of pace: CapturePace) -> String {
    let rate = pace.captureRate.map { " of \($0.decimal(places: 2)) fps" } ?? ""
    return switch self {
    case .asked: "--capture-rate\(rate)"
    case .take: "its take"
    case .overcrank: "what Overcrank wrote into it"
    case .android: "its com.android.capture.fps\(rate)"
    case .samsung: "its smta\(rate)"
    case .apple: "its sidecar (AAE)"
    case .timestamps: "the times of its frames\(rate)"
    case .unknown: "nothing: it is taken for a film in real time"
    }
  }
}
