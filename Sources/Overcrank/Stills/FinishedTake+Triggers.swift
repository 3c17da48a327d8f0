public import Platform
import Capture
public import FoundationEssentials
public import Takes
public import Timebase

extension FinishedTake {
  /// The times of its triggers, on the clock of its frames: the one that began it, and those that extended
  /// it.
  var triggerMoments: [Instant] {
    guard let trigger = take.trigger, let first = trigger.frameTime else { return [] }
    let lag = trigger.time.map { first - $0 } ?? .zero
    return [first] + trigger.extensions.map { $0 + lag }
  }

  /// Returns the last frame captured at or before `moment`, or the nearest one; counted from 0.
  func frame(at moment: Instant, in entry: LibraryEntry) throws(OvercrankError) -> Int {
    do {
      let pictures = try TakePictures(entry)
      guard let first = take.timestamps.first else { throw CaptureError.empty }
      let last = pictures.time(of: pictures.frameCount - 1)
      return try pictures.index(at: min(max(.zero, moment - first), last))
    } catch {
      throw OvercrankError(recording: error)
    }
  }

  /// Returns the last frame captured at or before a trigger, or the nearest one; counted from 0.
  ///
  /// - Parameters:
  ///   - time: the trigger's time, on the session's clock.
  ///   - entry: the take in its library.
  /// - Throws: `OvercrankError` if its master cannot be read.
  public func frame(atTrigger time: Instant, in entry: LibraryEntry) throws(OvercrankError) -> Int {
    let began = take.trigger
    let lag = began?.time.flatMap { time in began?.frameTime.map { $0 - time } } ?? .zero
    return try frame(at: time + lag, in: entry)
  }

  /// Returns the capture time of frame `index` as a date; `nil` if its clock is not the system's.
  public func date(ofFrame index: Int) -> Date? {
    take.frameList.lazy.dropFirst(index).first { _ in true }.flatMap(date)
  }

  func date(of frame: FrameEntry) -> Date? {
    switch take.clock {
    case .monotonic, .dequeue: clock.date(at: frame.time)
    case .copied, .unknown: nil
    }
  }
}
