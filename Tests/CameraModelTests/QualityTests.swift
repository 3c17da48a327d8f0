import FrameJudge
import Testing
import Timebase

@testable import CameraModel

@Suite("Requested picture qualities")
struct QualityTests {
  private func row(_ fourcc: String, _ width: UInt32, _ height: UInt32, _ rates: UInt32...) -> ModeRow {
    ModeRow(
      fourcc: fourcc, size: .discrete(width: width, height: height),
      intervals: rates.map { FrameInterval(1, $0) })
  }

  private var table: CameraTable {
    CameraTable(rows: [
      row("MJPG", 3840, 2160, 30), row("MJPG", 1920, 1080, 120, 60), row("MJPG", 1280, 720, 240, 120),
      row("YUYV", 640, 480, 240),
    ])
  }

  @Test(
    "at a given rate, are tried in order until the camera has one",
    arguments: [
      ("high", 120, 1080), ("medium", 120, 720), ("low", 120, 480), ("720p", 120, 720),
      ("2160p,1080p,high", 120, 1080), ("2160p,1080p,high", 240, 720), ("480p,1080p", 240, 480),
      ("640x480", 240, 480), ("640x481,1280X720", 120, 720), ("720x1280", 120, nil),
      ("1080p,low", 240, 480), ("2160p,low", 30, 2160), ("1440p,2160p", 240, nil),
    ] as [(String, Int64, UInt32?)])
  func atARate(_ list: String, _ rate: Int64, _ height: UInt32?) throws {
    let wishes = try Quality.list(text: list)
    let choices = ModeChoice.choices(from: table, at: FrameRate(whole: rate), .init(), quality: wishes)
    #expect(choices.count == wishes.count)
    #expect(ModeChoice.possible(choices).first?.mode?.height == height)
  }

  @Test(
    "without a rate, are each tried at 240 fps, then at 120, then at the highest rate that any of them has",
    arguments: [
      ("1080p,720p", 720, 240), ("1080p,2160p", 1080, 120), ("2160p", 2160, 30), ("1080p,high", 720, 240),
      ("high", 720, 240), ("low,high", 480, 240),
    ] as [(String, UInt32, UInt32)])
  func withoutARate(_ list: String, _ height: UInt32, _ rate: UInt32) throws {
    let wishes = try Quality.list(text: list)
    let mode = ModeChoice.possible(ModeChoice.preferences(from: table, quality: wishes)).first?.mode
    #expect(mode?.height == height)
    #expect(mode?.interval == FrameInterval(1, rate))
  }

  @Test("at the maximum rate, are preferred if they reach it")
  func highest() throws {
    let slow = CameraTable(rows: [row("MJPG", 1920, 1080, 60), row("MJPG", 1280, 720, 90)])
    for (list, height) in [("1080p,high", 720), ("1080p", 1080), ("1080p,2160p", 1080)] {
      let choices = ModeChoice.fastest(from: slow, .init(), quality: try Quality.list(text: list))
      #expect(ModeChoice.possible(choices).first?.mode?.height == UInt32(height))
    }
  }

  @Test("are reported with the one taken, and why each before it was skipped")
  func words() throws {
    let wishes = try Quality.list(text: "2160p,1080p,high")
    let all = ModeChoice.choices(from: table, at: FrameRate(whole: 240), .init(), quality: wishes)
    let taken = try #require(ModeChoice.possible(all).first)
    let choice = try #require(QualityChoice(taken, after: all, of: wishes, refused: []))
    #expect(choice.asked == ["2160p", "1080p", "high"])
    #expect(choice.taken == "high")
    #expect(choice.skipped.map(\.quality) == ["2160p", "1080p"])
    #expect(choice.skipped.map(\.framesPerSecond) == [240, 240])
    #expect(choice.skipped[0].reason == "no mode of quality 2160p has at least 99 % of 240 fps")
    #expect(
      choice.words?.hasPrefix(
        "The quality is high: 2160p at 240 fps is not available, because no mode of quality 2160p has")
        == true)
    #expect(QualityChoice(all[0], after: all, of: wishes, refused: [])?.words == nil)
    let none = try Quality.list(text: "1440p,999p")
    let failed = ModeChoice.possible(
      ModeChoice.choices(from: table, at: FrameRate(whole: 120), .init(), quality: none))
    #expect(failed.count == 1)
    #expect(
      failed[0].reason
        == "1440p: none of its modes has 1440 rows; they have 2160, 1080, 720, 480; 999p: none of its modes has 999 "
        + "rows; they have 2160, 1080, 720, 480")
    #expect(failed[0].isExcluded)
    // Without a requested quality, there is nothing to report.
    let plain = ModeChoice(from: table, for: .init(rate: FrameRate(whole: 120)))
    #expect(QualityChoice(plain, after: [plain], of: [], refused: []) == nil)
  }

  @Test("are skipped if the driver refuses their mode")
  func refused() throws {
    let wishes = try Quality.list(text: "1080p,high")
    let all = ModeChoice.choices(from: table, at: FrameRate(whole: 120), .init(), quality: wishes)
    let mode = try #require(all[0].mode)
    let refusal = ModeRefusal(mode: mode, got: nil, reason: "was refused")
    let choice = try #require(QualityChoice(all[1], after: all, of: wishes, refused: [refusal]))
    #expect(choice.skipped.map(\.quality) == ["1080p"])
    #expect(choice.skipped[0].reason.hasPrefix("the driver does not deliver it: 1920x1080"))
  }

  @Test("choose as the mode rule does among the rows that they allow")
  func naive() throws {
    var tables = HostileTables(random: SplitMix(state: 12))
    var found = 0
    for _ in 0..<300 {
      let table = tables.table()
      let rows = Set(table.rows.map(\.size.largest.height)).sorted().prefix(2)
      let wishes: [Quality] = rows.filter { $0 > 0 }.map { .rows($0) } + [.low, .medium, .high]
      for rate: Int64 in [30, 60, 120, 240] {
        var expected: NaiveChoice.Answer?
        for wish in wishes where expected == nil {
          let left = table.rows.filter { row in
            let size = row.size.largest
            return switch wish {
            case .high: true
            case .medium: size.width <= 1280
            case .low: size.width <= 640
            case .rows(let height): size.height == height
            case .size(let wanted): size == wanted
            }
          }
          expected = NaiveChoice.answer(left, at: rate)
        }
        let choices = ModeChoice.choices(
          from: table, at: FrameRate(whole: rate), .init(), quality: wishes)
        let mode = ModeChoice.possible(choices)[0].mode
        #expect(mode?.width == expected?.width)
        #expect(mode?.height == expected?.height)
        #expect(mode?.fourcc == expected?.fourcc)
        if mode != nil { found += 1 }
      }
    }
    #expect(found > 100)
  }

  @Test(
    "are refused if unknown, and the error lists the known ones",
    arguments: ["", "0p", "p", "+5p", "720", "best", "high,,low", "high,"])
  func unknown(_ text: String) {
    let error = #expect(throws: QuantityError.self) { try Quality.list(text: text) }
    #expect(error?.description.contains("high (the widest), medium (at most 1280 wide), low") == true)
  }

  @Test("survive a round trip through text", arguments: ["high", "2160p,1080p,high", "low,medium"])
  func roundTrip(_ text: String) throws {
    #expect(try Quality.list(text: text).text == text)
  }
}
