import Foundation
import Overcrank
import Synchronization

/// The progress of a clip on the terminal, updated a few times per second.
final class ClipProgressLine: Sendable {
  private struct Pace {
    var stage: ClipProgress.Stage?
    var done = 0
    var began = ContinuousClock.now
    var lastDrawn = ContinuousClock.now - .seconds(1)
  }

  private let line: ProgressLine
  private let pace = Mutex(Pace())

  init(isShown: Bool) { line = ProgressLine(isShown: isShown) }

  /// Draws the progress of a clip; of several cameras', that of `camera`.
  func draw(_ progress: ClipProgress, of camera: String? = nil) {
    let elapsed: Duration? = pace.withLock { pace in
      let now = ContinuousClock.now
      // A smaller count belongs to the next clip.
      if pace.stage != progress.stage || progress.done < pace.done {
        pace = Pace(stage: progress.stage, began: now)
      }
      pace.done = progress.done
      guard now - pace.lastDrawn >= .milliseconds(100) else { return nil }
      pace.lastDrawn = now
      return now - pace.began
    }
    if let elapsed { line.draw((camera.map { "\($0): " } ?? "") + progress.words(after: elapsed)) }
  }

  func clear() { line.clear() }
}

extension ClipProgress {
  /// Returns a text such as `Making the clip: 120 of 960 frames  96 fps  9 s left`; rate and time only once
  /// they can be estimated.
  fileprivate func words(after elapsed: Duration) -> String {
    let work = stage == .metering ? "Measuring the light" : "Making the clip"
    let count = "\(work): \(done) of \(total) frames"
    let seconds = elapsed / .seconds(1)
    guard seconds >= 0.5, done > 0 else { return count }
    let rate = Double(done) / seconds
    return count + String(format: "  %.0f fps  ", rate) + Self.time(Double(total - done) / rate) + " left"
  }

  private static func time(_ seconds: Double) -> String {
    let seconds = Int(clamping: seconds.rounded(.up))
    return switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3600: "\(seconds / 60) min \(seconds % 60) s"
    default: "\(seconds / 3600) h \(seconds / 60 % 60) min"
    }
  }
}
