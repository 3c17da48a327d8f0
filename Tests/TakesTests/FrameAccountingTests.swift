import Testing
import Timebase

@testable import Takes

@Suite("The frame accounting of a take")
struct FrameAccountingTests {
  private func truth(_ accounting: FrameAccounting) -> Bool {
    accounting.sent == accounting.written + accounting.ledger.total
  }

  @Test("has a gap in the camera's numbers as a loss in the driver")
  func gap() {
    var accounting = FrameAccounting()
    for sequence: UInt32 in [5, 6, 9, 10, 20] {
      accounting.enterWritten(sequence: sequence, at: Instant(nanoseconds: Int64(sequence)))
    }
    #expect(Array(accounting.sequences) == [5, 6, 9, 10, 20])
    #expect(
      accounting.ledger.losses == [
        Loss(sequence: 7, count: 2, stage: .driver), Loss(sequence: 11, count: 9, stage: .driver),
      ])
    #expect(accounting.sent == 16)
    #expect(truth(accounting))
  }

  @Test("keeps the stage of each loss; adjacent losses at one stage are one run")
  func stages() {
    var accounting = FrameAccounting()
    accounting.enterWritten(sequence: 0, at: Instant(nanoseconds: 0))
    accounting.enterLost(sequence: 1, at: .corrupt)
    accounting.enterLost(sequence: 2, at: .corrupt)
    accounting.enterLost(sequence: 3, count: 4, at: .ring)
    accounting.enterWritten(sequence: 8, at: Instant(nanoseconds: 8))
    accounting.enterLost(sequence: 9, at: .disk)
    #expect(
      accounting.ledger.losses == [
        Loss(sequence: 1, count: 2, stage: .corrupt), Loss(sequence: 3, count: 4, stage: .ring),
        Loss(sequence: 7, count: 1, stage: .driver), Loss(sequence: 9, count: 1, stage: .disk),
      ])
    #expect(LossStage.allCases.map(accounting.ledger.count(of:)) == [1, 2, 4, 1])
    #expect(accounting.sent == 10)
    #expect(truth(accounting))
  }

  @Test("counts the frames between a loss and the next key frame as at risk, not as lost")
  func atRisk() {
    var accounting = FrameAccounting()
    func write(_ sequence: UInt32, isDependent: Bool = true) {
      accounting.enterWritten(
        sequence: sequence, at: Instant(nanoseconds: Int64(sequence)), isDependent: isDependent)
    }
    write(0, isDependent: false)
    write(1)
    #expect(accounting.atRisk == 0)
    write(3)
    write(4)
    #expect(accounting.atRisk == 2)
    write(5, isDependent: false)
    write(6)
    #expect(accounting.atRisk == 2)
    accounting.enterLost(sequence: 7, at: .ring)
    write(8)
    #expect(accounting.atRisk == 3)
    // A key frame needs no frame before it, lost or not.
    write(10, isDependent: false)
    write(11)
    #expect(accounting.atRisk == 3)
    #expect(accounting.lost.total == 3 && accounting.sent == 12)
    #expect(truth(accounting))
  }

  @Test("continues numbers across the 32-bit wrap")
  func wrap() {
    var accounting = FrameAccounting()
    for sequence: UInt32 in [.max - 1, .max, 1] {
      accounting.enterWritten(sequence: sequence, at: Instant(nanoseconds: 0))
    }
    #expect(Array(accounting.sequences) == [0xffff_fffe, 0xffff_ffff, 0x1_0000_0001])
    #expect(accounting.ledger.losses == [Loss(sequence: 0x1_0000_0000, count: 1, stage: .driver)])
    #expect(accounting.hasReliableSequence)
    #expect(truth(accounting))
  }

  @Test("has no losses for a camera that does not count", arguments: [[0, 0, 0, 0], [9, 3, 4, 5]])
  func noCounting(_ numbers: [UInt32]) {
    var accounting = FrameAccounting()
    for number in numbers { accounting.enterWritten(sequence: number, at: Instant(nanoseconds: 0)) }
    #expect(!accounting.hasReliableSequence)
    #expect(accounting.ledger.total == 0)
    #expect(accounting.sent == 4)
    #expect(truth(accounting))
  }

  @Test("has no loss if a number repeats and the next is skipped: the driver counted late")
  func lateCounting() {
    var accounting = FrameAccounting()
    for number: UInt32 in [0, 0] + Array(2..<30) + [32, 32, 33, 35] {
      accounting.enterWritten(sequence: number, at: Instant(nanoseconds: 0))
    }
    #expect(Array(accounting.sequences) == Array(0..<30) + [32, 33, 34, 35])
    #expect(accounting.ledger.losses == [Loss(sequence: 30, count: 2, stage: .driver)])
    #expect(accounting.hasReliableSequence)
    #expect(truth(accounting))
  }

  @Test("begins with the first captured frame: driver losses before it are excluded, damaged frames included")
  func beginning() {
    var accounting = FrameAccounting()
    accounting.enterLost(sequence: 3, count: 2, at: .driver)
    accounting.enterLost(sequence: 5, at: .corrupt)
    accounting.enterWritten(sequence: 7, at: Instant(nanoseconds: 0))
    #expect(
      accounting.ledger.losses == [
        Loss(sequence: 5, count: 1, stage: .corrupt), Loss(sequence: 6, count: 1, stage: .driver),
      ])
    #expect(accounting.sent == 3)
    #expect(truth(accounting))
  }

  @Test("measures the rate over the frames that were sent, not those that were written")
  func rate() {
    var accounting = FrameAccounting()
    accounting.enterWritten(sequence: 0, at: Instant(nanoseconds: 0))
    #expect(accounting.measuredFramesPerSecond == nil)
    accounting.enterWritten(sequence: 24, at: Instant(nanoseconds: 100_000_000))
    #expect(accounting.measuredFramesPerSecond == 240)
  }

  @Test("has a rate even for times at the limits of their type, as in a damaged journal")
  func farApart() {
    var accounting = FrameAccounting()
    accounting.enterWritten(sequence: 0, at: Instant(nanoseconds: .min))
    accounting.enterWritten(sequence: 1, at: Instant(nanoseconds: .max))
    #expect(accounting.measuredFramesPerSecond == 1e9 / 0x1p64)
    // A camera does not send so many either.
    var swift = FrameAccounting()
    swift.enterWritten(sequence: 0, at: Instant(nanoseconds: 0))
    swift.enterWritten(sequence: 0x7fff_ffff, at: Instant(nanoseconds: 1))
    #expect(swift.measuredFramesPerSecond == nil)
  }

  @Test("marks frames with the time of receipt; more than one in ten make the clock unreliable")
  func timedAtDequeue() {
    var accounting = FrameAccounting()
    for number: UInt32 in 0..<40 {
      accounting.enterWritten(
        sequence: number, at: Instant(nanoseconds: Int64(number)),
        isTimedAtDequeue: [3, 7, 8].contains(number))
    }
    #expect(accounting.timedAtDequeue == [FrameRun(sequence: 3, count: 1), FrameRun(sequence: 7, count: 2)])
    #expect(accounting.hasReliableTimestamps)
    accounting.enterWritten(sequence: 40, at: Instant(nanoseconds: 40), isTimedAtDequeue: true)
    accounting.enterWritten(sequence: 41, at: Instant(nanoseconds: 41), isTimedAtDequeue: true)
    #expect(!accounting.hasReliableTimestamps)
  }

  @Test("has no frames sent if it has no entries")
  func empty() {
    #expect(FrameAccounting().sent == 0)
    #expect(truth(FrameAccounting()))
  }

  @Test("has nothing missing before the first entry, or where numbers go back")
  func missing() {
    var accounting = FrameAccounting()
    accounting.enterGap(before: 7, at: .disk)
    #expect(accounting.ledger.total == 0 && accounting.missing(before: 7) == nil)
    accounting.enterWritten(sequence: 7, at: Instant(nanoseconds: 0))
    #expect(accounting.missing(before: 8) == 0)
    #expect(accounting.missing(before: 10) == 2)
    #expect(accounting.missing(before: 7) == nil && accounting.missing(before: 6) == nil)
    accounting.enterGap(before: 10, at: .disk)
    #expect(accounting.ledger.losses == [Loss(sequence: 8, count: 2, stage: .disk)])
  }

  @Test("counts numbers that repeat or go back as one each, in the rate too")
  func repeatsInTheRate() {
    var meter = RateMeter()
    for (number, time) in [(10, 0), (11, 10), (11, 20), (13, 40)] as [(UInt32, Int64)] {
      meter.enter(number, at: time * 1_000_000)
    }
    #expect(meter.framesPerSecond == 75)
    meter.enter(2, at: 50_000_000)
    #expect(meter.framesPerSecond == 80)
  }

  @Test(
    "leaves the pauses of a camera that numbers on out of the master's rate, unless it is slower than it says"
  )
  func pausesInTheRate() {
    var (meter, plain) = (RateMeter(usual: 4_000_000), RateMeter())
    for number in 0..<UInt32(101) {
      let time = Int64(number) * 4_000_000 + (number < 50 ? 0 : 2_000_000_000)
      meter.enter(number, at: time)
      plain.enter(number, at: time)
    }
    #expect(meter.framesPerSecond == 250)
    #expect(plain.framesPerSecond.map { abs($0 - 41.67) < 0.01 } == true)
    var slow = RateMeter(usual: 4_000_000)
    for number in 0..<UInt32(11) { slow.enter(number, at: Int64(number) * 100_000_000) }
    #expect(slow.framesPerSecond == 10)
    // Lost frames are no pause.
    var lossy = RateMeter(usual: 4_000_000)
    for number in [0, 1, 51, 52] as [UInt32] { lossy.enter(number, at: Int64(number) * 4_000_000) }
    #expect(lossy.framesPerSecond == 250)
    var last = RateMeter(usual: 1)
    for (number, time) in [(0, Int64.min), (1, .max)] as [(UInt32, Int64)] { last.enter(number, at: time) }
    #expect(last.framesPerSecond != nil)
  }
}
