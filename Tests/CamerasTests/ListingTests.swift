import Platform
import CameraModel
import SystemPackage
import Testing
import Timebase

@testable import Cameras

@Suite("Output of v4l2-ctl --list-formats-ext")
struct ListingTests {
  private func table(_ text: String, node: FilePath? = nil) throws -> CameraTable {
    try CameraTable(contents: Array(text.utf8), named: "x.txt", node: node)
  }

  private func row(_ fourcc: String, _ width: UInt32, _ height: UInt32, _ intervals: FrameInterval...)
    -> ModeRow
  {
    ModeRow(fourcc: fourcc, size: .discrete(width: width, height: height), intervals: intervals)
  }

  @Test("of newer versions is read as a table")
  func newer() throws {
    let table = try table(ListingSample.newer)
    #expect(table.rows == ListingSample.newerRows)
    #expect(table.isMultiplanar == false)
    #expect(table.warnings.isEmpty)
  }

  @Test(
    "is read even if a mail program or a terminal has altered it",
    arguments: [
      ListingSample.newer.replacing("\n", with: "\r\n"),
      ListingSample.newer.replacing("\t", with: "        "),
      ListingSample.newer.replacing("\t", with: ""),
      "$ v4l2-ctl --list-formats-ext\nSize: 5 MB of log\n" + ListingSample.newer + "\nuser@host:~$ exit\n",
      ListingSample.newer.replacing("ioctl: VIDIOC_ENUM_FMT\n\tType: Video Capture\n", with: "\u{FEFF}\n"),
    ])
  func surroundings(_ text: String) throws {
    #expect(try table(text).rows == ListingSample.newerRows)
  }

  @Test("of older versions, with an index, flags and a name, is read as a table")
  func older() throws {
    let table = try table(
      """
      ioctl: VIDIOC_ENUM_FMT
      \tIndex       : 0
      \tType        : Video Capture
      \tPixel Format: 'MJPG' (compressed)
      \tName        : Motion-JPEG
      \t\tSize: Discrete 640x480
      \t\t\tInterval: Discrete 0.033 s (30.000 fps)

      \tIndex       : 1
      \tType        : Video Capture
      \tPixel Format: 'RGB3' (emulated)
      \tName        : RGB3
      \t\tSize: Discrete 320x240
      \t\t\tInterval: Stepwise 0.033s - 0.033s with step 0.000s (30.000-30.000 fps)
      """)
    var ranged = row("RGB3", 320, 240)
    ranged.stepwise = IntervalRange(
      min: FrameInterval(1, 30), max: FrameInterval(1, 30), step: FrameInterval(0, 1))
    #expect(table.rows == [row("MJPG", 640, 480, FrameInterval(1, 30)), ranged])
  }

  @Test("is read with ranges of sizes and intervals, and with a warning about missing sizes")
  func ranges() throws {
    let table = try table(
      """
      ioctl: VIDIOC_ENUM_FMT
      \tType: Video Capture Multiplanar

      \t[0]: 'NV12' (Y/CbCr 4:2:0)
      \t\tSize: Stepwise 16x16 - 4096x2304 with step 2/2
      \t\t\tInterval: Stepwise 0.017s - 1.000s with step 0.017s (1.000-60.000 fps)
      \t[1]: 'GREY' (8-bit Greyscale)
      \t\tSize: Continuous 2x1 - 8192x8192
      \t\t\tInterval: Continuous 0.003s - 1.000s (1.000-300.000 fps)
      \t[2]: 'YUYV' (YUYV 4:2:2)
      \t\tSize: Continuous 
      """)
    var stepwise = ModeRow(
      fourcc: "NV12",
      size: .stepwise(
        min: Dimensions(width: 16, height: 16), max: Dimensions(width: 4096, height: 2304),
        step: Dimensions(width: 2, height: 2)))
    stepwise.stepwise = IntervalRange(
      min: FrameInterval(1, 60), max: FrameInterval(1, 1), step: FrameInterval(1, 60))
    var continuous = ModeRow(
      fourcc: "GREY",
      size: .continuous(min: Dimensions(width: 2, height: 1), max: Dimensions(width: 8192, height: 8192)))
    continuous.continuous = IntervalRange(min: FrameInterval(1, 300), max: FrameInterval(1, 1))
    #expect(table.rows == [stepwise, continuous])
    #expect(table.isMultiplanar == true)
    #expect(table.warnings.count == 1)
    #expect(table.warnings.first?.contains("'YUYV'") == true)
  }

  @Test("is read with a warning that v4l2-ctl omits the rates of a range of sizes")
  func rateless() throws {
    let table = try table(
      """
      ioctl: VIDIOC_ENUM_FMT
      \tType: Video Capture

      \t[0]: 'YUYV' (YUYV 4:2:2)
      \t\tSize: Stepwise 16x16 - 16384x8640 with step 2/2
      \t[1]: 'UYVY' (UYVY 4:2:2)
      \t\tSize: Discrete 640x480
      """)
    #expect(table.rows.count == 2)
    #expect(table.warnings.count == 1)
    #expect(table.warnings.first?.contains("no rates for 'YUYV':") == true)
  }

