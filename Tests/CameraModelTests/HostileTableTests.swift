import FrameJudge
import Testing
import Timebase

@testable import CameraModel

@Suite("The mode rule on tables that no sane driver would give")
struct HostileTableTests {
  static let rates: [Int64] = [1, 30, 60, 90, 120, 240, 1_000_000]

  private func choice(_ table: CameraTable, at rate: Int64) -> ModeChoice {
    ModeChoice(from: table, for: .init(rate: FrameRate(whole: rate)))
  }

  @Test("gives the same result as a naive version of it, for random tables", arguments: 1...20)
  func random(_ seed: UInt64) {
    var tables = HostileTables(random: SplitMix(state: seed))
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

  @Test("never chooses a mode narrower than another that qualifies, and ignores modes that are too slow")
  func properties() {
    var tables = HostileTables(random: SplitMix(state: 7))
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

  @Test("depends on the order of rows only where two modes are otherwise equal")
  func order() {
    var tables = HostileTables(random: SplitMix(state: 8))
    var compared = 0
    for _ in 0..<1000 {
      let table = tables.table()
      // Rows of one format and size are one mode, whose readout is that of the first row.
      let keys = table.rows.map { "\($0.fourcc) \($0.size.largest)" }
      guard Set(keys).count == keys.count else { continue }
      compared += 1
      let shuffled = CameraTable(rows: table.rows.shuffled(using: &tables.random))
      for rate in Self.rates {
        let (one, other) = (choice(table, at: rate).mode, choice(shuffled, at: rate).mode)
        #expect(one?.width == other?.width)
        #expect(one?.height == other?.height)
        #expect(one?.rate == other?.rate)
        #expect((one?.range == "limited") == (other?.range == "limited"))
        #expect((one?.readout.isBinned == true) == (other?.readout.isBinned == true))
        #expect(one?.pixelFormat?.family.weight == other?.pixelFormat?.family.weight)
      }
    }
    #expect(compared > 100)
  }

  @Test("ranks unbinned modes before wider ones if they are preferred, but only among those that qualify")
  func preference() {
    var tables = HostileTables(random: SplitMix(state: 9))
    for _ in 0..<500 {
      let table = tables.table()
      for rate in Self.rates {
        let plain = choice(table, at: rate)
        let found = ModeChoice(
          from: table, for: .init(rate: FrameRate(whole: rate), .init(preference: .unbinned)))
        #expect(Set(found.ranking) == Set(plain.ranking))
        let ranks = found.ranking.map { mode in mode.readout.isBinned.map { $0 ? 2 : 0 } ?? 1 }
        #expect(ranks == ranks.sorted())
      }
    }
  }

  @Test("chooses a mode again from the request made for it, also after a round trip through text")
  func requests() throws {
    var tables = HostileTables(random: SplitMix(state: 10))
    var found = 0
    for _ in 0..<200 {
      let table = tables.table()
      let none = ModeChoice(from: table, for: .init(rate: FrameRate(whole: 500_000_000)))
      for mode in none.nearest {
        guard var request = none.request.taking(mode, of: table) else { continue }
        found += 1
        request.rate = try FrameRate(text: request.rate.exactDescription)
        request.criteria.format = try request.criteria.format.map { try FormatFilter(text: $0.text) }
        // Rows of one size are one mode, which may list the same rate as two different fractions.
        let taken = ModeChoice(from: table, for: request).mode
        #expect(taken?.fourcc == mode.fourcc)
        #expect(taken?.width == mode.width)
        #expect(taken?.height == mode.height)
        #expect(taken?.rate == mode.rate)
      }
    }
    #expect(found > 100)
  }

  @Test("finds neither a mode nor a nearest one on a node without pictures")
  func metadataAlone() {
    let table = CameraTable(rows: [
      ModeRow(fourcc: "UVCH", size: .discrete(width: 0, height: 0), intervals: [FrameInterval(1, 240)]),
      ModeRow(fourcc: "UVCD", size: .discrete(width: 10_240, height: 1)),
    ])
    let found = choice(table, at: 30)
    #expect(found.mode == nil)
    #expect(found.nearest.isEmpty)
    #expect(ModeChoice.possible(ModeChoice.preferences(from: table)).map(\.mode) == [nil])
    let empty = ModeChoice.preferences(from: CameraTable(rows: []))
    #expect(ModeChoice.possible(empty).map(\.mode) == [nil])
  }

  @Test("does not overflow with the largest terms of an interval")
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
