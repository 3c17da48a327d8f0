import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Retime

/// The colours of sources that do not state them: those that players assume.
@Suite("Unstated colours", .tags(.program), .timeLimit(.minutes(1))) struct AssumedColourTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A container of raw pictures, and their layout in it.
  struct Form: Sendable, CustomTestStringConvertible {
    var name: String
    var layout = "yuv420p"
    var options: [String] = []
    var testDescription: String { "\(layout) in \(name)" }
  }

  static let forms = [
    Form(name: "a.y4m"), Form(name: "a.avi"), Form(name: "a.nut", layout: "yuyv422"),
    Form(name: "a.mov", layout: "uyvy422"), Form(name: "a.mkv", options: ["-allow_raw_vfw", "1"]),
    Form(name: "a.nut", layout: "gbrp"),
  ]

  /// Writes two pictures of one colour, coded with `matrix`. Returns their path.
  func source(_ form: Form, height: Int, matrix: String) throws -> String {
    let path = folder.path(form.name)
    let conversion = form.layout == "gbrp" ? "" : "scale=out_color_matrix=\(matrix):out_range=tv,"
    try Program.run(
      "ffmpeg",
      [
        "-v", "error", "-y", "-f", "lavfi", "-i", "color=0xc91e1e:s=64x\(height):r=24:d=0.1,format=rgb24",
        "-vf", "\(conversion)format=\(form.layout)",
      ] + (form.name.hasSuffix("y4m") ? [] : ["-c:v", "rawvideo"]) + form.options + [path])
    return path
  }

  /// Red, green and blue of the first picture, read with `matrix`.
  func shown(_ path: String, matrix: String) throws -> [Int] {
    try Program.run(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-i", path, "-frames:v", "1", "-vf",
        "scale=in_color_matrix=\(matrix),format=rgb24,crop=1:1:30:30", "-f", "rawvideo", "-",
      ]
    ).output.map(Int.init)
  }

  func isNear(_ color: [Int], _ other: [Int] = [201, 30, 30]) -> Bool {
    color.count == other.count && zip(color, other).allSatisfy { abs($0 - $1) <= 4 }
  }

  @Test("are BT.709 from 720 rows on and BT.601 below", arguments: forms)
  func raw(_ form: Form) async throws {
    for (height, matrix, tag) in [(720, "bt709", "bt709"), (718, "bt601", "smpte170m")] {
      let path = try source(form, height: height, matrix: matrix)
      let clip = folder.path("clip.mp4")
      _ = try await ClipRenderer(
        ClipSource(FilePath(path)), spec: RenderSpec(preset: .ultrafast)
      ).render(to: OutputFile(FilePath(clip), replacing: true))
      #expect(try Probe(clip).streams.first?.color_space == tag)
      #expect(isNear(try shown(clip, matrix: matrix)), "\(height) rows")
    }
  }

  @Test("are those that players assume in Y4M", arguments: ["smpte170m", "bt709"])
  func pipe(_ tag: String) async throws {
    let matrix = tag == "bt709" ? tag : "bt601"
    for (height, expected) in [(720, "bt709"), (480, "bt601")] {
      let path = folder.path("a.mkv")
      try Program.run(
        "ffmpeg",
        [
          "-v", "error", "-y", "-f", "lavfi", "-i", "color=0xc91e1e:s=64x\(height):r=24:d=0.1,format=rgb24",
          "-vf", "scale=out_color_matrix=\(matrix):out_range=tv,format=yuv422p", "-colorspace", tag, "-c:v",
          "ffv1", path,
        ])
      let clip = folder.path("clip.y4m")
      var options = RenderSpec()
      options.codec = .raw
      _ = try await ClipRenderer(ClipSource(FilePath(path)), spec: options).render(
        to: OutputFile(FilePath(clip), replacing: true), container: .y4m)
      #expect(isNear(try shown(clip, matrix: expected)), "\(height) rows")
      let head = try Data(contentsOf: URL(filePath: clip)).prefix(96)
      #expect(String(decoding: head, as: UTF8.self).contains(" XCOLORRANGE=LIMITED\n"))
    }
  }

  @Test("are in the header of Y4M with the field order and the range of grey")
  func header() async throws {
    var options = RenderSpec()
    options.codec = .raw
    for (name, filter, words) in [
      ("a.mkv", "setfield=bff", [" Ib ", " A1:1 ", "LIMITED"]),
      ("b.mkv", "format=gray,setsar=4/3", [" Ip ", " A4:3 ", " Cmono XCOLORRANGE=FULL"]),
    ] {
      let path = folder.path(name)
      try Program.ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=24:d=0.1", "-vf", filter, "-c:v", "ffv1", "-field_order",
        name == "a.mkv" ? "bb" : "progressive", path)
      let clip = folder.path("clip.y4m")
      _ = try await ClipRenderer(ClipSource(FilePath(path)), spec: options).render(
        to: OutputFile(FilePath(clip), replacing: true), container: .y4m)
      let head = String(decoding: try Data(contentsOf: URL(filePath: clip)).prefix(96), as: UTF8.self)
      for word in words { #expect(head.contains(word), "\(head.prefix { $0 != "\n" })") }
    }
  }

  @Test("are V4L2's in masters whose camera stated none, at any size")
  func master() async throws {
    for (comment, matrix) in [
      ("Overcrank, master", ColorDescription.Matrix.bt601), ("of another program", .bt709),
    ] {
      let path = FilePath(folder.path("\(matrix.rawValue).mov"))
      var muxer = try Muxer(
        to: OutputFile(path), container: .mov,
        video: VideoTrack(codec: .raw(.yuyv422), width: 64, height: 720), timescale: 1000,
        metadata: ["comment": comment])
      let frame = [UInt8](repeating: 128, count: 64 * 720 * 2)
      try frame.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in
        try muxer.write(bytes, timestamp: 0, duration: 10)
      }
      try muxer.finish()
      #expect(try Demuxer(path).track.pictureColor.matrix == matrix)
    }
  }
}