  @Test("of several devices gives all rows with a warning, or those of the named device")
  func several() throws {
    let fast = row("MJPG", 640, 480, FrameInterval(1, 240))
    let slow = row("YUYV", 320, 240, FrameInterval(1, 30))
    let all = try table(ListingSample.several)
    #expect(all.rows == [fast, slow])
    #expect(all.card == nil)
    #expect(all.warnings.count == 2)

    let first = try table(ListingSample.several, node: "/dev/video0")
    #expect(first.rows == [fast])
    #expect(first.card == "Fast Camera: Fast")
    #expect(first.driver == "uvcvideo")
    #expect(first.bus == "usb-0000:00:14.0-2")
    #expect(try table(ListingSample.several, node: "/dev/video2").rows == [slow])
    let output = try table(ListingSample.several, node: "/dev/video3")
    #expect(output.rows.isEmpty)
    #expect(output.warnings.first?.contains("Video Output") == true)

    let error = #expect(throws: OvercrankError.self) { try table(ListingSample.several, node: "/dev/video7") }
    #expect(error?.description.contains("/dev/video0, /dev/video2") == true)
  }

  @Test(
    "gives each printed interval as the fraction that cameras mean by it",
    arguments: [
      ("0.033s (30.000 fps)", FrameInterval(1, 30)), ("0.033s (29.970 fps)", FrameInterval(1001, 30_000)),
      ("0.017s (59.940 fps)", FrameInterval(1001, 60_000)),
      ("0.042s (23.976 fps)", FrameInterval(1001, 24_000)),
      ("0.008s (119.880 fps)", FrameInterval(1001, 120_000)), ("0.080s (12.500 fps)", FrameInterval(2, 25)),
      ("0.008s (120.101 fps)", FrameInterval(1000, 120_101)), ("0.300s (3.333 fps)", FrameInterval(3, 10)),
      ("2.000s (0.500 fps)", FrameInterval(2, 1)), ("1.001s (0.999 fps)", FrameInterval(1001, 1000)),
      ("4294967295.000s (0.000 fps)", FrameInterval(4_294_967_295, 1)),
      ("0.000s (4294967295.000 fps)", FrameInterval(1, 4_294_967_295)),
      ("0.000s (100000.000 fps)", FrameInterval(1, 100_000)),
      ("0.000s (inf fps)", FrameInterval(0, 1)), ("infs (0.000 fps)", FrameInterval(1, 0)),
      ("-nans (-nan fps)", FrameInterval(0, 0)), ("nans (nan fps)", FrameInterval(0, 0)),
      ("0.033s", FrameInterval(1, 30)), ("0.017 s", FrameInterval(1, 60)), ("0.008s", FrameInterval(1, 120)),
      ("0.004s", FrameInterval(1, 240)), ("0.133s", FrameInterval(2, 15)), ("0.000s", FrameInterval(0, 1)),
      ("0.00833s", FrameInterval(1, 120)), ("0.123s", FrameInterval(123, 1000)),
      ("4294.967295123s (4294.967295121 fps)", FrameInterval(1, 4295)),
    ])
  func intervals(_ text: String, _ interval: FrameInterval) {
    #expect(ListingLine("\t\t\tInterval: Discrete \(text)") == .intervals(.discrete(interval)))
  }

  @Test("keeps a format of zero bytes and a size over 2^31 as the driver gave them")
  func oddities() throws {
    let table = try table(
      """
      ioctl: VIDIOC_ENUM_FMT
      \t[0]: '\0\0\0\0' ()
      \t\tSize: Discrete -1x480
      \t\t\tInterval: Discrete 0.033s (30.000 fps)
      """)
    #expect(table.rows == [row("\0\0\0\0", .max, 480, FrameInterval(1, 30))])
    #expect(ModeChoice(from: table, for: .init(rate: FrameRate(whole: 30))).mode == nil)
  }

  @Test("of a node without formats gives an empty table")
  func empty() throws {
    #expect(try table("ioctl: VIDIOC_ENUM_FMT\n\tType: Video Capture\n\n").rows.isEmpty)
  }

  @Test(
    "is refused if malformed, and the error quotes the line",
    arguments: [
      ("", "is empty"), (" \n\t\n", "is empty"),
      ("\n  Cannot open device /dev/video0, exiting.\n", "Cannot open device /dev/video0"),
      (ListingSample.newer.replacing("640x480", with: "640y480"), "line 8: \"Size: Discrete 640y480\""),
      (
        ListingSample.newer.replacing("0.008s (120.000 fps)", with: "soon"),
        "line 6: \"Interval: Discrete soon\""
      ),
      (ListingSample.newer.replacing("1280x720", with: "99999999999x720"), "line 5"),
      ("[]", "not a camera table"),
    ])
  func wrong(_ text: String, _ words: String) {
    let error = #expect(throws: OvercrankError.self) { try table(text) }
    #expect(error?.code == .badData)
    #expect(error?.description.hasPrefix("x.txt") == true)
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }
}
