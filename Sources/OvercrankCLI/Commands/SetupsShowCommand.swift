import ArgumentParser
import Overcrank

struct SetupsShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "show", abstract: "Prints a setup as written.")

  @Argument(help: "The setup's name.", completion: .setup)
  var name: String

  @OptionGroup var output: OutputOptions

  func run() throws {
    let setup = try Setup(named: name)
    if output.json { return try Console.sayJSON(SetupReport(setup)) }
    // The file ends with a line break itself.
    Console.sayData(setup.text.hasSuffix("\n") ? String(setup.text.dropLast()) : setup.text)
  }
}
