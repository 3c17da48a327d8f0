import Testing
import Timebase

@testable import Simulator

@Suite struct SimulatedScheduleTests {
  /// A hundred frames a second, from 0: frame `n` comes at `(n + 1) * 10` ms.
  private static func schedule(_ faults: String = "", start: Int64 = 0) throws -> SensorSchedule {
    SensorSchedule(
      startNanoseconds: start, interval: Fraction(1, 100), faults: try SimulatedFaults(text: faults))
  }

  private static func milliseconds(_ count: Int64) -> Int64 { count * 1_000_000 }

  /// Takes and returns every frame available at `now`.
  private static func drain(_ schedule: inout SensorSchedule, at now: Int64) -> [Exposure] {
    var taken: [Exposure] = []
    schedule.advance(to: now)
    while let exposure = schedule.dequeue() {
      taken.append(exposure)
      schedule.requeue(at: now)
    }
    return taken
  }

  /// All frames for a reader that never pauses, up to `end` ms.
  private static func attentively(_ schedule: inout SensorSchedule, until end: Int64) -> [Exposure] {
    var taken: [Exposure] = []
    while schedule.nextExposureNanoseconds <= milliseconds(end) {
      let now = schedule.nextExposureNanoseconds
      taken += drain(&schedule, at: now)
      if schedule.isDisconnected(at: now) { break }
    }
    return taken
  }

  @Test func longestIntervalsPassNoEndOfTime() throws {
    let faults = try SimulatedFaults(text: "stall=168h@0,jitter=168h")
    for interval in [Fraction(4_294_967_295), Fraction(1 << 62)] {
      var schedule = SensorSchedule(startNanoseconds: .max - 5, interval: interval, faults: faults)
      #expect(schedule.nextExposureNanoseconds == .max)
      schedule.advance(to: .max - 1)
      #expect(schedule.dequeue() == nil)
    }
  }

  @Test func frameZeroComesOneIntervalAfterTheStart() throws {
    var schedule = try Self.schedule(start: 7)
    #expect(schedule.nextExposureNanoseconds == Self.milliseconds(10) + 7)
    #expect(Self.drain(&schedule, at: Self.milliseconds(10) + 6).isEmpty)
    let taken = Self.drain(&schedule, at: Self.milliseconds(10) + 7)
    #expect(taken.map(\.number) == [0])
    #expect(taken.map(\.timestampNanoseconds) == [Self.milliseconds(10) + 7])
  }

  @Test func timesDoNotDrift() throws {
    var schedule = SensorSchedule(
      startNanoseconds: 5, interval: Fraction(1001, 120_000), faults: SimulatedFaults())
    // 120000 frames take exactly 1001 seconds.
    schedule.advance(to: 1_001_000_000_000 + 4)
    #expect(schedule.nextExposureNanoseconds == 1_001_000_000_000 + 5)
  }

  @Test(arguments: [1, 2, 4, 16, 32])
  func aReaderThatIsAwayFindsAsManyFramesAsThereAreBuffers(buffers: Int) throws {
    var schedule = try Self.schedule("buffers=\(buffers)")
    let taken = Self.drain(&schedule, at: Self.milliseconds(1000))
    #expect(taken.map(\.number) == Array(0..<Int64(buffers)))
    #expect(Self.drain(&schedule, at: Self.milliseconds(1010)).map(\.number) == [100])
  }

  @Test(
    "a reader that was away for long finds the same frames as one that read throughout",
    arguments: [
      "", "jitter=25ms", "stall=300ms@40", "jitter=3ms,drop=30%", "disconnect=500", "rate=33,jitter=90ms",
    ])
  func longAway(faults: String) throws {
    for end in [Int64(95), 1000, 4990, 5000, 20_001] {
      var steady = try Self.schedule(faults)
      for now in stride(from: Int64(0), through: end, by: 5) { steady.advance(to: Self.milliseconds(now)) }
      steady.advance(to: Self.milliseconds(end))
      var away = try Self.schedule(faults)
      away.advance(to: Self.milliseconds(end))
      #expect(away.nextExposureNanoseconds == steady.nextExposureNanoseconds)
      let later = Self.milliseconds(end + 10_000)
      let (one, other) = (Self.drain(&steady, at: later), Self.drain(&away, at: later))
      #expect(one.map(\.number) == other.map(\.number))
      #expect(one.map(\.timestampNanoseconds) == other.map(\.timestampNanoseconds))
    }
  }

  @Test(
    "frames that come faster than they can be counted block no reader",
    arguments: ["", "drop=100%", "jitter=1s"])
  func countless(faults: String) throws {
    var schedule = SensorSchedule(
      startNanoseconds: 0, interval: Fraction(1, 4_294_967_295), faults: try SimulatedFaults(text: faults))
    // A year.
    schedule.advance(to: 31_536_000_000_000_000)
    #expect((schedule.dequeue() == nil) == (faults == "drop=100%"))
  }

