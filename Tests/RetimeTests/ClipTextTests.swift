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

  @Test(
    "has the letters and accents of Europe's languages in Latin script, composed or not",
    arguments: [
      "\u{141}\u{f3}d\u{17a} g\u{119}\u{15b}", "\u{151}r\u{171}",
      "\u{152}uvre \u{ab}\u{a0}\u{e7}a\u{a0}\u{bb}",
      "\u{130}\u{11f}\u{15f}", "\u{de}\u{f3}r\u{f0}ur", "\u{219}i \u{21b}ar\u{103}",
      "\u{17e}lu\u{165}ou\u{10d}k\u{fd}",
      "\u{127}a\u{121}ra", "\u{16b}dens \u{123}", "\u{201c}\u{a3}\u{bd} \u{b1} 2\u{201d}",
      "e\u{302}\u{323} e\u{302}\u{301}",
      "o\u{30b}l\u{328}", "\u{a7} 5\u{ae}\u{2122}", "7 \u{2030} 1\u{ba} \u{20aa}", "\u{14b}\u{166} \u{2192}",
      "\u{12f}\u{135}\u{237}", "10\u{2074} \u{2264} x\u{2082}",
    ])
  func letters(_ words: String) throws {
    let text = try ClipText(text: words)
    let mask = TextFace(capital: 40).mask(of: text.words)
    // No letter is cut off at the upper and lower edges.
    #expect(mask.ink.contains(255))
    #expect(
      mask.ink.prefix(mask.width).allSatisfy { $0 == 0 } && mask.ink.suffix(mask.width).allSatisfy { $0 == 0 }
    )
  }

  @Test(
    "has all letters and signs of Latin-1 and Latin Extended-A, and what texts use of further blocks",
    arguments: [
      0xa0...0x17f, 0x2010...0x2027, 0x2030...0x2035, 0x2080...0x2089, 0x20a8...0x20ab, 0x2190...0x2199,
    ])
  func blocks(_ range: ClosedRange<UInt32>) {
    for scalar in range.compactMap(Unicode.Scalar.init) {
      #expect(TextFace.unknown(in: String(scalar)) == nil, "\(String(scalar.value, radix: 16))")
    }
  }

  @Test("is refused if it is empty, beyond the picture, or has letters that the font lacks")
  func refused() {
    let places = [
      "1.5,0.5", "5,5", "-1,0.5", "0.5,-0.1", "+2,0", "nan,0.5", "0.5,inf", "1e9,0", "50%,50%", "0.5, 7",
    ]
    let words = [
      "", "  @0.5,0.5", "\u{6f22}", "\u{202e}a", "E\u{302}\u{301}", "\u{301}",
      String(repeating: "a", count: 201),
    ]
    for text in words + places.map({ "a@" + $0 }) {
      #expect(throws: (any Error).self) { try ClipText(text: text) }
    }
  }
}
