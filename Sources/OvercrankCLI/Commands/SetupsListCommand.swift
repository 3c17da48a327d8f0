import ArgumentParser
import Overcrank

struct SetupsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists your setups.")

  @OptionGroup var output: OutputOptions

  func run() throws {
    let names = Setup.names
    if output.json {
      return try Console.sayJSON(names.map { Line(name: $0, file: try Setup.file(named: $0).string) })
    }
    for name in names { Console.say(name) }
    if names.isEmpty {
      output.remark(
        "There are no setups in \(Setup.folder). \"overcrank setups save NAME sim: --fps 240\" saves one.")
    }
  }

  private struct Line: Encodable {
    var name: String
    var file: String
  }
}
