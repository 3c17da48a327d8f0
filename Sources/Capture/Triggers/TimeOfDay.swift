import Glibc
import Platform
import Timebase

/// A time that the clock on the wall shows, such as 14:30:00, once: the next time after it was asked for.
///
/// The clock may be set meanwhile, by hand or from the network: the next time is then that of the clock as it is now. A time
/// that was skipped comes at once, unless the clock was set forward by more than three hours, which corrects a date rather
/// than passes time; cron has it so, too.
public struct TimeOfDay: Hashable, Sendable {
  /// The hour, from 0 to 23.
  public let hour: Int
  /// The minute, from 0 to 59.
  public let minute: Int
  /// The second, from 0 to 59.
  public let second: Int
  /// The clocks when it was asked for.
  let asked: WallReading

  /// Reads `14:30` or `14:30:00`; `nil` for anything else.
  ///
  /// - Parameters:
  ///   - text: the time.
  ///   - asked: the clocks now.
  init?(text: String, asked: WallReading = .now) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard (2...3).contains(parts.count), let hour = parts[0], let minute = parts[1],
      let second = parts.count == 3 ? parts[2] : 0,
      (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second)
    else { return nil }
    self.hour = hour
    self.minute = minute
    self.second = second
    self.asked = asked
  }

  /// The next second after `time` in which the clock shows this, in seconds since 1970.
  ///
  /// Where summer time begins, the clock leaves out an hour: a time in it comes when the clock passes it. Where summer time
  /// ends, the clock shows an hour twice: the first one counts.
  ///
  /// - Parameters:
  ///   - time: seconds since 1970.
  ///   - offset: how many seconds the clock is ahead of UTC at a second since 1970.
  func next(after time: Int, offset: (Int) -> Int = localOffset) -> Int {
    let day = 86_400
    let wanted = hour * 3600 + minute * 60 + second
    let today = (time + offset(time)) / day
    let all = (today - 1...today + 2).flatMap { date in
      let shown = date * day + wanted
      let offsets = [offset(shown - day), offset(shown + day)]
      let candidates = offsets.map { shown - $0 }
      let found = candidates.filter { $0 + offset($0) == shown }
      return found.isEmpty ? [Self.change(from: candidates, offset)] : found
    }
    return all.filter { $0 > time }.min() ?? time + day
  }

  /// The first second of the later offset, between two times of different offsets.
  private static func change(from times: [Int], _ offset: (Int) -> Int) -> Int {
    var (low, high) = (times.min() ?? 0, times.max() ?? 0)
    let before = offset(low)
    while high - low > 1 {
      let middle = (low + high) / 2
      if offset(middle) == before { low = middle } else { high = middle }
    }
    return high
  }

  /// How many seconds the machine's clock is ahead of UTC at `time`, in seconds since 1970.
  private static func localOffset(_ time: Int) -> Int {
    var (time, parts) = (time, tm())
    localtime_r(&time, &parts)
    return parts.tm_gmtoff
  }
}

/// The clock on the wall and the session's, at one moment.
struct WallReading: Hashable, Sendable {
  /// The time since 1970.
  var wall: Duration
  /// The time on the session's clock.
  var monotonic: Instant

  /// The machine's clocks as they are.
  static var now: WallReading {
    WallReading(wall: SessionClock.monotonic.timeOfDay, monotonic: MonotonicClock.now)
  }
}

/// Waits for a time of day by readings of the clock.
struct TimeOfDayWatch {
  private let time: TimeOfDay
  private let offset: ((Int) -> Int)?
  private var last: WallReading
  /// When the time comes, since 1970.
  private var due: Duration
  /// When it came, on the session's clock; `nil` as long as it has not.
  private(set) var came: Instant?

  /// Less is a clock that is kept right, not one that is set.
  private static let leastSetting = Duration.seconds(1)
  private static let mostSkipped = Duration.seconds(3 * 3600)

  /// - Parameters:
  ///   - offset: the clock's offset from UTC; `nil` for the machine's.
  ///   - clock: that of the readings.
  init(_ time: TimeOfDay, offset: ((Int) -> Int)? = nil, on clock: SessionClock = .monotonic) {
    self.time = time
    self.offset = offset
    last = WallReading(wall: time.asked.wall, monotonic: clock.time(atReal: time.asked.monotonic))
    due = .zero
    due = next(after: last.wall)
  }

  /// Looks at the clocks.
  mutating func look(_ reading: WallReading) {
    guard came == nil else { return }
    defer { last = reading }
    let passed = reading.monotonic - last.monotonic
    let set = reading.wall - last.wall - passed
    if set < .zero - Self.leastSetting || set > Self.mostSkipped { due = next(after: reading.wall) }
    guard reading.wall >= due else { return }
    // One that was skipped came when the clock was set, no sooner than it was looked at last.
    came = max(last.monotonic, reading.monotonic - (reading.wall - due))
  }

  private func next(after wall: Duration) -> Duration {
    let second = Int(wall.components.seconds)
    return .seconds(offset.map { time.next(after: second, offset: $0) } ?? time.next(after: second))
  }
}
