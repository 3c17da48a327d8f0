import Foundation
import Retime
import Synchronization

/// The progress of a clip on the terminal, a few times a second.
final class ClipProgressLine: Sendable {
  private let line: ProgressLine
  private let lastDrawn = Mutex(ContinuousClock.now - .seconds(1))

  init(isShown: Bool) { line = ProgressLine(isShown: isShown) }

  func draw(_ progress: ClipProgress) {
    let isDue = lastDrawn.withLock { last in
      guard ContinuousClock.now - last >= .milliseconds(100) else { return false }
      last = .now
      return true
    }
    if isDue { line.draw("Making the clip: \(progress.done) of \(progress.total) frames") }
  }

  func clear() { line.clear() }
}
