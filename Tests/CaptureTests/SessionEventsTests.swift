import Cameras
import Testing
import Timebase

@testable import Capture

@Suite("A slow listener of a session")
struct SessionEventsTests {
  private let teller = EventBroadcaster()
  private let events: SessionEvents

  init() { events = teller.listen() }

  private func tell(_ kinds: SessionEvent.Kind...) {
    for kind in kinds { teller.tell(kind, at: Instant(nanoseconds: 0)) }
  }

  private func setting(_ id: UInt32, to value: Int64) -> SessionEvent.Kind {
    .controlChanged(
      ControlOutcome(
        change: ControlChange(id: id, name: "\(id)", value: value, isRequired: false), before: nil,
        after: value))
  }

  /// Ends the session, and returns the waiting events in words.
  private func heard() async throws -> [String] {
    tell(.ended(SessionEnd(takeCount: 0)))
    var words: [String] = []
    for try await event in events {
      switch event.kind {
      case .armed(let take): words.append("armed \(take)")
      case .lost(let take, let frames): words.append("lost \(frames) of \(take)")
      case .controlChanged(let outcome): words.append("\(outcome.change.id) is \(outcome.change.value)")
      case .ended: words.append("ended")
      default: words.append("\(event.kind)")
      }
    }
    return words
  }

  @Test("receives a take's losses as one sum and a control's last value, between other events")
  func merged() async throws {
    tell(
      .armed(take: 1), .lost(take: 1, frames: 3), setting(7, to: 1), setting(8, to: 2),
      .lost(take: 1, frames: 4), setting(7, to: 3), .lost(take: 2, frames: 1), .armed(take: 2),
      .lost(take: 2, frames: 5), setting(7, to: 4))
    #expect(
      try await heard() == [
        "armed 1", "lost 7 of 1", "7 is 3", "8 is 2", "lost 1 of 2", "armed 2", "lost 5 of 2", "7 is 4",
        "ended",
      ])
  }

  @Test("receives all of 256 waiting events")
  func full() async throws {
    for take in 1...255 { tell(.armed(take: take)) }
    #expect(try await heard() == (1...255).map { "armed \($0)" } + ["ended"])
  }

  @Test("receives an error instead of more than 256 events, and nothing after it")
  func fellBehind() async throws {
    for take in 1...257 { tell(.armed(take: take)) }
    tell(.armed(take: 258))
    await #expect(throws: SessionEvents.FellBehind.self) { try await heard() }
    #expect(try await heard().isEmpty)
  }

  @Test("still receives the end if it listens only after it")
  func late() async throws {
    tell(.armed(take: 1), .ended(SessionEnd(takeCount: 1)), .armed(take: 2))
    #expect(try await heard() == ["armed 1", "ended"])
    var count = 0
    for try await event in teller.listen() { if case .ended = event.kind { count += 1 } }
    #expect(count == 1)
  }

  @Test("receives nothing more once its task is cancelled")
  func cancelled() async throws {
    let (heard, isHeard) = AsyncStream.makeStream(of: Int.self)
    let task = Task { [events] in
      for try await event in events { if case .armed(let take) = event.kind { isHeard.yield(take) } }
    }
    tell(.armed(take: 3))
    #expect(await heard.first { _ in true } == 3)
    task.cancel()
    try await task.value
  }
}
