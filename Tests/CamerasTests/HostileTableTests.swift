import FilmJudge
import Testing
import Timebase
import V4L2

@testable import Cameras

@Suite("The mode rule holds for tables such as no sane driver gives")
struct HostileTableTests {
  static let rates: [Int64] = [1, 30, 60, 90, 120, 240, 1_000_000]

  private func choice(_ table: CameraTable, at rate: Int64) -> ModeChoice {
    ModeChoice(from: table, for: .init(rate: FrameRate(whole: rate)))
  }

  @Test("random ones, against the rule written plainly", arguments: 1...20)
  func random(_ seed: UInt64) {
    var tables = HostileTables(random: SplitMix(seed: seed))
    var winners = 0
    for _ in 0..<500 {
      let table = tables.table()
      for rate in Self.rates {
        let found = choice(table, at: rate)
        let answer = NaiveChoice.answer(table.rows, at: rate)
        winners += answer == nil ? 0 : 1
        #expect(found.mode?.fourcc == answer?.fourcc, "\(table.rows) at \(rate)")
        #expect(found.mode?.width == answer?.width, "\(table.rows) at \(rate)")
        #expect(found.mode?.height == answer?.height, "\(table.rows) at \(rate)")
        #expect(found.mode?.interval.rate?.framesPerSecond == answer?.rate, "\(table.rows) at \(rate)")
        if let interval = answer?.interval { #expect(found.mode?.interval == interval) }
      }
    }
    #expect(winners > 1000)
  }

  @Test("the winner is never narrower than another that qualifies, and slower modes change nothing")
  func properties() {
    var tables = HostileTables(random: SplitMix(seed: 7))
    for _ in 0..<300 {
      var table = tables.table()
      for rate in Self.rates {
        let found = choice(table, at: rate)
        for runner in found.runnersUp { #expect(runner.mode.width <= found.mode?.width ?? 0) }
      }
      let before = choice(table, at: 120).mode
      table.rows.insert(
        ModeRow(
          fourcc: "MJPG", size: .discrete(width: .max, height: .max), intervals: [FrameInterval(1, 118)]),
        at: 0)
      if before?.width != .max { #expect(choice(table, at: 120).mode == before) }
    }
  }

  @Test("a node without pictures has no mode, and none below either")
  func metadataAlone() {
    let table = CameraTable(rows: [
      ModeRow(fourcc: "UVCH", size: .discrete(width: 0, height: 0), intervals: [FrameInterval(1, 240)]),
      ModeRow(fourcc: "UVCD", size: .discrete(width: 10_240, height: 1)),
    ])
    let found = choice(table, at: 30)
    #expect(found.mode == nil)
    #expect(found.nearest.isEmpty)
    #expect(ModeChoice(preferredFrom: table).mode == nil)
    #expect(ModeChoice(preferredFrom: CameraTable(rows: [])).mode == nil)
  }

  @Test("terms of the greatest size are reckoned with, not overflowed")
  func greatestTerms() {
    let terms: [UInt32] = [1, .max - 1, .max]
    let intervals = terms.flatMap { top in terms.map { FrameInterval(top, $0) } }
    let table = CameraTable(rows: [
      ModeRow(fourcc: "YUYV", size: .discrete(width: 640, height: 480), intervals: intervals)
    ])
    for rate in Self.rates {
      #expect(
        choice(table, at: rate).mode?.interval.rate?.framesPerSecond
          == NaiveChoice.answer(table.rows, at: rate)?.rate)
    }
  }
}
