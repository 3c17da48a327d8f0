import Media
import Timebase

extension AudioTimeMap {
  /// Creates the course of the audio of a source that plays by `curve`.
  ///
  /// - Parameters:
  ///   - span: the part of the source to show.
  ///   - lostTimes: times of the source to skip, from its first frame, ascending.
  init(_ curve: SpeedCurve, _ span: ClipSpan, without lostTimes: [Range<Duration>]) {
    let integral = SpeedIntegral(curve)
    var (kept, clip) = (Int128(0), Int128(0))
    var (parts, stretches, pauses) = ([Part](), [Stretch](), [Pause]())
    /// Adds the source from `start` to `end`, open-ended if `nil`, and the freezes up to `next`.
    func add(_ start: Duration, _ end: Duration?, _ next: Duration?) {
      let (from, to) = (SpeedIntegral.moment(start), end.map { SpeedIntegral.moment($0) })
      let clipFrom = integral.flowing(from)
      parts.append(Part(start: Self.seconds(from), end: to.map(Self.seconds) ?? .infinity))
      for (index, stretch) in integral.stretches.enumerated() {
        let first = max(from, stretch.start)
        let last = index + 1 < integral.stretches.count ? integral.stretches[index + 1].start : .max
        guard first < min(last, to ?? .max) else { continue }
        let isChanging = stretch.constant == nil
        stretches.append(
          Stretch(
            keptStart: Self.seconds(kept + first - from),
            clipStart: Self.seconds(clip + integral.flowing(first) - clipFrom),
            speed: stretch.constant?.doubleValue ?? Self.seconds(stretch.speed(first)),
            change: isChanging
              ? Double(stretch.endSpeed - stretch.startSpeed) / Double(stretch.end - stretch.start) : 0))
      }
      // A freeze in lost time holds the frame before it.
      for freeze in curve.freezes where freeze.time >= start && next.map({ freeze.time < $0 }) != false {
        let moment = min(SpeedIntegral.moment(freeze.time), to ?? .max)
        pauses.append(
          Pause(
            clipStart: Self.seconds(clip + integral.flowing(moment) - clipFrom),
            duration: Self.seconds(SpeedIntegral.moment(freeze.duration))))
      }
      if let to { (kept, clip) = (kept + to - from, clip + integral.flowing(to) - clipFrom) }
    }
    var start = span.start
    for lost in lostTimes where lost.upperBound > start {
      if lost.lowerBound > start { add(start, lost.lowerBound, lost.upperBound) }
      start = lost.upperBound
    }
    add(start, nil, nil)
    self.init(parts: parts, stretches: stretches, pauses: pauses)
  }

  private static func seconds(_ moment: Int128) -> Double { Double(moment) / 0x1p60 }
}
