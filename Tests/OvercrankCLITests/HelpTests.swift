import FrameJudge
import Testing

@testable import OvercrankCLI

@Suite("Help", .tags(.program), .timeLimit(.minutes(1)))
struct HelpTests {
  private func help(_ words: String...) throws -> String {
    let run = try OvercrankProgram(words, environment: ["COLUMNS": "80"])
    #expect(run.status == 0, "\(run.errors)")
    return run.output
  }

  private func options(in help: String) -> Set<String> {
    Set(help.matches(of: /\n  (?:-[a-z], )?(--[a-z][a-z-]*)/).map { String($0.output.1) })
  }

  @Test(
    "for a command with many options begins with examples, fits a page, and shows the rest on request",
    arguments: ["record", "retime", "snap", "bench"])
  func brief(command: String) throws {
    let brief = try help(command, "--help")
    #expect(brief.split(separator: "\n", omittingEmptySubsequences: false).count <= 61, "\(brief)")
    #expect(brief.matches(of: try Regex("\n  overcrank \(command) ")).count == 3)
    #expect(try help("help", command) == brief)
    let whole = try help(command, "--help-all")
    #expect(options(in: brief).isStrictSubset(of: options(in: whole)))
    #expect(options(in: brief).contains("--help-all"))
    let type = try #require(
      Overcrank.configuration.subcommands.first { $0.configuration.commandName == command })
    #expect(options(in: Overcrank.helpMessage(for: type, columns: 80)) == options(in: whole))
  }

  @Test("for a clip shows what most need for one that is made to be shown")
  func shown() throws {
    let wanted: Set = ["--text", "--reverse", "--bounce", "--under", "--for", "--audio"]
    #expect(options(in: try help("retime", "--help")).isSuperset(of: wanted))
  }

  @Test("for the program shows its commands first")
  func commands() throws {
    let help = try help("--help")
    let places = try ["USAGE:", "SUBCOMMANDS:", "OPTIONS:", "Exit codes:"].map {
      try #require(help.range(of: $0)).lowerBound
    }
    #expect(places == places.sorted())
  }
}
