import Testing
import Timebase

@testable import CameraModel

@Suite("The mode rule")
struct ModeChoiceTests {
  private func row(_ fourcc: String, _ width: UInt32, _ height: UInt32, _ rates: UInt32...) -> ModeRow {
    ModeRow(
      fourcc: fourcc, size: .discrete(width: width, height: height),
      intervals: rates.map { FrameInterval(1, $0) })
  }

  private func choice(_ rows: [ModeRow], _ rate: String, maxWidth: UInt32? = nil, _ format: String? = nil)
    throws
    -> ModeChoice
  {
    ModeChoice(
      from: CameraTable(rows: rows),
      for: .init(
        rate: try FrameRate(text: rate),
        .init(maxWidth: maxWidth, format: try format.map { try FormatFilter(text: $0) })))
  }

  @Test("chooses the widest mode that is fast enough, even if others are faster")
  func widest() throws {
    let rows = [row("YUYV", 640, 480, 240), row("MJPG", 1280, 720, 120, 240), row("MJPG", 1920, 1080, 60)]
    let found = try choice(rows, "120")
    #expect(found.mode?.width == 1280)
    #expect(found.mode?.interval == FrameInterval(1, 120))
    #expect(found.runnersUp.map(\.mode.width) == [640])
    #expect(found.runnersUp.first?.reason.contains("narrower") == true)
  }

  @Test("accepts 119.88 fps as 120, but not 118")
  func tolerance() throws {
    let near = ModeRow(
      fourcc: "MJPG", size: .discrete(width: 640, height: 480), intervals: [FrameInterval(1001, 120_000)])
    #expect(try choice([near], "120").mode?.interval == FrameInterval(1001, 120_000))
    #expect(try choice([row("MJPG", 640, 480, 118)], "120").mode == nil)
  }

  @Test("at the same size and rate, prefers MJPEG to raw and raw to interframe, then the driver's order")
  func families() throws {
    let rows = [row("H264", 640, 480, 120), row("YUYV", 640, 480, 120), row("UYVY", 640, 480, 120)]
    #expect(try choice(rows, "120").mode?.fourcc == "YUYV")
    #expect(try choice(rows + [row("MJPG", 640, 480, 120)], "120").mode?.fourcc == "MJPG")
    #expect(try choice(rows + [row("MJPG", 640, 480, 120)], "120", "raw").mode?.fourcc == "YUYV")
    #expect(try choice(rows, "120", "UYVY").mode?.fourcc == "UYVY")
    #expect(try choice(rows, "120", "mjpeg").mode == nil)
  }

  @Test("excludes modes wider than --max-width")
  func maxWidth() throws {
    let rows = [row("MJPG", 1920, 1080, 120), row("MJPG", 1280, 720, 120)]
    #expect(try choice(rows, "120", maxWidth: 1280).mode?.width == 1280)
  }

  @Test("lists the nearest slower modes, fastest first, if none is fast enough")
  func nearest() throws {
    let rows = [row("MJPG", 1920, 1080, 30, 60), row("MJPG", 640, 480, 90), row("YUYV", 640, 480, 0)]
    let found = try choice(rows, "120")
    #expect(found.mode == nil)
    #expect(found.nearest.map(\.width) == [640, 1920])
    #expect(found.nearest.map(\.interval) == [FrameInterval(1, 90), FrameInterval(1, 60)])
  }

  @Test("without a rate, prefers 240 fps, then 120, then the highest; max takes the highest at once")
  func preferred() throws {
    func preferred(_ rows: [ModeRow]) -> Mode? {
      ModeChoice.possible(ModeChoice.preferences(from: CameraTable(rows: rows))).first?.mode
    }
    let slow = row("MJPG", 1920, 1080, 30, 60)
    let middle = row("MJPG", 1280, 720, 120)
    let fast = row("MJPG", 640, 480, 240, 480)
    #expect(preferred([slow, middle, fast])?.interval == FrameInterval(1, 240))
    #expect(preferred([slow, middle])?.width == 1280)
    #expect(preferred([slow])?.interval == FrameInterval(1, 60))
    #expect(preferred([]) == nil)
    let all = CameraTable(rows: [slow, middle, fast])
    #expect(ModeChoice(fastestFrom: all).mode?.interval == FrameInterval(1, 480))
    #expect(ModeChoice(fastestFrom: all).requestedRate == FrameRate(whole: 480))
    #expect(ModeChoice(fastestFrom: CameraTable(rows: [])).mode == nil)
  }

  @Test("for a still, chooses the largest picture, or the largest that is known to be unbinned")
  func largest() {
    var binned = row("MJPG", 1920, 1080, 30)
    var unbinned = row("MJPG", 1280, 720, 60)
    (binned.readout.isBinned, unbinned.readout.isBinned) = (true, false)
    let table = CameraTable(rows: [binned, unbinned])
    #expect(ModeChoice(largestFrom: table).mode?.width == 1920)
    #expect(ModeChoice(largestFrom: table, .init(preference: .unbinned)).mode?.width == 1280)
  }

  @Test("merges rows of one format and size, and ignores a size without an interval")
  func merging() throws {
    let rows = [row("MJPG", 640, 480, 30), row("MJPG", 1280, 720), row("MJPG", 640, 480, 120)]
    let found = try choice(rows, "120")
    #expect(found.mode?.width == 640)
    #expect(found.mode?.interval == FrameInterval(1, 120))
    #expect(found.runnersUp.isEmpty)
  }

  @Test("takes exactly the requested rate from a range of intervals")
  func ranges() throws {
    var range = ModeRow(fourcc: "GREY", size: .discrete(width: 640, height: 480))
    range.continuous = IntervalRange(min: FrameInterval(1, 300), max: FrameInterval(1, 1))
    #expect(try choice([range], "240").mode?.interval == FrameInterval(1, 240))
    #expect(try choice([range], "120000/1001").mode?.interval == FrameInterval(1001, 120_000))
    #expect(try choice([range], "301").mode?.interval == FrameInterval(1, 300))
    #expect(try choice([range], "400").mode == nil)
  }

  @Test("names the requested rate in its reason, however low, and no rate if none was requested")
  func slow() throws {
    let rows = [row("MJPG", 640, 480, 1)]
    #expect(try choice(rows, "1").reason == "the only mode with at least 99 % of 1 fps")
    #expect(ModeChoice(largestFrom: CameraTable(rows: rows)).reason == "the only mode")
  }

  @Test("for a still, chooses the rate nearest to 30 fps")
  func still() {
    let table = CameraTable(rows: [row("MJPG", 640, 480, 120, 30, 60), row("MJPG", 320, 240, 30)])
    let mode = ModeChoice(largestFrom: table).mode
    #expect(mode?.width == 640 && mode?.interval == FrameInterval(1, 30))
  }

  @Test("does not call modes excluded if the camera has none")
  func excluded() throws {
    #expect(try !choice([], "30").isExcluded)
    #expect(try choice([row("MJPG", 640, 480, 30)], "30", maxWidth: 320).isExcluded)
    #expect(try !choice([row("MJPG", 640, 480, 30)], "60").isExcluded)
  }

  @Test("names the narrower of two limits on the width")
  func narrower() {
    let table = CameraTable(rows: [row("MJPG", 1280, 720, 30)])
    for (width, most) in [(UInt32(800), 640), (500, 500)] {
      let found = ModeChoice(
        from: table,
        for: .init(rate: FrameRate(whole: 30), .init(maxWidth: width, quality: .low)))
      #expect(
        found.reason == "none of its modes is at most \(most) pixels wide; the narrowest has 1280")
    }
  }
}
