import FrameJudge
import Foundation
import Testing

/// vivid's bars of whole colours, through capture, master and clip, in formats, matrices and ranges.
///
/// The machine is emulated, so only a few formats are tested, one of each kind. ColourChartTests has the
/// others, on charts of its own; here the samples and their colour description are the kernel's.
@Suite(
  "The kernel's colour bars keep their colours", .serialized, .tags(.kernel), .needs(KernelCameras.vivid))
struct KernelColourTests {
  private static let (width, height) = (320, 180)

  /// White, yellow, cyan, green, magenta, red, blue and black.
  private static let bars: [[Double]] = [
    [1, 1, 1], [1, 1, 0], [0, 1, 1], [0, 1, 0], [1, 0, 1], [1, 0, 0], [0, 0, 1], [0, 0, 0],
  ]

  /// The settings of vivid, as values of its controls.
  struct Coding: CustomStringConvertible {
    var fourcc: String
    /// 1 Rec. 709, 2 sRGB, 4 BT.2020.
    var colorspace = 2
    /// 0 that of the colorspace, 1 full, 2 limited.
    var quantization = 0
    /// The weights of red and blue in luma, by ITU-T H.273; `nil` for a format of red, green and blue.
    var weights: (red: Double, blue: Double)?

    var description: String { "\(fourcc) \(colorspace)/\(quantization)" }

    /// The colours of the samples that vivid sends for `bar`.
    ///
    /// These are not quite the bar's: vivid uses 255 for 256 and truncates fractions (v4l2-tpg-core.c), so
    /// its white is 234, not 235. In red, green and blue this alone is up to 3.4 of 255, and a receiver
    /// cannot know it. So the clip must be within 3 of 255 of the samples sent, and within 4 of the bar
    /// itself.
    func sent(_ bar: [Double]) -> [Double] {
      guard let (red, blue) = weights else { return bar }
      let (lumaSteps, chromaSteps) = quantization == 1 ? (255.0, 255.0) : (219.0, 224.0)
      let luma = red * bar[0] + (1 - red - blue) * bar[1] + blue * bar[2]
      func cut(_ value: Double, _ steps: Double) -> Double {
        ((value * steps * 256).rounded() * 255 / 65536).rounded(.down) / steps
      }
      return rgb(
        luma: cut(luma, lumaSteps), cb: cut((bar[2] - luma) / (2 - 2 * blue), chromaSteps),
        cr: cut((bar[0] - luma) / (2 - 2 * red), chromaSteps), red: red, blue: blue)
    }

    static let all = [
      Coding(fourcc: "YUYV", weights: (0.299, 0.114)),
      Coding(fourcc: "NV12", colorspace: 1, quantization: 1, weights: (0.2126, 0.0722)),
      Coding(fourcc: "YU12", colorspace: 4, quantization: 2, weights: (0.2627, 0.0593)),
      Coding(fourcc: "RGB3"), Coding(fourcc: "XR24", colorspace: 1), Coding(fourcc: "RGGB"),
    ]
  }

  private func set(_ node: String, pattern: Int, text: Int, _ coding: Coding) throws {
    let values = [
      "test_pattern=\(pattern)", "osd_text_mode=\(text)", "colorspace=\(coding.colorspace)",
      "quantization=\(coding.quantization)",
    ]
    try Program.run("v4l2-ctl", ["-d", node, "-c", values.joined(separator: ",")])
  }

