import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Retime

/// The display on which HDR was mastered, and its brightness.
@Suite("HDR mastering metadata", .tags(.program), .timeLimit(.minutes(1))) struct LightMetadataTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The report of ffprobe on a file's stream and its first frame.
  func told(_ path: String) throws -> Set<String> {
    let words = String(
      decoding: try Program.run(
        "ffprobe",
        [
          "-v", "error", "-show_streams", "-show_frames", "-read_intervals", "%+#1", "-of", "flat", path,
        ]
      ).output, as: UTF8.self)
    let keys = [
      "red_x": "34000/50000", "white_point_y": "16450/50000", "max_luminance": "10000000/10000",
      "min_luminance": "50/10000", "max_content": "1000", "max_average": "400",
    ]
    let lines = words.split(separator: "\n").compactMap { line -> (String, Double)? in
      let terms = line.split(separator: "=", maxSplits: 1)
      guard terms.count == 2, let key = terms[0].split(separator: ".").last, keys[String(key)] != nil
      else { return nil }
      return (String(key), Self.number(terms[1].trimmingCharacters(in: ["\""])))
    }
    return Set(
      keys.filter { key, value in
        lines.contains { $0.0 == key && abs($0.1 / Self.number(value) - 1) < 0.001 }
      }.map(\.key))
  }

  static func number(_ text: String) -> Double {
    let terms = text.split(separator: "/").compactMap { Double($0) }
    return terms.count == 2 ? terms[0] / terms[1] : terms.first ?? 0
  }

  static let all: Set = [
    "red_x", "white_point_y", "max_luminance", "min_luminance", "max_content", "max_average",
  ]

  /// Frames in which only the codec's own bytes hold the metadata.
  func source(_ name: String) throws -> String {
    let path = folder.path(name)
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=24:d=0.25", "-c:v", "libx265", "-pix_fmt", "yuv420p10le",
      "-x265-params",
      "log-level=none:hdr10=1:repeat-headers=1:master-display=G(13250,34500)B(7500,3000)R(34000,16000)"
        + "WP(15635,16450)L(10000000,50):max-cll=1000,400",
      "-colorspace", "bt2020nc", "-color_primaries", "bt2020", "-color_trc", "smpte2084", path)
    return path
  }

  @Test(
    "is kept by every codec of clips with a high dynamic range",
    arguments: [
      (VideoEncoder.Kind.hevc, Container.mp4), (.prores, .mov), (.ffv1, .mkv), (.av1, .mkv), (.hevc, .mov),
      (.av1, .mp4),
    ])
  func render(_ codec: VideoEncoder.Kind, _ container: Container) async throws {
    let path = try source("a.ts")
    let clip = folder.path("clip.\(container.fileExtension)")
    _ = try await ClipRenderer(
      ClipSource(FilePath(path)), spec: RenderSpec(codec: codec, preset: .ultrafast)
    ).render(to: OutputFile(FilePath(clip)), container: container)
    #expect(try told(clip) == Self.all)
  }

  @Test("is kept in clips and copies if only the container holds it", arguments: [Container.mkv, .mov])
  func container(_ container: Container) async throws {
    let path = FilePath(try source("a.ts"))
    let first = FilePath(folder.path("first.mkv"))
    _ = try await ClipRenderer(ClipSource(path), spec: RenderSpec(codec: .ffv1)).render(
      to: OutputFile(first), container: .mkv)
    let clip = folder.path("clip.\(container.fileExtension)")
    if container == .mkv {
      _ = try await CopyRetimer(first, speed: SpeedCurve(.normal)).copy(
        to: OutputFile(FilePath(clip)), container: container)
    } else {
      _ = try await ClipRenderer(ClipSource(first), spec: RenderSpec(codec: .prores)).render(
        to: OutputFile(FilePath(clip)), container: container)
    }
    #expect(try told(clip) == Self.all)
  }
}
