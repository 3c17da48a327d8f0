import CameraModel
import FrameJudge
import Foundation
import Testing
import Timebase

@testable import Cameras

@Suite("A printed mode table")
struct ModeSheetTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Fixtures/sheets").standardizedFileURL

  private func sheet(_ id: String) throws -> ModeSheet {
    let camera = try #require(KnownCamera.all.first { $0.id == id })
    return ModeSheet(camera.table.described(by: ProfileLibrary(userFolder: "/no/such/folder")))
  }

  private func golden(_ name: String) throws -> String {
    try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
  }

  @Test(
    "matches the golden file",
    arguments: ["iphone-7-plus-back-wide", "tis-dfm-27ur0135-ml", "rkisp-imx219"])
  func golden(of id: String) throws {
    let sheet = try sheet(id)
    for (suffix, width) in [("pipe", nil), ("80", 80), ("140", 140)] {
      // Only one camera has a golden file of the wide form.
      guard let expected = try? golden("\(id).\(suffix).txt") else {
        #expect(suffix == "140")
        continue
      }
      let layout = ModeSheet.Layout(width: width)
      let lines = sheet.text(layout) + sheet.legend(layout).map(\.description)
      #expect(lines.joined(separator: "\n") + "\n" == expected)
    }
  }

  @Test("matches the golden file as comma-separated values")
  func csv() throws {
    let csv = try sheet("elp-usbfhd08s-260fps").csv.joined(separator: "\n") + "\n"
    #expect(csv == (try golden("elp-usbfhd08s-260fps.csv")))
  }

  @Test("fits the terminal for every known camera", arguments: KnownCamera.all)
  func fits(_ camera: KnownCamera) {
    let sheet = ModeSheet(camera.table.described(by: ProfileLibrary(userFolder: "/no/such/folder")))
    for width in [80, 100, 140] {
      #expect(sheet.text(.init(width: width)).dropFirst().allSatisfy { $0.count <= width })
    }
    // In a pipe, each line has as many words as the header has columns.
    let lines = sheet.text().dropFirst().map { $0.split(separator: " ").count }
    #expect(Set(lines).count == (sheet.lines.isEmpty ? 0 : 1))
  }

  @Test("marks the modes chosen for 240 and 120 fps", arguments: KnownCamera.all)
  func marks(_ camera: KnownCamera) {
    let sheet = ModeSheet(camera.table)
    for rate in ModeSheet.markedRates {
      let mode = ModeChoice(from: camera.table, for: .init(rate: FrameRate(whole: rate))).mode
      let marked = sheet.lines.filter { $0.taken.contains { $0.rate == rate } }
      #expect(marked.count == (mode == nil ? 0 : 1))
      #expect(marked.first?.row.fourcc == mode?.fourcc)
      #expect(marked.first?.row.size.largest.width == mode?.width)
    }
  }

  private func row(_ fourcc: String, _ width: UInt32, _ height: UInt32, _ rates: UInt32...) -> ModeRow {
    ModeRow(
      fourcc: fourcc, size: .discrete(width: width, height: height),
      intervals: rates.map { FrameInterval(1, $0) })
  }

  @Test("lists the fast and wide modes first")
  func order() {
    let rows = [
      row("MJPG", 1920, 1080, 60, 30), row("YUYV", 640, 480, 238), row("MJPG", 640, 480, 240),
      row("MJPG", 1280, 720, 120, 60), row("MJPG", 3840, 2160, 30), row("YUYV", 8, 8),
    ]
    let lines = ModeSheet(CameraTable(rows: rows)).lines
    #expect(lines.map(\.row.size.largest.width) == [640, 640, 1280, 1920, 3840, 8])
    #expect(lines.first?.row.fourcc == "MJPG")
    #expect(lines.map { $0.taken.map(\.rate) } == [[240], [], [120], [], [], []])
  }

  @Test("shows the data rate of raw frames, and marks a guess")
  func facts() {
    var guessed = row("YUYV", 640, 480, 120)
    guessed.readout = Readout(
      isBinned: true, binning: [2, 2], fieldOfView: [100, 100], evidence: "inferred")
    let sheet = ModeSheet(CameraTable(rows: [guessed, row("MJPG", 320, 240, 30), row("????", 8, 8, 30)]))
    #expect(sheet.lines.map(\.bytesPerSecond) == [640 * 480 * 2 * 120, nil, nil])
    let text = sheet.text(.init(width: 80))
    #expect(text[2].contains("2x2?"))
    #expect(text[2].contains("full?"))
    #expect(text[2].hasSuffix("74"))
    #expect(text[3].hasSuffix("compressed"))
    #expect(sheet.legend().contains { $0.description.contains("a guess") })
  }

  @Test("has a column for the latest measurement of each rate, if there are any")
  func measured() {
    func rate(_ value: Int64) -> FrameRate { FrameRate(whole: value) }
    var slow = row("MJPG", 640, 360, 240, 120)
    slow.measured = [
      MeasuredRate(asked: rate(120), got: rate(119)), MeasuredRate(asked: rate(240), got: rate(150)),
      MeasuredRate(asked: rate(240), got: rate(100)),
    ]
    let sheet = ModeSheet(CameraTable(rows: [slow, row("MJPG", 320, 240, 60)]))
    for width in [nil, 80] {
      let lines = sheet.text(.init(width: width)).dropFirst().map { $0.split(separator: " ") }
      let place = lines[0].firstIndex(of: "measured")
      #expect(place != nil && place.map { lines[1][$0] } == "100/240,119/120")
    }
    #expect(sheet.legend().contains { $0.description.hasPrefix("measured: ") })
    #expect(sheet.csv.map { $0.split(separator: ",").last } == ["measured_fps", "100", "119", "false"])

    let unmeasured = ModeSheet(CameraTable(rows: [row("MJPG", 320, 240, 60)]))
    let legend = unmeasured.legend().map(\.description)
    #expect(!(unmeasured.text() + legend + unmeasured.csv).joined().contains("measured"))
  }

  @Test("hides sampled sizes without rates, and mentions it")
  func sampled() {
    var rows = [row("YUYV", 640, 480), row("YUYV", 320, 240), row("YUYV", 160, 120, 30)]
    for index in rows.indices { rows[index].isSampled = true }
    let sheet = ModeSheet(CameraTable(rows: rows))
    #expect(sheet.lines.count == 1)
    #expect(sheet.legend().contains { $0.description.hasPrefix("2 sampled sizes") && $0.action == .showAll })
    #expect(ModeSheet(CameraTable(rows: rows), showsAll: true).lines.count == 3)
  }

  @Test("has colours only on request, and no control characters from the driver")
  func colour() {
    let table = CameraTable(card: "Red \u{1B}[31m\nCard", rows: [row("A\u{1B}B\n", 640, 480, 240)])
    let sheet = ModeSheet(table)
    let plain = (sheet.text() + sheet.text(.init(width: 80))).joined()
    #expect(!plain.unicodeScalars.contains { $0.properties.generalCategory == .control })
    #expect(sheet.text(.init(width: 80, hasColour: true)).last?.hasPrefix("\u{1B}[1;32m240") == true)
  }

  @Test("shows a mode in a sentence without control characters")
  func printableMode() {
    let mode = Mode(fourcc: "A\u{1B}B ", width: 640, height: 480, interval: FrameInterval(1, 240))
    #expect(mode.description == "640x480 A?B at 240 fps")
    let grey = Mode(fourcc: "Y16 ", width: 640, height: 480, interval: FrameInterval(1, 240))
    #expect(grey.description == "640x480 Y16 at 240 fps")
  }

  @Test("quotes comma-separated values where necessary")
  func quoting() {
    let csv = ModeSheet(CameraTable(rows: [row("a,\"b", 640, 480, 30)])).csv
    #expect(csv.last?.hasPrefix("\"a,\"\"b\",640,480,1,30,30,discrete,") == true)
  }

  @Test("can be printed from any hostile table, at any width", .timeLimit(.minutes(1)))
  func hostile() {
    var tables = HostileTables(random: SplitMix(state: 11))
    for count in 0..<2000 {
      var table = tables.table()
      for index in table.rows.indices where count % 3 == 0 {
        table.rows[index].isSampled = index % 2 == 0
        table.rows[index].readout.crop = [0, .max, .min, -1]
        table.rows[index].readout.binning = count % 2 == 0 ? [] : [.min]
        table.rows[index].readout.fieldOfView = count % 2 == 0 ? [.nan, .infinity] : [-1e300, 1e300]
        table.rows[index].readout.evidence = "inferred"
      }
      let sheet = ModeSheet(table, showsAll: count % 2 == 0)
      let width = [nil, 0, 1, 20, 80, 140][count % 6]
      let text = sheet.text(.init(width: width, hasColour: count % 5 == 0))
      #expect(!text.joined().contains("\n"))
      #expect(sheet.lines.count + sheet.hiddenCount <= table.rows.count)
      _ = sheet.legend(.init(width: width))
      #expect(sheet.csv.count >= sheet.lines.count)
    }
  }
}
