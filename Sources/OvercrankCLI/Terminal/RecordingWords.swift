import Capture
import Foundation
import Glibc
import Timebase

extension RecordingProgress {
  /// One line for a terminal.
  ///
  /// - Parameters:
  ///   - prompt: what to do for a take to begin.
  ///   - isNumbered: whether there may be several takes.
  func line(prompt: String = "", isNumbered: Bool = false) -> String {
    switch stage {
    case .armed(let take, let held):
      let seconds = String(format: "%.1f", held / .seconds(1))
      return (isNumbered ? "take \(take) armed: " : "armed: ") + "\(seconds) s in the ring, \(prompt)"
    case .filming(let take):
      // By the frames' own times: a pre-roll is older than the take.
      let bytesPerFrame = Double(bytesWritten) / Double(max(1, framesWritten))
      let megabytes = bytesPerFrame * (measuredFramesPerSecond ?? 0) / 1e6
      let rate = measuredFramesPerSecond.map { String(format: "%.2f", $0) } ?? "-"
      return (isNumbered ? "take \(take)  " : "") + String(format: "%.1f s  ", elapsed / .seconds(1))
        + "\(framesWritten) frames  \(rate) fps  \(framesLost) lost  "
        + String(format: "ring %.0f %%", 100 * ringFill)
        + (timeUntilRingIsFull.map {
          String(format: ", full in ~%.0f s", ($0 / .seconds(1)).rounded(.up))
        } ?? "")
        + String(format: "  %.1f MB/s", megabytes)
    }
  }
}

extension RingDepth {
  /// `148 MiB: 2.00 s or 480 frames`.
  func words(_ qualifier: String) -> String {
    let time = duration.map { "\($0.inSeconds.decimal(places: 2)) s or " } ?? ""
    return "\(byteCount >> 20) MiB: \(qualifier)\(time)\(frames) frames"
  }
}

extension RingReport {
  /// What --verbose says of the ring before the first frame.
  var details: String {
    let lock =
      lockErrno == 0
      ? "Its memory is locked."
      : "Its memory could not be locked against swapping (\(String(cString: strerror(lockErrno)))); see \"ulimit -l\"."
    return "The ring has \(depth.words(isExact ? "" : "at least about ")) of this mode. \(lock)"
  }

  /// What everybody is told who asked for more time before the trigger than there is room for.
  var warning: String? {
    shorterPreRoll.map {
      "The ring of \(depth.byteCount >> 20) MiB keeps only \($0.inSeconds.decimal(places: 2)) s before "
        + "the trigger in this mode. Give it more with --ring, or record a smaller mode."
    }
  }
}

extension Recording {
  /// What --verbose says of how it was recorded.
  var details: String {
    let accepted =
      configuration.frameFormat.acceptedInterval.map { "\($0.numerator)/\($0.denominator) s" }
      ?? "no interval"
    let isExact = configuration.frameFormat.pixelFormat.family == .raw
    return
      "The driver accepted \(accepted) with \(configuration.bufferCount) buffers, clock \(configuration.frameFormat.clock.rawValue); "
      + "the ring has \(ringDepth.words(isExact ? "" : "about ")), of which \(ringPeakBytes >> 10) KiB were taken at "
      + "most; \(bytesWritten >> 20) MiB of frames were written."
  }

  /// What the ring had no room for of the time before the trigger.
  var preRollWarning: String? {
    guard isPreRollCut, let asked = trigger.askedPreRoll, let kept = trigger.preRoll, kept < asked else {
      return nil
    }
    return "The ring kept only \(kept.inSeconds.decimal(places: 2)) s before the trigger: "
      + "it had no room for more. Give it more with --ring."
  }
}
