import Testing

@testable import OvercrankCLI

@Suite("A suggested recording")
struct ModeWordsTests {
  /// Command lines, and what of them a suggestion keeps.
  static let lines: [(String, String)] = [
    ("record sim: --with sim: --fps 120 --quality 320x240 --frames 12", "--with sim: --frames 12"),
    ("record --label sim: --fps=120 sim: --mic sim:", "--label sim: --mic sim:"),
    ("record sim: --label --fps --fps 120 -q", "--label --fps -q"),
    ("record 2 --setup 2 --prefer size --max-width 640 --no-clip", "--setup 2 --no-clip"),
    ("record --frames 2 --format mjpeg -- sim:", "--frames 2"),
  ]

  @Test("keeps the values of options that equal the camera's name", arguments: lines)
  func rest(_ line: String, _ kept: String) {
    func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }
    #expect(ModeWords.rest(of: words(line)) == words(kept))
  }
}
