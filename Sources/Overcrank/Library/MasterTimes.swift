import Media
import Platform
import Retime
import SystemPackage
import Takes
import Timebase

/// The presentation times of a master's frames, compared with their capture times.
struct MasterTimes {
  private var captured: FrameTimes.Iterator
  private let speed: Double
  private var first: (shown: Int64, captured: Instant)?
  private var lastTick: Int64 = -1
  private var number = 0

  /// - Parameter speed: the playback speed of the master; `nil` for the one that the take states.
  init(_ take: Take, speed: Fraction? = nil) {
    captured = take.timestamps.makeIterator()
    let stated = take.masterSpeed.flatMap { try? Speed(text: $0) }?.factor
    self.speed = (speed ?? stated)?.doubleValue ?? 1
  }

  /// Returns the deviation of the next frame's time, `shown` ticks of `base` seconds; `nil` if there is none.
  mutating func finding(at shown: Int64?, _ base: Double) -> String? {
    defer { number += 1 }
    guard let time = captured.next() else { return nil }
    guard let shown else { return "frame \(number) has no time" }
    let start = first ?? (shown, time)
    first = start
    // As masters are written: in whole microseconds, strictly ascending.
    let tick = max((time - start.captured).wholeNanoseconds / 1000, lastTick.adding(clamping: 1))
    lastTick = tick
    let expected = Double(tick) / 1e6 / speed
    let found = Double(shown.subtracting(clamping: start.shown)) * base
    let tolerance = 1.5e-6 / speed + base + 1e-6 * expected
    guard (found - expected).magnitude > tolerance else { return nil }
    return "frame \(number) is shown at \(Self.text(found)) s, but at \(Self.text(expected)) s by its take"
  }
}

extension MasterTimes {
  private static func text(_ seconds: Double) -> String {
    Fraction(Int64(clamping: (seconds * 1e6).rounded()), 1_000_000).decimal(places: 6)
  }
}

extension MasterTimes {
  /// Refuses a take whose times are not those of its master at `path`, if they cannot be the times of a recording: a
  /// frame is not later than the one before it, or is days away from the first.
  ///
  /// Times that a recording can have are not compared here, as ``TakeVerification`` reads the whole master for that.
  ///
  /// - Parameter remedy: a remedy beside putting back the take.
  /// - Throws: `OvercrankError` with `badData`. A master that cannot be read is not refused.
  static func check(
    _ path: FilePath, of take: Take, remedy: OvercrankError.Remedy? = nil
  ) throws(OvercrankError) {
    guard !take.timestamps.canBeRecorded, let video = try? WholeTimes(path, of: take),
      let words = video.finding
    else { return }
    throw OvercrankError(
      .badData,
      "\(path): \(words). Other programs or a failing disk have changed the take. Put back a copy of it.",
      remedy: remedy)
  }
}

/// The comparison of all times of a master with those of its take.
private struct WholeTimes {
  /// The first deviation; `nil` if there is none.
  private(set) var finding: String?

  init(_ path: FilePath, of take: Take) throws(OvercrankError) {
    var video = try Demuxer(path)
    var times = MasterTimes(take, speed: SourcePace(path)?.speed)
    let base = video.timeBase.doubleValue
    while finding == nil, let packet = try video.nextPacket() {
      if !packet.isHidden { finding = times.finding(at: packet.presentationTimestamp, base) }
    }
  }
}

extension FrameTimes {
  /// The maximum time from the first frame: thirteen days, as for all times of a take.
  private static let longest: Int64 = 1 << 50

  /// Whether each frame is later than the one before, and all are within days.
  fileprivate var canBeRecorded: Bool {
    guard let first else { return true }
    var last: Instant?
    for time in self {
      guard last.map({ time > $0 }) ?? true,
        time.nanoseconds.subtracting(clamping: first.nanoseconds) < Self.longest
      else { return false }
      last = time
    }
    return true
  }
}