  @Test func aReaderThatHoldsAFrameLosesWhatFindsNoBuffer() throws {
    var schedule = try Self.schedule("buffers=4")
    schedule.advance(to: Self.milliseconds(10))
    #expect(schedule.dequeue()?.number == 0)
    // Three buffers are left while it is held; frame 9 comes just as it is given back.
    schedule.requeue(at: Self.milliseconds(100))
    #expect(Self.drain(&schedule, at: Self.milliseconds(109)).map(\.number) == [1, 2, 3])
    #expect(Self.drain(&schedule, at: Self.milliseconds(120)).map(\.number) == [10, 11])
  }

  @Test func aFrameIsKeptByTheBufferThatIsEmptyWhenItComes() throws {
    var schedule = try Self.schedule("buffers=1")
    schedule.advance(to: Self.milliseconds(10))
    #expect(schedule.dequeue()?.number == 0)
    schedule.requeue(at: Self.milliseconds(20) - 1)
    #expect(Self.drain(&schedule, at: Self.milliseconds(25)).map(\.number) == [1])
  }

  @Test func droppedFramesLeaveGapsAndTakeNoBuffer() throws {
    var schedule = try Self.schedule("drop=0+3-5+8,buffers=4")
    #expect(Self.attentively(&schedule, until: 110).map(\.number) == [1, 2, 6, 7, 9, 10])
    schedule = try Self.schedule("drop=0+3-5+8,buffers=4")
    #expect(Self.drain(&schedule, at: Self.milliseconds(1000)).map(\.number) == [1, 2, 6, 7])
  }

  @Test func aShareIsDroppedByChanceAndAlikeForEachSeed() throws {
    func numbers(_ faults: String) throws -> [Int64] {
      var schedule = try Self.schedule(faults)
      return Self.attentively(&schedule, until: 100_000).map(\.number)
    }
    let taken = try numbers("drop=2%,seed=5")
    // Two per cent of 10000, give or take five standard deviations.
    #expect((130...270).contains(10_000 - taken.count))
    #expect(try numbers("drop=2%,seed=5") == taken)
    #expect(try numbers("drop=2%,seed=6") != taken)
    #expect(try numbers("drop=0%").count == 10_000)
    #expect(try numbers("drop=100%").isEmpty)
  }

  @Test func theSensorReachesItsOwnRateAtMost() throws {
    var slow = try Self.schedule("rate=50")
    #expect(
      Self.attentively(&slow, until: 60).map(\.timestampNanoseconds) == [20, 40, 60].map(Self.milliseconds))
    var fast = try Self.schedule("rate=200")
    #expect(
      Self.attentively(&fast, until: 30).map(\.timestampNanoseconds) == [10, 20, 30].map(Self.milliseconds))
  }

  @Test func aStallIsASilenceWithoutAGap() throws {
    var schedule = try Self.schedule("stall=2s@2")
    let taken = Self.attentively(&schedule, until: 2050)
    #expect(taken.map(\.number) == [0, 1, 2, 3, 4])
    #expect(taken.map(\.timestampNanoseconds) == [10, 20, 2030, 2040, 2050].map(Self.milliseconds))
  }

  @Test(arguments: ["1ms", "9ms", "50ms"])
  func jitterMakesFramesLateButNeverEarlyNorBackwards(jitter: String) throws {
    let latest = try Duration(text: jitter).wholeNanoseconds
    var schedule = try Self.schedule("jitter=\(jitter),seed=1")
    let taken = Self.attentively(&schedule, until: 20_000)
    #expect(taken.count > 1900)
    var last: Int64 = 0
    var delays: Set<Int64> = []
    for exposure in taken {
      let delay = exposure.timestampNanoseconds - Self.milliseconds((exposure.number + 1) * 10)
      #expect((0...latest).contains(delay))
      #expect(exposure.timestampNanoseconds > last)
      last = exposure.timestampNanoseconds
      delays.insert(delay)
    }
    #expect(delays.count > 100)
  }

  @Test func framesFromBeforeTheUnpluggingAreStillThere() throws {
    var schedule = try Self.schedule("disconnect=3,buffers=8")
    schedule.advance(to: Self.milliseconds(500))
    #expect(!schedule.isDisconnected(at: Self.milliseconds(500)))
    #expect(Self.drain(&schedule, at: Self.milliseconds(500)).map(\.number) == [0, 1, 2])
    #expect(schedule.isDisconnected(at: Self.milliseconds(500)))
    #expect(!schedule.isDisconnected(at: Self.milliseconds(40) - 1))
  }
}
