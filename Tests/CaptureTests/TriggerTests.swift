import FrameJudge
import Foundation
import Glibc
import Platform
import Testing
import Timebase

@testable import Capture

@Suite("Triggers")
struct TriggerTests {
  @Test(
    "are selected by name",
    arguments: [
      ("enter", "enter", .enter), ("key", "key", .key), ("signal", "signal", .signal),
      ("stdin", "stdin", .stdin), ("socket", "socket=record", .socket),
      ("socket=left", "socket=left", .socket), ("time=10s", "time=10s", .time),
      ("udp=9000", "udp=9000", .udp),
    ] as [(String, String, TriggerKind)])
  func source(_ text: String, _ description: String, _ kind: TriggerKind) throws {
    let source = try TriggerSources.source(text)
    #expect(source.description == description)
    #expect(type(of: source).kind == kind)
    #expect(source.time == (kind == .time ? .delay(.seconds(10)) : nil))
  }

  @Test("each have a unique name, a usage text, and a prompt")
  func list() throws {
    let names = TriggerSources.all.map { $0.kind.rawValue }
    #expect(Set(names).count == names.count)
    for type in TriggerSources.all {
      #expect(type.usage.hasPrefix(type.kind.rawValue))
      let source = try TriggerSources.source(type.example)
      #expect(!source.prompt.isEmpty)
    }
  }

  @Test("end with their session if they watch its frames or its audio")
  func ofSession() throws {
    let kinds = try TriggerSources.all.filter { try TriggerSources.source($0.example).isOfSession }
    #expect(Set(kinds.map { $0.kind }) == [.motion, .audio])
  }

  @Test("are each in the documentation", arguments: ["recording.md", "events.md", "json.md"])
  func documented(_ page: String) throws {
    let docs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs")
    let text = try String(contentsOf: docs.appending(path: page), encoding: .utf8)
    for type in TriggerSources.all { #expect(text.contains("`\(type.kind.rawValue)"), "\(type.kind)") }
  }

  @Test(
    "are refused if unknown or malformed",
    arguments: [
      "", "knock", "enter=now", "socket=", "socket=a/b", "socket=.x", "socket=\n", "socket=a\tb", "time",
      "time=", "time=25:00",
      "time=1:2:3:4",
      "time=12:60",
    ])
  func wrong(_ text: String) { #expect(throws: QuantityError.self) { try TriggerSources.source(text) } }

  @Test("are refused if settings follow a comma, and the error shows the equals sign")
  func comma() {
    for (text, meant) in [("motion,area:5%", "motion=area:5%"), ("socket,left", "socket=left")] {
      let error = #expect(throws: QuantityError.self) { try TriggerSources.source(text) }
      #expect("\(String(describing: error))".contains(meant), "\(text)")
    }
  }

  @Test("are queued until they are taken, oldest first")
  func queue() {
    let commands = SessionCommands()
    #expect(!commands.isLive)
    #expect(commands.take().isEmpty)
    commands.sourceBegan()
    #expect(commands.isLive)
    let events = [1, 2, 3].map { TriggerEvent(.key, at: Instant(nanoseconds: $0)) }
    for event in events { commands.trigger(event) }
    commands.sourceEnded()
    #expect(commands.isLive)
    #expect(commands.take() == events.map { .trigger($0) })
    #expect(!commands.isLive)
  }
}

@Suite("A window around a trigger")
struct TakeWindowTests {
  private func run(_ sequence: UInt32, _ count: UInt32, at time: Int64) -> RingRecord {
    RingRecord(kind: .lostInRing, sequence: sequence, count: count, timestampNanoseconds: time)
  }

  private func part(_ window: TakeWindow, _ run: RingRecord, next: RingRecord?) -> [UInt32]? {
    window.part(of: run, before: next, interval: .nanoseconds(10)).map { [$0.sequence, $0.count] }
  }

  @Test(
    "cuts a run of lost frames at both ends by time, even if the sequence numbers wrap"
  )
  func cuts() {
    let window = TakeWindow(
      around: 1000, preRoll: .nanoseconds(100), limit: RecordingLimit(duration: .nanoseconds(50)))
    let next = RingRecord(kind: .frame, sequence: 4, timestampNanoseconds: 1100)
    // Frames are at 800, 810 and so on; the window is from 900 to 1050.
    #expect(part(window, run(.max - 25, 30, at: 800), next: next) == [UInt32.max - 15, 15])
    #expect(part(window, run(.max - 25, 5, at: 800), next: next) == nil)
    #expect(part(window, run(.max - 10, 2, at: 950), next: next) == [UInt32.max - 10, 2])
    #expect(part(window, run(3, 9, at: 1045), next: nil) == [3, 1])
    #expect(part(window, run(3, 9, at: 1050), next: nil) == nil)
  }

  @Test("cuts a run at extreme times and of extreme length without delay")
  func extremes() {
    let window = TakeWindow(
      around: 1000, preRoll: .nanoseconds(100), limit: RecordingLimit(duration: .nanoseconds(50)))
    let late = RingRecord(kind: .frame, sequence: 1, timestampNanoseconds: .max)
    // A frame every 100 ns; those at 900 and 1000 are in the window.
    let next = RingRecord(kind: .frame, sequence: 1 << 30, timestampNanoseconds: 100 << 30)
    #expect(part(window, run(0, .max, at: 0), next: next) == [9, 2])
    #expect(part(window, run(0, .max, at: 0), next: late) == nil)
    #expect(
      window.part(of: run(0, .max, at: 910), before: nil, interval: .nanoseconds(Int64.max)).map(\.count) == 1
    )
  }

  @Test("counts the rest of a limit from the trigger, whatever the pre-roll holds")
  func rest() {
    let limits = [RecordingLimit(duration: .nanoseconds(100)), RecordingLimit(frames: 10)]
    let rests = [RecordingLimit(duration: .nanoseconds(60)), RecordingLimit(frames: 6)]
    for (limit, rest) in zip(limits, rests) {
      var window = TakeWindow(around: 1000, preRoll: .nanoseconds(100), limit: limit)
      for time in stride(from: Int64(900), through: 1030, by: 10) { window.admit(Instant(nanoseconds: time)) }
      #expect(window.rest(interval: .nanoseconds(10)) == rest)
      #expect(window.retrigger(at: 1040) == .extends)
      #expect(window.rest(interval: .nanoseconds(10)) == limit)
    }
  }

  @Test("takes a run as a whole or not at all if time stands still")
  func standing() {
    let window = TakeWindow(
      around: 1000, preRoll: .nanoseconds(100), limit: RecordingLimit(duration: .nanoseconds(50)))
    let next = RingRecord(kind: .frame, sequence: 9, timestampNanoseconds: 950)
    #expect(part(window, run(3, 5, at: 950), next: next) == [3, 5])
    #expect(
      part(window, run(3, 5, at: 800), next: RingRecord(kind: .frame, sequence: 9, timestampNanoseconds: 800))
        == nil)
  }
}
