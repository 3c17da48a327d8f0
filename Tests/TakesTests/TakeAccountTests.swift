import Testing

@testable import Takes

@Suite("The books of a take")
struct TakeAccountTests {
  private func truth(_ account: TakeAccount) -> Bool {
    account.sent == account.written + account.ledger.total
  }

  @Test("a gap in the camera's numbers is a loss in the driver")
  func gap() {
    var account = TakeAccount()
    for sequence: UInt32 in [5, 6, 9, 10, 20] {
      account.enterWritten(sequence: sequence, timestampNanoseconds: Int64(sequence))
    }
    #expect(account.sequences == [5, 6, 9, 10, 20])
    #expect(
      account.ledger.losses == [
        Loss(sequence: 7, count: 2, stage: .driver), Loss(sequence: 11, count: 9, stage: .driver),
      ])
    #expect(account.sent == 16)
    #expect(truth(account))
  }

  @Test("each loss keeps its stage; neighbours of one stage are one run")
  func stages() {
    var account = TakeAccount()
    account.enterWritten(sequence: 0, timestampNanoseconds: 0)
    account.enterLost(sequence: 1, at: .corrupt)
    account.enterLost(sequence: 2, at: .corrupt)
    account.enterLost(sequence: 3, count: 4, at: .ring)
    account.enterWritten(sequence: 8, timestampNanoseconds: 8)
    account.enterLost(sequence: 9, at: .disk)
    #expect(
      account.ledger.losses == [
        Loss(sequence: 1, count: 2, stage: .corrupt), Loss(sequence: 3, count: 4, stage: .ring),
        Loss(sequence: 7, count: 1, stage: .driver), Loss(sequence: 9, count: 1, stage: .disk),
      ])
    #expect(LossStage.allCases.map(account.ledger.count(of:)) == [1, 2, 4, 1])
    #expect(account.sent == 10)
    #expect(truth(account))
  }

  @Test("numbers go on across the 32-bit wrap")
  func wrap() {
    var account = TakeAccount()
    for sequence: UInt32 in [.max - 1, .max, 1] {
      account.enterWritten(sequence: sequence, timestampNanoseconds: 0)
    }
    #expect(account.sequences == [0xffff_fffe, 0xffff_ffff, 0x1_0000_0001])
    #expect(account.ledger.losses == [Loss(sequence: 0x1_0000_0000, count: 1, stage: .driver)])
    #expect(account.hasReliableSequence)
    #expect(truth(account))
  }

  @Test("a camera that does not count is not accused of losses", arguments: [[0, 0, 0, 0], [9, 3, 4, 5]])
  func noCounting(_ numbers: [UInt32]) {
    var account = TakeAccount()
    for number in numbers { account.enterWritten(sequence: number, timestampNanoseconds: 0) }
    #expect(!account.hasReliableSequence)
    #expect(account.ledger.total == 0)
    #expect(account.sent == 4)
    #expect(truth(account))
  }

  @Test("a number that comes twice, then leaves one out, was late to count: nothing is missing")
  func lateCounting() {
    var account = TakeAccount()
    for number: UInt32 in [0, 0] + Array(2..<30) + [32, 32, 33, 35] {
      account.enterWritten(sequence: number, timestampNanoseconds: 0)
    }
    #expect(account.sequences == Array(0..<30) + [32, 33, 34, 35])
    #expect(account.ledger.losses == [Loss(sequence: 30, count: 2, stage: .driver)])
    #expect(account.hasReliableSequence)
    #expect(truth(account))
  }

  @Test(
    "a take begins with the first frame that came: driver losses before it are no part of it, damaged frames are"
  )
  func beginning() {
    var account = TakeAccount()
    account.enterLost(sequence: 3, count: 2, at: .driver)
    account.enterLost(sequence: 5, at: .corrupt)
    account.enterWritten(sequence: 7, timestampNanoseconds: 0)
    #expect(
      account.ledger.losses == [
        Loss(sequence: 5, count: 1, stage: .corrupt), Loss(sequence: 6, count: 1, stage: .driver),
      ])
    #expect(account.sent == 3)
    #expect(truth(account))
  }

  @Test("the rate is measured over the frames that were sent, not those that were written")
  func rate() {
    var account = TakeAccount()
    account.enterWritten(sequence: 0, timestampNanoseconds: 0)
    #expect(account.measuredFramesPerSecond == nil)
    account.enterWritten(sequence: 24, timestampNanoseconds: 100_000_000)
    #expect(account.measuredFramesPerSecond == 240)
  }

  @Test("times as far apart as numbers go have a rate, as a damaged journal may tell of them")
  func farApart() {
    var account = TakeAccount()
    account.enterWritten(sequence: 0, timestampNanoseconds: .min)
    account.enterWritten(sequence: 1, timestampNanoseconds: .max)
    #expect(account.measuredFramesPerSecond == 1e9 / 0x1p64)
  }

  @Test("frames with the time of their receipt are told apart; more than one in ten is a clock of no use")
  func timedAtDequeue() {
    var account = TakeAccount()
    for number: UInt32 in 0..<40 {
      account.enterWritten(
        sequence: number, timestampNanoseconds: Int64(number), isTimedAtDequeue: [3, 7, 8].contains(number))
    }
    #expect(account.timedAtDequeue == [FrameRun(sequence: 3, count: 1), FrameRun(sequence: 7, count: 2)])
    #expect(account.hasReliableTimestamps)
    account.enterWritten(sequence: 40, timestampNanoseconds: 40, isTimedAtDequeue: true)
    account.enterWritten(sequence: 41, timestampNanoseconds: 41, isTimedAtDequeue: true)
    #expect(!account.hasReliableTimestamps)
  }

  @Test("nothing seen, nothing sent")
  func empty() {
    #expect(TakeAccount().sent == 0)
    #expect(truth(TakeAccount()))
  }
}
