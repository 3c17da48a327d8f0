import Testing
import Timebase

@testable import Platform

@Suite("A virtual clock")
struct VirtualClockTests {
  private static let start = Instant(nanoseconds: 1_000_000_000)
  private let clock = VirtualClock(at: start)
  private let seen = Monitor<[String]>([])

  /// Notes that `name` is working, with the milliseconds since the start.
  private func note(_ name: String) {
    let time = (clock.now - Self.start) / .milliseconds(1)
    seen.change { $0.append("\(name) \(Int(time))") }
  }

  private func wait(_ milliseconds: Int) {
    clock.wait(until: clock.now + .milliseconds(milliseconds))
  }

  /// A thread that waits for these milliseconds, one after another, and notes when it continues.
  private func thread(_ name: String, _ waits: [Int]) throws -> NamedThread {
    try #require(
      NamedThread(name: "test", in: .virtual(clock)) {
        note(name)
        for time in waits {
          wait(time)
          note(name)
        }
      })
  }

  @Test("moves to each time that a thread waits for, in order")
  func order() throws {
    clock.enter()
    let threads = [try thread("a", [5, 10]), try thread("b", [7, 1])]
    note("main")
    for thread in threads { thread.join() }
    note("main")
    clock.leave()
    #expect(
      seen.read { $0 } == ["main 0", "a 0", "b 0", "a 5", "b 7", "b 8", "a 15", "main 15"])
  }

  @Test("releases threads that wait for the same time in the order in which they came", arguments: 0..<200)
  func sameTime(_: Int) throws {
    clock.enter()
    let threads = try ["a", "b", "c"].map { try thread($0, [10, 10]) }
    wait(10)
    note("main")
    wait(10)
    note("main")
    clock.leave()
    for thread in threads { thread.join() }
    #expect(
      seen.read { $0 } == [
        "a 0", "b 0", "c 0", "main 10", "a 10", "b 10", "c 10", "main 20", "a 20", "b 20", "c 20",
      ])
  }

  @Test("stops while a thread works, whatever that waits for")
  func standsStill() throws {
    let (isAsked, isAnswered) = (Monitor(false), Monitor(false))
    // It does not take part, like a disk.
    let outside = NamedThread(name: "test") {
      isAsked.wait { $0 ? () : nil }
      note("outside")
      isAnswered.change { $0 = true }
    }
    clock.enter()
    let other = try thread("a", [1, 1])
    wait(1)
    isAsked.change { $0 = true }
    isAnswered.wait { $0 ? () : nil }
    note("main")
    other.join()
    clock.leave()
    outside?.join()
    #expect(seen.read { $0 } == ["a 0", "outside 1", "main 1", "a 1", "a 2"])
  }

  @Test(
    "stands still for a thread that has entered twice until it has left twice, and goes on while it waits")
  func nested() throws {
    clock.enter()
    clock.enter()
    let other = try thread("a", [2])
    wait(1)
    note("main")
    clock.leave()
    wait(2)
    note("main")
    other.join()
    clock.leave()
    #expect(seen.read { $0 } == ["a 0", "main 1", "a 2", "main 3"])
  }

  @Test("goes no further than the end of a thread that is joined")
  func join() throws {
    clock.enter()
    let long = try thread("long", [100])
    let short = try thread("short", [10])
    short.join()
    note("main")
    long.join()
    clock.leave()
    #expect(seen.read { $0 } == ["long 0", "short 0", "short 10", "main 10", "long 100"])
  }

  @Test("goes on with the others when a thread leaves")
  func leaving() throws {
    clock.enter()
    let threads = [try thread("a", [3]), try thread("b", [1, 5])]
    clock.leave()
    for thread in threads { thread.join() }
    #expect(seen.read { $0 } == ["a 0", "b 0", "b 1", "a 3", "b 6"])
  }

  @Test("gives only a turn to a thread that waits for a time in the past")
  func past() throws {
    clock.enter()
    let other = try thread("a", [2])
    clock.wait(until: Self.start - .seconds(1))
    note("main")
    other.join()
    clock.leave()
    #expect(seen.read { $0 } == ["a 0", "main 0", "a 2"])
  }

  @Test("is moved by a waiting thread if no thread takes part, and never back")
  func alone() {
    clock.wait(until: Self.start + .seconds(2))
    #expect(clock.now == Self.start + .seconds(2))
    clock.wait(until: Self.start)
    #expect(clock.now == Self.start + .seconds(2))
  }

  @Test("reaches the end of many threads' waits, each at its time")
  func many() throws {
    clock.enter()
    let threads = try (1...8).map { step in try thread("\(step)", Array(repeating: step, count: 840 / step)) }
    for thread in threads { thread.join() }
    clock.leave()
    #expect(clock.now == Self.start + .milliseconds(840))
    let times = seen.read { $0 }.compactMap { Int($0.split(separator: " ")[1]) }
    #expect(times == times.sorted())
    for step in 1...8 {
      let own = seen.read { $0 }.filter { $0.hasPrefix("\(step) ") }
      #expect(own == stride(from: 0, through: 840, by: step).map { "\(step) \($0)" })
    }
  }

  @Test("shows the time of day of its start, plus the time since")
  func timeOfDay() {
    let day = SessionClock.virtual(clock).timeOfDay
    clock.wait(until: Self.start + .seconds(3600))
    #expect(SessionClock.virtual(clock).timeOfDay == day + .seconds(3600))
  }
}
