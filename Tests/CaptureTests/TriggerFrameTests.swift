import Synchronization
import Testing
import Timebase

@testable import Capture

@Suite("The frame that a trigger fell into")
struct TriggerFrameTests {
  private final class Replies: Sendable {
    let all = Mutex<[TriggerReply]>([])

    func event(at time: Int64) -> TriggerEvent {
      TriggerEvent(.udp, at: Instant(nanoseconds: time)).replying { reply in
        self.all.withLock { $0.append(reply) }
      }
    }

    var sequences: [UInt32?] { all.withLock { $0.map(\.sequence) } }
  }

  private func frame(_ number: UInt32, at time: Int64) -> RingRecord {
    RingRecord(kind: .frame, sequence: number, timestampNanoseconds: time)
  }

  @Test("is the latest one captured at or before it")
  func latest() {
    var frames = TriggerFrames()
    #expect(frames.sequence(at: 100) == nil)
    for number in UInt32(0)..<5000 { frames.see(frame(number, at: Int64(number) * 10)) }
    #expect(frames.sequence(at: 49_985) == 4998)
    #expect(frames.sequence(at: 49_980) == 4998)
    #expect(frames.sequence(at: 1_000_000) == 4999)
    // Older frames have been forgotten, so none is named in their place.
    #expect(frames.sequence(at: 5) == nil)
  }

  @Test("is found anew when the driver's clock restarts")
  func restarted() {
    var frames = TriggerFrames()
    frames.see(frame(7, at: 1000))
    frames.see(frame(0, at: 10))
    #expect(frames.sequence(at: 2000) == 0)
    #expect(frames.sequence(at: 5) == nil)
  }

  @Test("is named in the reply once a later frame has come")
  func reply() {
    let replies = Replies()
    var frames = TriggerFrames()
    frames.see(frame(1, at: 10))
    frames.answer(replies.event(at: 25), .started(take: 1), at: 25, now: 30)
    #expect(replies.sequences == [])
    frames.see(frame(2, at: 20))
    #expect(replies.sequences == [])
    frames.see(frame(4, at: 30))
    #expect(replies.sequences == [2])
    frames.answer(replies.event(at: 22), .extended(take: 1), at: 22, now: 40)
    #expect(replies.sequences == [2, 2])
    #expect(replies.all.withLock { $0.map(\.outcome) } == [.started(take: 1), .extended(take: 1)])
  }

  @Test("is the latest so far if no more frames come")
  func silence() {
    let replies = Replies()
    var frames = TriggerFrames()
    frames.see(frame(1, at: 10))
    frames.answer(replies.event(at: 25), .started(take: 1), at: 25, now: 30)
    frames.advance(to: Instant(nanoseconds: 30) + TriggerFrames.patience - .nanoseconds(1))
    #expect(replies.sequences == [])
    frames.advance(to: Instant(nanoseconds: 30) + TriggerFrames.patience)
    #expect(replies.sequences == [1])
    frames.answer(replies.event(at: 25), .started(take: 1), at: 25, now: 30)
    frames.finish()
    #expect(replies.sequences == [1, 1])
  }

  @Test("does not exist for a refused trigger, which is answered at once")
  func refused() {
    let replies = Replies()
    replies.event(at: 5).answer(.refused)
    #expect(replies.all.withLock { $0 } == [TriggerReply(.refused, at: 5, in: nil)])
  }
}
