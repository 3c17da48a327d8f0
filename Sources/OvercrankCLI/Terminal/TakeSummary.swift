import Foundation
import Overcrank

extension Take {
  /// Returns a summary for people in a few lines: the frames, the clip, and the losses.
  func summary(_ files: TakeFiles, clip: ClipReport?) -> String {
    summary(master: files.master, clip: clip.map { $0.summary(files.clip) })
  }

  /// Returns the same for a take whose master is at `path`, with a line about the clip.
  func summary(master path: FilePath, clip: String? = nil) -> String {
    var lines = [counts]
    if let remedy = frames.lost.remedy { lines.append(remedy) }
    if let remark = trigger?.preRollRemark { lines.append(remark) }
    if let interframe { lines += interframe.remarks }
    if let remark = rateRemark { lines.append(remark) }
    if let remark = clockRemark { lines.append(remark) }
    if !hasReliableSequence {
      lines.append("The camera's numbers do not increase, so losses in its driver cannot be counted.")
    }
    if let limit = sizeLimit, limit.isReached == true {
      lines.append(
        "The take ended at --max-size: with one more frame, its master would be larger than "
          + "\(ByteCount(bytes: limit.bytes)).")
    }
    if let moment = trigger?.frameTime, let last = timestamps.last, moment > last {
      lines.append("The take ended before its trigger: allow a larger file, or a shorter --pre.")
    }
    if let words = audio?.words { lines.append(words) }
    if let clip { lines.append(clip) }
    if master != nil {
      lines.append("\(path): the frames as they were captured\(path.sizeWords.map { ", \($0)" } ?? "").")
    }
    return lines.joined(separator: "\n")
  }

  /// The number of frames, their rate, and the number lost.
  var counts: String {
    var words = frames.written == 1 ? "1 frame" : "\(frames.written) frames"
    if let rate = measuredFramesPerSecond {
      words += " at \(FrameRate.text(rate)) fps"
    }
    if let preRoll = trigger?.preRoll, trigger?.requestedPreRoll ?? .zero > .zero {
      let seconds = preRoll.inSeconds.decimal(places: 2)
      words += preRoll > .zero ? ", starting \(seconds) s before the trigger" : ", all after the trigger"
    }
    // Estimated numbers cannot reveal losses, nor can those that do not increase.
    let isCounted = estimated?.isEmpty ?? true && hasReliableSequence
    let noLoss = isCounted ? "none lost" : "none known to be lost"
    return words + (frames.lost.total == 0 ? ", \(noLoss)." : ", \(lossWords).")
  }

  /// A remark if the claimed, accepted and measured rates differ.
  private var rateRemark: String? {
    guard let asked = mode.rate, let accepted = acceptedInterval?.rate else { return nil }
    if accepted.framesPerSecond < asked.framesPerSecond * Fraction(99, 100) {
      return "The driver accepted \(accepted) fps instead of \(asked) fps."
    }
    guard let measured = measuredFramesPerSecond,
      measured < 0.97 * accepted.framesPerSecond.doubleValue
    else { return programRateRemark(accepted) }
    let pauses = CapturePauses(of: self, framesEvery: Duration(seconds: accepted.interval))
    if let longest = pauses.longest, pauses.framesPerSecond > 0.97 * accepted.framesPerSecond.doubleValue {
      let seconds = longest.duration.inSeconds.decimal(places: 2)
      return pauses.count == 1
        ? "The camera sent nothing for \(seconds) s before frame \(longest.sequence); a clip freezes there."
        : "The camera sent nothing \(pauses.count) times, for up to \(seconds) s before frame \(longest.sequence); a clip "
          + "freezes there."
    }
    return programRateRemark(accepted)
      ?? "The camera did not sustain the \(accepted) fps that its driver accepted; a long exposure is the usual cause."
  }

  /// A remark if a program wrote its frames at another rate than that stated. Their times are then those of its writing,
  /// which need not be those of their capture.
  private func programRateRemark(_ stated: FrameRate) -> String? {
    guard camera.name.hasPrefix("exec:"), let measured = measuredFramesPerSecond,
      (measured / stated.framesPerSecond.doubleValue - 1).magnitude > 0.03
    else { return nil }
    return
      "The program wrote \(FrameRate.text(measured)) frames a second, and \(stated) were stated. The times are those "
      + "of arrival. If the frames were captured at another rate, such as \(stated), state it when you make the clip: "
      + "overcrank retime --capture-rate \(stated)."
  }

  /// A remark if timestamps from the driver were rejected.
  private var clockRemark: String? {
    let count = timedAtDequeue.reduce(0) { $0 + $1.count }
    guard count > 0 else { return nil }
    return "The driver's timestamps of \(count) of \(frames.written) frames cannot be true; "
      + "those frames have the time at which they were received."
  }

  private var lossWords: String {
    let lost = frames.lost
    let stages = [
      ("driver", lost.driver), ("corrupt", lost.corrupt), ("ring", lost.ring), ("disk", lost.disk),
    ]
    let parts = stages.filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }
    return "\(lost.total) of \(frames.sent) lost (\(parts.joined(separator: ", ")))"
  }
}

extension Take.FrameCounts.Lost {
  /// The remedy for most of the losses; `nil` if there are none, or if the error that ended the take has it.
  fileprivate var remedy: String? {
    let most = max(driver, corrupt, ring, disk)
    guard most > 0, most != disk else { return nil }
    return switch most {
    case driver:
      "The camera, the bus or the driver dropped frames, as on a busy machine. Close other programs, choose a smaller mode, or give "
        + "the camera its own USB port."
    case corrupt: "Frames arrived damaged. Use another cable, or a port without a hub."
    default: "The disk was too slow. Use a faster one, or a smaller mode."
    }
  }
}

extension Take.Audio {
  /// The source of the audio, the drift of its clock, and the amount lost.
  var words: String {
    var words = "Audio from \(device)"
    // Less than two seconds tell little of a clock.
    if let drift, drift.magnitude >= 0.5, samples >= 2 * Int64(nominalRate) {
      words += String(
        format: ", %.0f ppm %@ than its nominal rate", drift.magnitude, drift < 0 ? "slower" : "faster")
    }
    let missing = lost.reduce(0) { $0 + $1.samples }
    guard missing > 0 else { return words + "." }
    let seconds = Fraction(missing, Int64(nominalRate)).decimal(places: 2)
    return words + ", \(seconds) s of it lost: the master is silent there."
  }
}

extension Take.Interframe {
  /// Remarks for people on frames that depend on others.
  fileprivate var remarks: [String] {
    var lines: [String] = []
    if let skipped, skipped > 0 {
      lines.append(
        "The take begins with a key frame; \(skipped == 1 ? "the frame" : "the \(skipped) frames") before it cannot be "
          + "decoded, and \(skipped == 1 ? "is" : "are") left out.")
    }
    if atRisk > 0 {
      lines.append(
        "\(atRisk == 1 ? "1 frame" : "\(atRisk) frames") between a lost frame and the next key frame may be damaged."
      )
    }
    return lines
  }
}
