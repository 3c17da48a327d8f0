import ArgumentParser
import Overcrank

struct SetupsRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Deletes a setup, and prints its file.")

  @Argument(help: "The setup's name.", completion: .setup)
  var name: String

  func run() throws {
    Console.say("\(try Setup.remove(name))")
  }
}
