import CameraModel
import Cameras
import Foundation
import Takes
import Testing
import Timebase

@testable import Overcrank

@Suite("The place of a camera's take in its group")
struct GroupStampsTests {
  /// A take of frames at these nanoseconds, one a number.
  private static func take(
    _ times: [Int64], clock: FrameClock = .monotonic, trigger: Int64? = nil,
    clockError: Int64 = 0
  ) -> GroupMember {
    var accounting = FrameAccounting()
    for (number, time) in times.enumerated() {
      accounting.enterWritten(sequence: UInt32(number), at: Instant(nanoseconds: time))
    }
    let mode = Mode(fourcc: "GREY", width: 8, height: 8, interval: FrameInterval(1, 240))
    let metadata = TakeMetadata(
      camera: CameraIdentity(name: "sim:", table: CameraTable(card: "Small", rows: [])), mode: mode,
      asked: nil, started: Date(timeIntervalSince1970: 0), version: "1", requestedMode: nil, refused: [],
      turn: nil, quality: nil, sizeLimit: nil, label: nil, wantedClip: nil)
    var take = Take(
      accounting, metadata: metadata, acceptedInterval: nil, clock: clock, master: "x.master.mov")
    take.trigger = trigger.map { time in
      var trigger = Take.Trigger(kind: "enter")
      trigger.frameTime = Instant(nanoseconds: time)
      trigger.time = Instant(nanoseconds: time - clockError)
      return trigger
    }
    return GroupMember(name: "B", path: "b.take.json", take: take)
  }

  @Test("is that of the timestamps, which share one clock, and as certain as they are steady")
  func stamps() throws {
    let first = Self.take((0..<100).map { 1000 + 1000 * $0 })
    let steady = Self.take((0..<100).map { 3500 + 1000 * $0 })
    let place = TakeGroup.Camera(take: "b.take.json", of: steady, beside: first)
    #expect(place.offset == .nanoseconds(2500) && place.methods == [.stamps])
    #expect(try #require(place.uncertainty) <= .nanoseconds(2))
    // Every second frame is late by 200 ns, of which the fit takes the others.
    let unsteady = Self.take((0..<100).map { 1000 * Int64($0) + 200 * Int64($0 % 2) })
    let other = TakeGroup.Camera(take: "b.take.json", of: unsteady, beside: first)
    let uncertainty = try #require(other.uncertainty)
    #expect((.nanoseconds(10)...(.nanoseconds(30))).contains(uncertainty), "\(uncertainty)")
    #expect(other.offset + .nanoseconds(1000) >= .zero - uncertainty && other.offset <= .nanoseconds(-1000))
  }

  @Test("tells which camera sent no frame before the end, unless its take has a reason to end early")
  func silences() {
    func frames(_ count: Int, every step: Int64 = 10_000_000) -> GroupMember {
      Self.take((0..<count).map { 1000 + step * Int64($0) })
    }
    func silences(_ members: [GroupMember]) -> [Duration?] {
      GroupMember.silences(
        members,
        at: members.enumerated().map { place, member in
          TakeGroup.Camera(take: "b.take.json", of: member, beside: place == 0 ? nil : members[0])
        })
    }
    // The third has every fourth frame: its last interval is no silence.
    let members = [frames(101), frames(31), frames(25, every: 40_000_000), frames(97)]
    #expect(silences(members) == [nil, .milliseconds(700), nil, nil])
    #expect(silences([members[1], members[0]]) == [.milliseconds(700), nil])
    var take = members[1].take
    take.failure = "The camera was unplugged."
    #expect(silences([members[0], GroupMember(name: "B", path: "b.take.json", take: take)]) == [nil, nil])
    #expect(silences([members[1]]) == [nil] && silences([]).isEmpty)
  }

  @Test("is that of the trigger if a camera has a clock of its own, and not certain")
  func ownClock() {
    let first = Self.take([1000, 2000, 3000], trigger: 2500)
    let foreign = Self.take([900_000, 901_000], clock: .unknown, trigger: 900_200)
    let place = TakeGroup.Camera(take: "b.take.json", of: foreign, beside: first)
    #expect(place.offset == .nanoseconds(1300) && place.uncertainty == nil && place.methods == [.trigger])
    // The driver claims the common clock, but its timestamps are a second early.
    let early = Self.take(
      [-999_000_000, -998_999_000], trigger: -998_999_800, clockError: -1_000_000_000)
    let mapped = TakeGroup.Camera(take: "b.take.json", of: early, beside: first)
    #expect(mapped.offset == .nanoseconds(1300) && mapped.uncertainty == nil && mapped.methods == [.trigger])
  }
}
