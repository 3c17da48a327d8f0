import ArgumentParser
import Overcrank
import Takes

struct TakesLabelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "label", abstract: "Gives a take a label, or takes it away.")

  @OptionGroup var argument: TakeArgument

  @Argument(help: "The label, one line. (default: none, which removes the label)")
  var label: String?

  func run() async throws {
    try await argument.entry().setLabel(label)
  }
}
