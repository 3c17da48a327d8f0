import Cameras
import Testing
import Timebase

@testable import Capture

@Suite("A trigger at a time of day")
struct TimeOfDayTests {
  /// Midnight of some day in 2027, UTC.
  static let midnight = 1_800_057_600

  /// Returns a reading of the clocks, in seconds after midnight and in seconds since boot.
  private func reading(_ wall: Double, _ monotonic: Double) -> WallReading {
    WallReading(
      wall: .seconds(Self.midnight) + .milliseconds(Int64((wall * 1000).rounded())),
      monotonic: Instant(nanoseconds: 0) + .milliseconds(Int64((monotonic * 1000).rounded())))
  }

  /// Returns a watch for 14:30, requested at 14:00 UTC, 100 s after boot.
  private func watch() throws -> TimeOfDayWatch {
    TimeOfDayWatch(
      try #require(TimeOfDay(text: "14:30", asked: reading(14 * 3600, 100))), offset: { _ in 0 })
  }

  /// Returns when the trigger came according to `readings`, in seconds since boot.
  private func came(_ readings: [(wall: Double, monotonic: Double)]) throws -> Double? {
    var watch = try watch()
    for (wall, monotonic) in readings { watch.look(reading(wall, monotonic)) }
    return watch.came.map { ($0 - Instant(nanoseconds: 0)) / .seconds(1) }
  }

  private static let due = 14.5 * 3600

  @Test("has the time at which the clock shows it, however late the reading") func steady() throws {
    #expect(try came([(Self.due - 0.1, 1899.9)]) == nil)
    #expect(try came([(Self.due - 0.1, 1899.9), (Self.due + 0.2, 1900.2)]) == 1900)
  }

  @Test("comes sooner if the clock is set forward, and later if it is set back") func set() throws {
    // Ten minutes forward at once, or twenty minutes back.
    #expect(try came([(14 * 3600 + 601, 101), (Self.due, 1300)]) == 1300)
    #expect(try came([(14 * 3600 - 1200, 100), (Self.due - 1, 3099), (Self.due, 3100)]) == 3100)
    // Adjusted in small steps.
    #expect(try came([(14 * 3600 + 0.9, 100), (14 * 3600 + 1.8, 100), (Self.due, 1898.2)]) == 1898.2)
  }

  @Test("comes at once if the clock skips it, unless the date is corrected") func skipped() throws {
    #expect(try came([(Self.due - 60, 1840), (Self.due + 60, 1841)]) == 1840)
    #expect(try came([(14 * 3600, 100), (24 * 3600 + 14 * 3600, 101)]) == nil)
    #expect(
      try came([(14 * 3600, 100), (24 * 3600 + 14 * 3600, 101), (24 * 3600 + Self.due, 1901)]) == 1901)
    // Set back to the day before.
    #expect(try came([(14 * 3600, 100), (-10 * 3600, 101), (-24 * 3600 + Self.due, 1901)]) == 1901)
  }

  @Test("is the next that the clock shows, even when summer time starts or ends") func summerTime() throws {
    // UTC+1 before the change and UTC+2 after it, or vice versa; the change is at 01:00 UTC.
    let change = Self.midnight + 3600
    func next(_ text: String, after time: Int, from before: Int, to behind: Int) throws -> Int {
      try #require(TimeOfDay(text: text)).next(after: time) { ($0 < change ? before : behind) * 3600 }
    }
    let evening = Self.midnight - 7200
    // The clock goes from 02:00 to 03:00.
    #expect(try next("02:30", after: evening, from: 1, to: 2) == change)
    #expect(try next("03:30", after: evening, from: 1, to: 2) == change + 1800)
    #expect(try next("02:30", after: change, from: 1, to: 2) == change + 23 * 3600 + 1800)
    // The clock goes from 03:00 to 02:00.
    #expect(try next("02:30", after: evening, from: 2, to: 1) == change - 1800)
    #expect(try next("02:30", after: change - 1800, from: 2, to: 1) == change + 1800)
    #expect(try next("02:30", after: change + 1800, from: 2, to: 1) == change + 24 * 3600 + 1800)
    for offset in [-12, -3, 0, 5, 14] {
      let time = try next("14:30:05", after: Self.midnight, from: offset, to: offset)
      #expect(time > Self.midnight && time <= Self.midnight + 86_400)
      #expect((time + offset * 3600) % 86_400 == 52_205)
    }
  }

  @Test("triggers once, and the session does not wait for it again") func triggersOnce() throws {
    let asked = WallReading.now
    let time = try #require(TimeOfDay(text: "14:30", asked: asked))
    let plan = SessionPlan(
      preRoll: .zero, limit: RecordingLimit(frames: 1), takeCount: nil, times: [.timeOfDay(time)])
    var state = SessionState(plan, configuration: SessionStateTests.configuration(640))
    _ = state.streamOpened(interval: .milliseconds(4), at: asked.monotonic)
    _ = state.see(asked.monotonic, at: asked.monotonic)
    state.mayBeTriggered = false
    _ = state.advance(to: asked.monotonic)
    #expect(!state.isRecording && !state.canNeverTrigger)
    // Two days, in steps of an hour.
    for hour in 1...48 {
      let then = WallReading(
        wall: asked.wall + .seconds(hour * 3600), monotonic: asked.monotonic + .seconds(hour * 3600))
      state.note(then)
      _ = state.advance(to: then.monotonic)
    }
    #expect(state.isRecording)
    #expect(state.firedTimes == [0] && state.waiting.isEmpty)
  }
}
