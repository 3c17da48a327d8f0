import FrameJudge
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Media
@testable import Retime

@Suite("Text in a clip", .tags(.program), .timeLimit(.minutes(1)))
struct ClipTextTests {
  private static let (width, height) = (640, 360)

  /// The luma of the first frame of a clip from a source in one colour.
  private func frame(_ color: String, _ stages: PictureStages, fill: Fill = .hold) async throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let (video, clip) = (folder.path("film.mkv"), folder.path("clip.mkv"))
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "color=c=\(color):s=\(Self.width)x\(Self.height):r=24:d=0.25", "-c:v", "ffv1",
      "-pix_fmt", "yuv420p", video)
    let spec = RenderSpec(
      speed: SpeedCurve(.normal), outputRate: FrameRate(whole: 24), fill: fill, stages: stages, codec: .ffv1)
    _ = try await ClipRenderer(ClipSource(FilePath(video)), spec: spec).render(
      to: OutputFile(FilePath(clip)), container: .mkv)
    let shown = try Program.run(
      "ffmpeg",
      ["-v", "error", "-i", clip, "-frames:v", "1", "-vf", "extractplanes=y", "-f", "rawvideo", "-"])
    return [UInt8](shown.output)
  }

  @Test(
    "is white with a black edge on any picture, and changes nothing else",
    arguments: ["black", "gray", "white"],
    [Fill.hold, .blend])
  func readable(_ color: String, _ fill: Fill) async throws {
    let text = try ClipText(text: "Gr\u{f6}\u{df}e 1/8@0.5,0.5")
    let (plain, written) = (
      try await frame(color, .usual, fill: fill), try await frame(color, .usual.with(text), fill: fill)
    )
    let mask = TextFace(capital: Double(Self.height) / 18).mask(of: text.words)
    let left = (Self.width / 2 - mask.width / 2) & ~1
    let top = (Self.height / 2 - mask.height / 2) & ~1
    #expect(mask.ink.contains(255) && written.count == Self.width * Self.height)
    for place in written.indices {
      let (x, y) = (place % Self.width - left, place / Self.width - top)
      let isInside = (0..<mask.width).contains(x) && (0..<mask.height).contains(y)
      let (ink, edge) = isInside ? (mask.ink[y * mask.width + x], mask.edge[y * mask.width + x]) : (0, 0)
      if ink == 255 { #expect(written[place] == 235) }
      if ink == 0, edge == 255 { #expect(written[place] == 16) }
      if edge == 0 { #expect(written[place] == plain[place]) }
    }
  }

  @Test("keeps its place while the picture is zoomed")
  func zoomed() async throws {
    let text = try ClipText(text: "here@0.5,0.9")
    let zoom = ClipZoom(try ZoomCurve(text: "3"))
    #expect(
      try await frame("gray", .usual.with(text)) == frame("gray", .usual.with(text, zoom)))
  }

  @Test(
    "is read with its place, and may contain an @",
    arguments: [
      ("a", "a", "0.5", "0.9"), ("a@0.25,1", "a", "0.25", "1"), ("me@home", "me@home", "0.5", "0.9"),
      ("me@home@0,0", "me@home", "0", "0"), ("two\nlines", "two\nlines", "0.5", "0.9"),
      ("a@b,1", "a@b,1", "0.5", "0.9"), ("a@0.5", "a@0.5", "0.5", "0.9"),
    ])
  func read(_ text: String, _ words: String, _ x: String, _ y: String) throws {
    let read = try ClipText(text: text)
    #expect(read.words == words && read.x.exactText == x && read.y.exactText == y)
    #expect(try ClipText(text: read.text) == read)
  }

  @Test("is refused if it is empty, beyond the picture, or has letters that the font lacks")
  func refused() {
    let places = [
      "1.5,0.5", "5,5", "-1,0.5", "0.5,-0.1", "+2,0", "nan,0.5", "0.5,inf", "1e9,0", "50%,50%", "0.5, 7",
    ]
    for text in ["", "  @0.5,0.5", "\u{6f22}", String(repeating: "a", count: 201)] + places.map({ "a@" + $0 })
    {
      #expect(throws: (any Error).self) { try ClipText(text: text) }
    }
  }
}
