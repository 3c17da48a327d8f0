package import Timebase

/// A detector of missing samples by a device's marks, so that each of the others keeps its time.
///
/// A device counts the samples that it delivers, and mostly does not report lost ones; but from a loss on,
/// its marks come later than its rate allows, and stay late. A mark that was merely delayed is followed by
/// others that are not. So late marks wait, and if none comes in time for ``patience``, the least late one
/// gives the number of missing samples. A plain value.
package struct AudioTimeline: Sendable {
  /// The verdict on the samples of a mark.
  package enum Verdict: Hashable, Sendable {
    /// They follow the previous ones, and so do any that wait.
    case regular
    /// Whether samples are missing before them is not known yet: they must wait.
    case waiting
    /// This number of samples is missing before those that wait, of which these are the last.
    case lost(Int64)
  }

  /// The number of missing samples so far. Place of a sample = its number at the device + this.
  package private(set) var missing: Int64 = 0
  /// The time at which each place was heard.
  package private(set) var fit: AudioClockFit

  /// The timely marks of the last second, with places instead of the device's numbers.
  private var recent: [AudioMark] = []
  /// The late marks, in the device's own numbers.
  private var waiting: [AudioMark] = []
  /// Whether the device reported that samples are missing.
  private var isBroken = false

  /// The lateness in seconds of the last marks that turned out to be timely or merely delayed; the newest
  /// last.
  private var scatter: [Double] = []

  /// The minimum tolerance for a mark's lateness beyond the least late one of the last second, in seconds.
  /// Above the error that an unknown rate adds up to in a second, and below what is audible.
  static let leastTolerance = 0.0015
  /// The number of marks whose lateness is kept.
  private static let scatterCount = 100
  /// The time for which marks must stay late before samples count as missing.
  package static let patience = Duration.milliseconds(300)
  /// The seconds of marks below which the nominal rate is a better estimate than theirs.
  private static let leastSpan = 2.0

  /// Creates a timeline of a device with the rate `nominalRate`.
  package init(nominalRate: Int) { fit = AudioClockFit(nominalRate: nominalRate) }

  /// Records that the device was restarted: samples before the next one may be missing.
  package mutating func noteBreak() { isBroken = true }

  /// Whether the device was restarted, and the number of missing samples is not known yet.
  package var isSettling: Bool { isBroken }

  /// Adds a mark, in the device's own numbers, and returns the verdict on the samples that came with it.
  package mutating func enter(_ mark: AudioMark) -> Verdict {
    guard let anchor = recent.last, let usual = recent.map({ lateness(of: $0, after: anchor) }).min() else {
      isBroken = false
      accept(mark)
      return .regular
    }
    let late = lateness(of: place(of: mark), after: anchor) - usual
    guard isBroken || late > tolerance else {
      // The waiting marks were merely delayed; they say nothing about the device's clock.
      scatter += waiting.map { lateness(of: place(of: $0), after: anchor) - usual } + [late]
      scatter.removeFirst(max(0, scatter.count - Self.scatterCount))
      waiting = []
      accept(mark)
      return .regular
    }
    waiting.append(mark)
    guard let first = waiting.first, mark.time - first.time >= Self.patience,
      let least = waiting.map({ lateness(of: place(of: $0), after: anchor) }).min()
    else { return .waiting }
    let lost = Int64(clamping: (max(0, least - usual) * rate).rounded())
    missing = missing.adding(clamping: lost)
    for late in waiting { accept(late) }
    waiting = []
    isBroken = false
    return lost > 0 ? .lost(lost) : .regular
  }

  /// Returns the time at which the sample at `place` was heard, by the least late mark of the last second;
  /// `nil` without a mark.
  package func time(of place: Int64) -> Instant? {
    recent.map { mark in
      mark.time - .seconds(Double(mark.sampleCount.subtracting(clamping: place)) / rate)
    }.min()
  }

  /// The device's samples per second, as far as known.
  package var rate: Double { fit.span >= Self.leastSpan ? fit.rate : fit.nominalRate }

  /// The tolerance for a mark's lateness: the median, or the maximum of fewer than 20. For a device whose
  /// marks scatter by 20 ms, all marks within ``patience`` exceed it once in a thousand million.
  private var tolerance: Double {
    let sorted = scatter.sorted()
    let usual = sorted.isEmpty ? 0 : sorted[sorted.count < 20 ? sorted.count - 1 : sorted.count / 2]
    return max(Self.leastTolerance, usual)
  }

  private func place(of mark: AudioMark) -> AudioMark {
    AudioMark(time: mark.time, sampleCount: mark.sampleCount.adding(clamping: missing))
  }

  /// Returns the delay of a place after another beyond what the rate alone gives, in seconds.
  private func lateness(of place: AudioMark, after anchor: AudioMark) -> Double {
    let samples = Double(place.sampleCount.subtracting(clamping: anchor.sampleCount))
    return (place.time - anchor.time) / .seconds(1) - samples / rate
  }

  private mutating func accept(_ mark: AudioMark) {
    let place = place(of: mark)
    recent.append(place)
    recent.removeAll { place.time - $0.time > .seconds(1) }
    fit.enter(place)
  }
}
