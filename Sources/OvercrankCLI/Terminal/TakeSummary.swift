import Capture
import Foundation
import Retime
import Timebase

extension Take {
  /// What was made, how slow, and what was lost: a line or two for people.
  func summary(_ files: TakeFiles, clip: ClipReport?) -> String {
    summary(master: files.master, clip: clip.map { $0.summary(files.clip) })
  }

  /// The same of a take whose master lies at `path`, with a line on the clip.
  func summary(master path: String, clip: String? = nil) -> String {
    var words = "\(frames.written) frames"
    if let rate = measuredFramesPerSecond {
      words += " at \(Fraction(Int64((rate * 100).rounded()), 100).decimal(places: 2)) fps"
    }
    words += frames.lost.total == 0 ? ", none lost" : ", \(lossWords)"
    var lines = [words + "."]
    if let remark = rateRemark { lines.append(remark) }
    if let clip { lines.append(clip) }
    if master != nil { lines.append("\(path): the frames as they were captured.") }
    return lines.joined(separator: "\n")
  }

  /// Claimed, accepted and measured are three numbers: what is said where they differ.
  private var rateRemark: String? {
    guard let asked = mode.rate, let accepted = acceptedInterval?.rate else { return nil }
    if accepted.framesPerSecond < asked.framesPerSecond * Fraction(99, 100) {
      return "The driver accepted \(accepted) fps where \(asked) was asked for."
    }
    guard let measured = measuredFramesPerSecond,
      measured < 0.97 * accepted.framesPerSecond.doubleValue
    else { return nil }
    return
      "The camera did not keep the \(accepted) fps that its driver accepted; a long exposure is the usual cause."
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
