import Capture
public import FoundationEssentials
import Platform
public import Takes
import Timebase

extension FinishedTake {
  /// When its triggers came, on the clock of its frames: the one that began it, and those that prolonged it.
  var triggerMoments: [Instant] {
    guard let trigger = take.trigger, let first = trigger.frameTime else { return [] }
    let lag = trigger.time.map { first - $0 } ?? .zero
    return [first] + trigger.extensions.map { $0 + lag }
  }

  /// The frame that was captured last at `moment`, or the nearest there is; counted from 0.
  func frame(at moment: Instant, in entry: LibraryEntry) throws(RecordError) -> Int {
    do {
      let pictures = try TakePictures(entry)
      guard let first = take.timestamps.first else { throw CaptureError.empty }
      let last = pictures.time(of: pictures.frameCount - 1)
      return try pictures.index(at: min(max(.zero, moment - first), last))
    } catch {
      throw RecordError(error)
    }
  }

  /// The frames that were captured last when its triggers came, counted from 0, in the order of the triggers.
  ///
  /// - Parameter entry: the take in its library.
  /// - Throws: ``RecordError`` where its master cannot be read.
  public func triggerFrames(in entry: LibraryEntry) throws(RecordError) -> [Int] {
    var frames: [Int] = []
    for moment in triggerMoments { frames.append(try frame(at: moment, in: entry)) }
    return frames
  }

  /// When frame `index` was captured just now, by the calendar; `nil` where its clock is not that of the system.
  public func date(ofFrame index: Int) -> Date? {
    take.frameList.lazy.dropFirst(index).first { _ in true }.flatMap(date)
  }

  func date(of frame: FrameEntry) -> Date? {
    switch take.clock {
    case .monotonic, .dequeue: Date().addingTimeInterval(-((MonotonicClock.now - frame.time) / .seconds(1)))
    case .copied, .unknown: nil
    }
  }
}
