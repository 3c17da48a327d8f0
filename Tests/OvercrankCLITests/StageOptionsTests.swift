import Retime
import Testing

@testable import OvercrankCLI

@Suite("The options of a clip's stages")
struct StageOptionsTests {
  /// Command lines that contain each option.
  static let lines: [[String]] = [
    ["--crop", "9:16"], ["--zoom", "0s:1, ease 2s:3", "--follow", "0.2,0.5@0s ease 0.8,0.5@2s"],
    ["--scale", "0.5"], ["--tone", "sdr"], ["--tone", "keep"], ["--develop", "none"],
    ["--develop", "auto", "--white-balance", "1.9,1,1.6", "--black", "64"], ["--deflicker"], ["--stamp"],
    ["--text", "words@0.5,0.1"], ["--reverse"], ["--bounce"],
  ]

  @Test("are written as they were given", arguments: lines)
  func words(_ line: [String]) throws {
    let stages = try AllStageOptions.parse(line).stages
    let words = AllStageOptions.words(for: stages)
    #expect(words == line)
    #expect(try AllStageOptions.parse(words).stages == stages)
  }

  @Test("are all covered here, with --zoom-at, which is written as --follow")
  func all() throws {
    let tried = Set(Self.lines.joined().filter { $0.hasPrefix("--") }).union(["--zoom-at"])
    let help = AllStageOptions.helpMessage(columns: 80)
    #expect(tried == Set(help.matches(of: /\n  (--[a-z-]+)/).map { String($0.output.1) }))
  }
}
