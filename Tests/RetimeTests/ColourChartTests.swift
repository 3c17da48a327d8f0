import CameraModel
import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Retime
@testable import Takes

/// Known colours, coded as a camera would, through a master and a clip, and back by the test's own
/// arithmetic.
@Suite("Colours and numbers from camera to clip", .tags(.program), .timeLimit(.minutes(1)), .serialized)
struct ColourChartTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let numbers: [UInt32] = [0, 1, 4]

  /// Every format in one coding, and one of each kind (in MOV, in NUT, unpacked here) in all.
  static let lumaFormats =
    (["Y41P", "M420"] + ColourChart.packed422.keys.sorted() + ColourChart.planar.keys.sorted()
    + ColourChart.packedWords.keys.sorted())
    .enumerated().flatMap { index, fourcc in
      ColourChart.Coding.all.enumerated().filter {
        $0.offset == index % 4 || ["YUYV", "NV12", "NV16"].contains(fourcc)
      }.map { (fourcc, $0.element) }
    }
  static let equalFormats = ColourChart.equals.keys.sorted()
  /// Each with the full range, by the drivers' default or stated, or with the limited one as stated.
  static let greyFormats = ColourChart.sensor.filter { $0.value.0.isEmpty }.keys.sorted().enumerated().map {
    index, fourcc in
    var coding = ColourChart.Coding.all[index % 3 == 0 ? 0 : 2]
    coding.quantization = UInt32([2, 1, 0][index % 3])
    return (fourcc, coding)
  }
  /// Mosaics of one order in every depth, and each order in bytes, in words and packed.
  static let rgbFormats =
    (ColourChart.packedRGB.keys.sorted()
      + ColourChart.sensor.filter { code, form in
        form.0 == "RGGB" || !form.0.isEmpty && (form.1 == 8 || form.1 == 10)
      }.keys.sorted())

  /// Compressed streams have tests of their own, as have JPEGs; `JPGL` has no encoder, and `UV8` no luma.
  @Test("have a chart in each format that docs/formats.md says is recorded")
  func page() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/formats.md")
    let text = try String(contentsOf: page.standardizedFileURL, encoding: .utf8)
    let rows = text.components(separatedBy: "## Formats that are not recorded")[0].split(separator: "\n")
    let codes = Set(
      rows.filter { $0.hasPrefix("| ") }.flatMap { row in
        row.split(separator: "|")[0].matches(of: /`([^`]+)`/).map { String($0.1) }
      })
    #expect(codes.count > 170)
    let others = Set(StreamFormat.all.map(\.fourcc)).union(["MJPG", "JPEG", "JPGL", "UV8 "])
    let chart = ColourChart(number: 1, coding: ColourChart.Coding.all[2])
    #expect(codes.subtracting(others).filter { (try? chart.frame($0)) == nil } == [])
  }

  @Test("luma and chroma", arguments: lumaFormats)
  func luma(_ fourcc: String, _ coding: ColourChart.Coding) async throws {
    try await check(fourcc, coding, clip: coding)
  }

  @Test("luma and chroma in formats that equal others in a master", arguments: equalFormats)
  func equals(_ fourcc: String) async throws {
    let coding = ColourChart.Coding.all[2]
    try await check(fourcc, coding, clip: coding)
  }

  @Test("grey", arguments: greyFormats)
  func grey(_ fourcc: String, _ coding: ColourChart.Coding) async throws {
    try await check(fourcc, coding, clip: coding, isGrey: true)
  }

  @Test("red, green and blue, side by side and in Bayer's mosaic", arguments: rgbFormats)
  func rgb(_ fourcc: String) async throws {
    // The clip gets BT.601 at this height.
    try await check(fourcc, ColourChart.Coding.all[2], clip: ColourChart.Coding.all[0])
  }

  /// The loss of few bits: half a step of a colour; luma and chroma are cut off, and chroma counts up to twice.
  @Test("pixels that are bits of one number", arguments: ColourChart.fields.keys.sorted())
  func fields(_ fourcc: String) async throws {
    let bits = try #require(ColourChart.fields[fourcc]?.0)
    let fewest = try #require(
      "rgbyuv".compactMap { letter in [bits.count { $0 == letter }].first { $0 > 0 } }.min())
    let isRGB = bits.contains("r")
    let step = 256 >> fewest
    try await check(
      fourcc, ColourChart.Coding.all[isRGB ? 2 : 0], clip: ColourChart.Coding.all[0],
      tolerance: 3 + Double(isRGB ? step * 2 / 3 : (step - 1) * 3))
  }

  @Test("webcams' own orders of bytes", arguments: ["S501", "S505", "S508", "CITV", "KONI", "S920"])
  func webcamLayouts(_ fourcc: String) async throws {
    try await check(fourcc, ColourChart.Coding.all[0], clip: ColourChart.Coding.all[0])
  }

  /// With the loss of the codes that the chart uses.
  @Test(
    "webcams' own compression",
    arguments: [
      ("S680", 3), ("S910", 19), ("M310", 11), ("SONX", 11), ("P207", 19), ("905C", 10), ("S401", 11),
      ("PJPG", 9),
    ])
  func webcamCompression(_ fourcc: String, _ tolerance: Double) async throws {
    try await check(
      fourcc, ColourChart.Coding.all[2], clip: ColourChart.Coding.all[0], tolerance: tolerance)
  }

  @Test(
    "luma of few bits, or beside another picture",
    arguments: [
      ("Y04 ", 12), ("Y06 ", 6), ("CNF4", 12), ("PAL8", 3), ("Y8I ", 4), ("Y12I", 3), ("Y16I", 3),
      ("INZI", 3),
    ])
  func unusualLuma(_ fourcc: String, _ tolerance: Double) async throws {
    let coding = ColourChart.Coding.all[2]
    try await check(fourcc, coding, clip: coding, isGrey: true, tolerance: tolerance)
  }

  /// Of numbered colours, there are five shades of red and of blue.
  @Test(
    "hue, numbered colours, and colours of more than 8 bits",
    arguments: [("HSV3", 8), ("HSV4", 8), ("HI24", 35), ("RGB6", 3), ("BGR6", 3), ("B312", 3), ("B412", 3)])
  func unusualColours(_ fourcc: String, _ tolerance: Double) async throws {
    try await check(
      fourcc, ColourChart.Coding.all[2], clip: ColourChart.Coding.all[0], tolerance: tolerance)
  }

  @Test("red, green and blue of the limited range", arguments: ColourChart.packedRGB.keys.sorted())
  func limitedRGB(_ fourcc: String) async throws {
    var coding = ColourChart.Coding.all[0]
    coding.quantization = 2
    try await check(fourcc, coding, clip: ColourChart.Coding.all[0])
  }

  @Test("a crop of a mosaic from an odd place keeps its colours", arguments: ["RGGB", "pGAA"])
  func croppedMosaic(_ fourcc: String) async throws {
    let chart = try ColourChart(number: 1, coding: ColourChart.Coding.all[1]).frame(fourcc)
    let format = try #require(PixelFormat(fourcc: fourcc))
    let master = try #require(MasterFormat(format))
    let path = FilePath(folder.path("x.nut"))
    var muxer = try Muxer(
      to: OutputFile(path), container: .nut,
      video: VideoTrack(codec: master.codec, width: ColourChart.width, height: ColourChart.height),
      timescale: 1000)
    try chart.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in
      try muxer.write(bytes, timestamp: 0, duration: 4)
    }
    try muxer.finish()
    // Within the sixth patch, which is red.
    let options = RenderSpec(
      stages: PictureStages(ClipCrop.part(PictureCrop(width: 16, height: 16, x: 167, y: 17))),
      preset: .ultrafast,
      quality: 4)
    let clip = folder.path("clip.mp4")
    _ = try await ClipRenderer(ClipSource(path), spec: options).render(to: OutputFile(FilePath(clip)))
    let decoded = try Program.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-i", clip, "-frames:v", "1", "-pix_fmt", "rgb24", "-f", "rawvideo", "-"])
    let middle = [UInt8](decoded.output)[(8 * 16 + 8) * 3..<(8 * 16 + 8) * 3 + 3]
    for (seen, wanted) in zip(middle, [255, 0, 0]) { #expect(abs(Int(seen) - wanted) <= 6, "\(middle)") }
  }

  @Test("JPEG of each subsampling", arguments: ["yuvj420p", "yuvj422p", "yuvj444p", "gray"])
  func jpeg(_ layout: String) async throws {
    let coding = ColourChart.Coding.all[2]
    let isGrey = layout == "gray"
    let numbers = Self.numbers
    var frames: [[UInt8]] = []
    for number in numbers {
      let raw = folder.path("\(number).rgb")
      let chart = ColourChart(number: number, coding: coding)
      try Data(try chart.frame(isGrey ? "GREY" : "422P")).write(to: URL(filePath: raw))
      try Program.ffmpeg(
        "-f", "rawvideo", "-pix_fmt", isGrey ? "gray" : "yuvj422p", "-s", "256x72", "-i", raw, "-q:v", "1",
        "-pix_fmt", layout, folder.path("\(number).jpg"))
      frames.append(Array(try Data(contentsOf: URL(filePath: folder.path("\(number).jpg")))))
    }
    try await check(frames, numbers, PixelFormat.mjpeg, coding, clip: coding, isGrey: isGrey)
  }

  private func check(
    _ fourcc: String, _ coding: ColourChart.Coding, clip: ColourChart.Coding, isGrey: Bool = false,
    tolerance: Double = 3
  ) async throws {
    let numbers = Self.numbers
    let frames = try numbers.map { try ColourChart(number: $0, coding: coding).frame(fourcc) }
    try await check(
      frames, numbers, try #require(PixelFormat(fourcc: fourcc)), coding, clip: clip, isGrey: isGrey,
      tolerance: tolerance)
  }

  private func check(
    _ frames: [[UInt8]], _ numbers: [UInt32], _ format: PixelFormat, _ coding: ColourChart.Coding,
    clip: ColourChart.Coding, isGrey: Bool, tolerance: Double = 3
  ) async throws {
    let master = try #require(MasterFormat(format))
    let colorimetry = Colorimetry(
      colorspace: Colorspace(rawValue: coding.colorspace),
      encoding: YCbCrEncoding(rawValue: coding.encoding),
      quantization: Quantization(rawValue: coding.quantization))
    let path = FilePath(folder.path("x.master.\(master.container.fileExtension)"))
    var muxer = try Muxer(
      to: OutputFile(path), container: master.container,
      video: VideoTrack(
        codec: master.codec, width: ColourChart.width, height: ColourChart.height,
        color: ColorDescription(colorimetry, of: master.codec)), timescale: 1_000_000)
    for (frame, number) in zip(frames, numbers) {
      try frame.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in
        try muxer.write(bytes, timestamp: Int64(number) * 4000, duration: 4000)
      }
    }
    try muxer.finish()
    try expectUntouched(frames, path)

    let result = folder.path("clip.mp4")
    let report = try await ClipRenderer(
      ClipSource(path),
      spec: RenderSpec(
        outputRate: FrameRate(whole: 250), stages: PictureStages(), preset: .ultrafast, quality: 4)
    ).render(to: OutputFile(FilePath(result)))
    #expect(report.damaged == 0)
    try expect(numbers, clip, in: result, isGrey: isGrey, tolerance: tolerance)
  }

  /// Expects the master to return the bytes written.
  private func expectUntouched(_ frames: [[UInt8]], _ path: FilePath) throws {
    var video = try Demuxer(path)
    var back: [[UInt8]] = []
    while let packet = try video.nextPacket() { back.append(packet.withBytes { Array($0) }) }
    #expect(back == frames)
  }

  /// Expects the numbers in the strips, and the chart's colours in the first frame.
  private func expect(
    _ numbers: [UInt32], _ coding: ColourChart.Coding, in path: String, isGrey: Bool, tolerance: Double
  ) throws {
    let stream = try #require(try Probe(path).streams.first)
    #expect(stream.pix_fmt == "yuv420p" && stream.color_range == "tv")
    #expect((stream.color_space == "bt709") == (coding.red != 0.299), "\(stream.color_space ?? "none")")
    let decoded = try Program.run(
      "ffmpeg", ["-v", "error", "-nostdin", "-i", path, "-vsync", "passthrough", "-f", "rawvideo", "-"])
    let bytes = [UInt8](decoded.output)
    let (width, height) = (ColourChart.width, ColourChart.height)
    let shown = stride(from: 0, to: bytes.count, by: width * height * 3 / 2).map { start in
      StripVideo.number { bytes[start + 4 * width + $0 * 8 + 4] }
    }
    #expect(shown.compactMap(\.self).uniqued == numbers)
    for (index, truth) in ColourChart.colours.enumerated() {
      let (x, y) = (index % 8 * 32 + 16, index / 8 * 32 + 24)
      func mean(_ base: Int, _ width: Int, _ x: Int, _ y: Int) -> Double {
        let patch = (y - 2..<y + 2).flatMap { row in
          (x - 2..<x + 2).map { Double(bytes[base + row * width + $0]) }
        }
        return patch.reduce(0, +) / Double(patch.count)
      }
      let chroma = width * height
      let samples = [
        mean(0, width, x, y), mean(chroma, width / 2, x / 2, y / 2),
        mean(chroma * 5 / 4, width / 2, x / 2, y / 2),
      ]
      let grey = coding.luma(truth)[0]
      for (seen, wanted) in zip(coding.colour(samples), isGrey ? [grey, grey, grey] : truth) {
        #expect(
          abs(min(max(seen, 0), 1) - wanted) * 255 <= tolerance,
          "colour \(index) \(truth): \(coding.colour(samples))"
        )
      }
    }
  }
}

extension Array where Element: Equatable {
  /// The elements that differ from the one before.
  fileprivate var uniqued: [Element] {
    enumerated().filter { $0.offset == 0 || self[$0.offset - 1] != $0.element }.map(\.element)
  }
}
