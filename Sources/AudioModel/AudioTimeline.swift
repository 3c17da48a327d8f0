import Timebase

/// Finds out from a device's marks where samples are missing, so that each of the others keeps its moment.
///
/// A device counts what it delivers. What it lost it mostly does not tell; but from then on, its marks come
/// later than its rate allows, and stay late. A mark that only came late is followed by others
/// that did not. So marks that are late are waited with, and where none comes in time for
/// ``patience``, the least late tells how many samples are missing. A pure value.
package struct AudioTimeline: Sendable {
  /// What a mark says of the samples that came with it.
  package enum Verdict: Hashable, Sendable {
    /// They follow those before, and so do any that wait.
    case regular
    /// It is not known yet whether samples are missing in front of them: they are to wait.
    case waiting
    /// So many samples are missing in front of those that wait, of which these are the last.
    case lost(Int64)
  }

  /// How many samples are missing so far. Place of a sample = its number at the device + this.
  package private(set) var missing: Int64 = 0
  /// When each place was heard.
  package private(set) var fit: AudioClockFit

  /// The marks that were in time, of the last second, with places in place of the device's numbers.
  private var recent: [AudioMark] = []
  /// Marks that are late, in the device's own numbers.
  private var waiting: [AudioMark] = []
  /// Whether the device says that samples are missing.
  private var isBroken = false

  /// How late the last marks were that turned out to be in time or late alone, in seconds; the newest last.
  private var scatter: [Double] = []

  /// How late a mark may be at least beyond the least late one of the last second, in seconds. Above what a rate
  /// that is not known yet can add up to in a second, and below what anyone hears.
  static let leastTolerance = 0.0015
  /// Of so many marks it is known how late they come.
  private static let scatterCount = 100
  /// How long marks may be late before samples are held to be missing.
  package static let patience = Duration.milliseconds(300)
  /// Below so many seconds of marks, the nominal rate is a better guess than theirs.
  private static let leastSpan = 2.0

  /// A timeline of a device that says it has `nominalRate`.
  package init(nominalRate: Int) { fit = AudioClockFit(nominalRate: nominalRate) }

  /// Notes that the device was restarted: samples in front of the next may be missing.
  package mutating func noteBreak() { isBroken = true }

  /// Whether the device was restarted, and it is not known yet how many samples are missing.
  package var isSettling: Bool { isBroken }

  /// Enters a mark, in the device's own numbers, and tells what becomes of the samples that came with it.
  package mutating func enter(_ mark: AudioMark) -> Verdict {
    guard let anchor = recent.last, let usual = recent.map({ lateness(of: $0, after: anchor) }).min() else {
      isBroken = false
      accept(mark)
      return .regular
    }
    let late = lateness(of: place(of: mark), after: anchor) - usual
    guard isBroken || late > tolerance else {
      // Those that waited were late alone; they say nothing of the device's clock.
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

  /// The device's samples a second, as far as is known.
  package var rate: Double { fit.span >= Self.leastSpan ? fit.rate : fit.nominalRate }

  /// How late a mark may be: as half of all are. A device whose marks scatter by 20 ms has one in a thousand
  /// million in which all of ``patience`` are later than that.
  private var tolerance: Double {
    let sorted = scatter.sorted()
    let usual = sorted.isEmpty ? 0 : sorted[sorted.count < 20 ? sorted.count - 1 : sorted.count / 2]
    return max(Self.leastTolerance, usual)
  }

  private func place(of mark: AudioMark) -> AudioMark {
    AudioMark(time: mark.time, sampleCount: mark.sampleCount.adding(clamping: missing))
  }

  /// How much later than by the rate alone a place comes after another, in seconds.
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