  @Test("in each format, matrix and range, within 3 of 255 of what was sent")
  func bars() throws {
    let node = try #require(KernelCameras.vivid)
    defer { try? set(node, pattern: 0, text: 0, Coding(fourcc: "")) }
    let folder = try TemporaryFolder()
    for coding in Coding.all {
      // Bars of 100 %, without text.
      try set(node, pattern: 1, text: 2, coding)
      let run = try OvercrankProgram(
        "record", node, "--no-thumbnail", "--ring", "4MiB", "--fps", "30", "--max-width", "320", "--format",
        coding.fourcc, "--frames", "2",
        "--develop", "none", "--preset", "ultrafast", "--crf", "0", "-o", folder.path("\(coding.fourcc).mp4"))
      #expect(run.status == 0, "\(coding): \(run.errors)")
      let take = try folder.take(coding.fourcc)
      #expect(take.mode.fourcc == coding.fourcc)
    }
    // All in one run, as programs start slowly in an emulated machine.
    let inputs = Coding.all.flatMap { ["-i", folder.path("\($0.fourcc).mp4")] }
    let outputs = Coding.all.enumerated().flatMap { index, coding in
      ["-map", "\(index):v", "-frames:v", "1", "-f", "rawvideo", folder.path(coding.fourcc)]
    }
    try Program.run("ffmpeg", ["-v", "error", "-nostdin"] + inputs + outputs)
    for coding in Coding.all {
      let stream = try #require(try Probe(folder.path("\(coding.fourcc).mp4")).streams.first)
      #expect(stream.width == Self.width && stream.height == Self.height, "\(coding)")
      #expect(stream.pix_fmt == "yuv420p" && stream.color_range == "tv", "\(coding)")
      let frame = try [UInt8](Data(contentsOf: URL(filePath: folder.path(coding.fourcc))))
      try #require(frame.count == Self.width * Self.height * 3 / 2)
      try judge(frame, stream.color_space, coding)
    }
  }

  @Test("are refused as hues in 256 steps")
  func otherHues() throws {
    let node = try #require(KernelCameras.vivid)
    try Program.run("v4l2-ctl", ["-d", node, "-c", "hsv_encoding=1"])
    defer { _ = try? Program.run("v4l2-ctl", ["-d", node, "-c", "hsv_encoding=0"]) }
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      "record", node, "--fps", "30", "--max-width", "320", "--format", "HSV3", "--frames", "2", "--no-clip",
      "-o", folder.path("x.mp4"))
    #expect(run.status == 69 && run.errors.contains("hues in 256 steps"), "\(run.errors)")
    #expect(try folder.names == [])
  }

  /// Compares a decoded frame with the samples sent.
  private func judge(_ frame: [UInt8], _ matrix: String?, _ coding: Coding) throws {
    let (width, pixels) = (Self.width, Self.width * Self.height)
    for (index, bar) in Self.bars.enumerated() {
      // Whole pixels, and then samples of half the size.
      let samples = [
        mean(frame, 0, width, index * 40 + 16, 86, 8),
        mean(frame, pixels, width / 2, index * 20 + 8, 43, 4),
        mean(frame, pixels * 5 / 4, width / 2, index * 20 + 8, 43, 4),
      ]
      let seen = try colour(samples, matrix)
      for (seen, (sent, bar)) in zip(seen, zip(coding.sent(bar), bar)) {
        let seen = min(max(seen, 0), 1)
        let words = "\(coding), bar \(index): \(samples) \(matrix ?? "")"
        #expect(abs(seen - min(max(sent, 0), 1)) * 255 <= 3, "\(words)")
        #expect(abs(seen - bar) * 255 <= 4, "\(words)")
      }
    }
  }

  /// The mean of a square of `size` samples in the plane that begins at `base`.
  private func mean(_ bytes: [UInt8], _ base: Int, _ stride: Int, _ x: Int, _ y: Int, _ size: Int) -> Double {
    let square = (y..<y + size).flatMap { row in
      (x..<x + size).map { Double(bytes[base + row * stride + $0]) }
    }
    return square.reduce(0, +) / Double(square.count)
  }

  /// Red, green and blue from 0 to 1 of samples of the limited range, by the matrix that the clip names: ITU-T H.273.
  private func colour(_ samples: [Double], _ matrix: String?) throws -> [Double] {
    let weights = [
      "bt709": (0.2126, 0.0722), "smpte170m": (0.299, 0.114), "bt470bg": (0.299, 0.114),
      "bt2020nc": (0.2627, 0.0593),
    ]
    let (red, blue) = try #require(matrix.flatMap { weights[$0] })
    return rgb(
      luma: (samples[0] - 16) / 219, cb: (samples[1] - 128) / 224, cr: (samples[2] - 128) / 224, red: red,
      blue: blue)
  }
}

/// Red, green and blue of luma from 0 to 1 and chroma from -0.5 to 0.5, with the weights of red and blue in luma.
private func rgb(luma: Double, cb: Double, cr: Double, red: Double, blue: Double) -> [Double] {
  let (r, b) = (luma + (2 - 2 * red) * cr, luma + (2 - 2 * blue) * cb)
  return [r, (luma - red * r - blue * b) / (1 - red - blue), b]
}
