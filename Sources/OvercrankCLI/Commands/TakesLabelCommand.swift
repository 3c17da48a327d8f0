import ArgumentParser
import Overcrank

struct TakesLabelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "label", abstract: "Gives a take a label, takes it away, or prints it.")

  @OptionGroup var argument: TakeArgument

  @Argument(help: "The label, one line; \"\" takes it away. Without it, the present one is printed.")
  var label: String?

  func run() async throws {
    let entry = try await argument.entry()
    guard let label else { return try Console.sayData(entry.take().label ?? "") }
    try entry.setLabel(label.isEmpty ? nil : label)
  }
}
