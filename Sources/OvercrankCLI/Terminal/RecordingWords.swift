import Foundation
import Glibc
import Overcrank

extension SessionStatus {
  /// Returns a line for a terminal.
  ///
  /// - Parameters:
  ///   - prompt: an instruction for beginning a take.
  ///   - preRoll: the requested time before the trigger.
  ///   - isNumbered: whether there may be several takes.
  func line(prompt: String = "", preRoll: Duration = .zero, isNumbered: Bool = false) -> String {
    guard let take else {
      let words =
        review == nil
        ? Self.standingBy(held, of: preRoll) + ", \(prompt)"
        : "\(held.inSeconds.decimal(places: 1)) s in memory"
      return (isNumbered ? "take \(takeNumber): " : "") + words
    }
    let written = take.frames.written
    var parts = [
      String(format: "%.1f s", take.duration / .seconds(1)), written == 1 ? "1 frame" : "\(written) frames",
    ]
    if let rate = take.framesPerSecond { parts.append(String(format: "%.2f fps", rate)) }
    parts += ["\(framesLost) lost", ringWords]
    if let rate = take.framesPerSecond {
      // By the frames' own times, because a pre-roll is older than the take.
      let bytesPerFrame = Double(take.bytesWritten) / Double(max(1, written))
      parts.append(String(format: "%.1f MB/s", bytesPerFrame * rate / 1e6))
    }
    if let fill = take.limitFill { parts.append(String(format: "%.0f %% of --max-size", 100 * fill)) }
    return (isNumbered ? "take \(takeNumber)  " : "") + parts.joined(separator: "  ")
  }

  /// Returns the most important figures, for a line about several cameras.
  func shortLine(preRoll: Duration) -> String {
    guard let take else { return Self.standingBy(held, of: preRoll) }
    let frames = take.frames.written
    return String(format: "%.1f s", take.duration / .seconds(1))
      + "  \(frames == 1 ? "1 frame" : "\(frames) frames")  \(framesLost) lost  "
      + String(format: "ring %.0f %%", 100 * (ring?.fill ?? 0))
  }

  /// Returns `pre-roll 0.4 of 2 s`, or `pre-roll 2 s` once it is complete.
  private static func standingBy(_ held: Duration, of preRoll: Duration) -> String {
    guard preRoll > .zero else { return "armed" }
    let asked = preRoll.inSeconds.decimal(places: 2)
    guard held < preRoll else { return "pre-roll \(asked) s" }
    let seconds = (10 * (held / .seconds(1))).rounded(.down) / 10
    return String(format: "pre-roll %.1f of ", seconds) + "\(asked) s"
  }

  private var ringWords: String {
    String(format: "ring %.0f %%", 100 * (ring?.fill ?? 0))
      + (ring?.timeUntilFull.map {
        String(format: ", full in ~%.0f s", ($0 / .seconds(1)).rounded(.up))
      } ?? "")
  }
}

extension RingDepth {
  /// Returns a text such as `148 MiB: 2.00 s or 480 frames`.
  func words(_ qualifier: String) -> String {
    let time = duration.map { "\($0.inSeconds.decimal(places: 2)) s or " } ?? ""
    return "\(byteCount >> 20) MiB: \(qualifier)\(time)\(frames) frames"
  }
}

extension RingReport {
  /// The facts about the ring that --verbose prints before the first frame.
  var details: String {
    let lock =
      lockErrno == 0
      ? "Its memory is locked."
      : "Its memory could not be locked against swapping (\(String(cString: strerror(lockErrno)))); see \"ulimit -l\"."
    return "The ring holds \(depth.words(isExact ? "" : "at least about ")) of this mode. \(lock)"
  }

  /// A warning if the ring has no room for the requested pre-roll.
  var warning: String? {
    shorterPreRoll.map {
      "The ring of \(depth.byteCount >> 20) MiB keeps only \($0.inSeconds.decimal(places: 2)) s before "
        + "the trigger in this mode. Enlarge it with --ring, or choose a smaller mode."
    }
  }
}

extension Recording {
  /// The facts about the recording that --verbose prints.
  var details: String {
    let accepted =
      configuration.frameFormat.acceptedInterval.map { "\($0.numerator)/\($0.denominator) s" }
      ?? "no interval"
    let isExact = configuration.frameFormat.pixelFormat.family == .raw
    return
      "The driver accepted \(accepted) with \(configuration.bufferCount) buffers, clock \(configuration.frameFormat.clock.rawValue); "
      + "the ring holds \(ringDepth.words(isExact ? "" : "about ")), and at most \(ringPeakBytes >> 10) KiB were used; "
      + "\(bytesWritten >> 20) MiB of frames were written."
  }
}

extension Take.Trigger {
  /// The pre-roll as text, `pre-roll 2 s`, or the part of it that was kept; `nil` if there is none.
  ///
  /// The time from the first frame to the trigger's may be up to one frame interval shorter than requested,
  /// even if the pre-roll is complete.
  var preRollWords: String? {
    guard let preRoll, preRoll > .zero else { return nil }
    let kept = preRoll.inSeconds.decimal(places: 3)
    guard let asked = requestedPreRoll, asked > .zero else { return "pre-roll \(kept) s" }
    let whole = asked.inSeconds.decimal(places: 3)
    return preRollCut == nil ? "pre-roll \(whole) s" : "pre-roll \(kept) of \(whole) s"
  }

  /// A remark that the pre-roll is shorter than requested, and why; `nil` if it is complete.
  var preRollRemark: String? {
    guard let preRollCut, let asked = requestedPreRoll, let kept = preRoll else { return nil }
    let why =
      switch preRollCut {
      case .start: "the camera had just started"
      case .previousTake: "the previous take ends there"
      case .ring: "the ring had no room for more; --ring enlarges it"
      }
    return
      "The pre-roll is only \(kept.inSeconds.decimal(places: 2)) s instead of \(asked.inSeconds.decimal(places: 2)) s: \(why)."
  }
}
