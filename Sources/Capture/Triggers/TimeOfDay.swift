import Glibc
import Platform
import Timebase

/// A time of day on the wall clock, such as 14:30:00: its next occurrence after the request.
///
/// The clock may be set meanwhile, by hand or from the network: the next occurrence on the new time then
/// counts. A skipped time fires at once, unless the clock was set forward by more than three hours, which
/// corrects a date rather than passes time; cron does the same.
public struct TimeOfDay: Hashable, Sendable {
  /// The hour, from 0 to 23.
  public let hour: Int
  /// The minute, from 0 to 59.
  public let minute: Int
  /// The second, from 0 to 59.
  public let second: Int
  /// The clocks at the time of the request.
  let asked: WallReading

  /// Reads `14:30` or `14:30:00`; `nil` for anything else.
  ///
  /// - Parameters:
  ///   - text: The time.
  ///   - asked: The current clocks.
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

  /// Returns the next second after `time` at which the clock shows this time, in seconds since 1970.
  ///
  /// At the start of summer time, the clock skips an hour: a time in it occurs when the clock passes it. At
  /// the end, the clock shows an hour twice: the first occurrence counts.
  ///
  /// - Parameters:
  ///   - time: Seconds since 1970.
  ///   - offset: Returns the clock's offset from UTC in seconds, at a second since 1970.
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

  /// Returns the first second of the later offset, between two times with different offsets.
  private static func change(from times: [Int], _ offset: (Int) -> Int) -> Int {
    var (low, high) = (times.min() ?? 0, times.max() ?? 0)
    let before = offset(low)
    while high - low > 1 {
      let middle = (low + high) / 2
      if offset(middle) == before { low = middle } else { high = middle }
    }
    return high
  }

  /// Returns the machine's offset from UTC in seconds at `time`, in seconds since 1970.
  private static func localOffset(_ time: Int) -> Int {
    var (time, parts) = (time, tm())
    localtime_r(&time, &parts)
    return parts.tm_gmtoff
  }
}

/// A simultaneous reading of the wall clock and the session's clock.
struct WallReading: Hashable, Sendable {
  /// The time since 1970.
  var wall: Duration
  /// The time on the session's clock.
  var monotonic: Instant

  /// The current reading of the machine's clocks.
  static var now: WallReading {
    WallReading(wall: SessionClock.monotonic.timeOfDay, monotonic: MonotonicClock.now)
  }
}

/// A watch for a time of day, by readings of the clocks.
struct TimeOfDayWatch {
  private let time: TimeOfDay
  private let offset: ((Int) -> Int)?
  private var last: WallReading
  /// The time of the next occurrence, since 1970.
  private var due: Duration
  /// The time of the occurrence, on the session's clock; `nil` before it.
  private(set) var came: Instant?

  /// Smaller steps are adjustments that keep a clock accurate; larger ones mean that it was set.
  private static let leastSetting = Duration.seconds(1)
  private static let mostSkipped = Duration.seconds(3 * 3600)

  /// Creates a watch.
  ///
  /// - Parameters:
  ///   - offset: The clock's offset from UTC; `nil` for the machine's.
  ///   - clock: The clock of the readings.
  init(_ time: TimeOfDay, offset: ((Int) -> Int)? = nil, on clock: SessionClock = .monotonic) {
    self.time = time
    self.offset = offset
    last = WallReading(wall: time.asked.wall, monotonic: clock.time(atReal: time.asked.monotonic))
    due = .zero
    due = next(after: last.wall)
  }

  /// Checks a reading of the clocks.
  mutating func look(_ reading: WallReading) {
    guard came == nil else { return }
    defer { last = reading }
    let passed = reading.monotonic - last.monotonic
    let set = reading.wall - last.wall - passed
    if set < .zero - Self.leastSetting || set > Self.mostSkipped { due = next(after: reading.wall) }
    guard reading.wall >= due else { return }
    // A skipped time occurred when the clock was set, but not before the previous reading.
    came = max(last.monotonic, reading.monotonic - (reading.wall - due))
  }

  private func next(after wall: Duration) -> Duration {
    let second = Int(wall.components.seconds)
    return .seconds(offset.map { time.next(after: second, offset: $0) } ?? time.next(after: second))
  }
}
