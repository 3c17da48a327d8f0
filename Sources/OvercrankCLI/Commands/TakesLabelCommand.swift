import ArgumentParser
import Overcrank

struct TakesLabelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "label", abstract: "Sets, removes or prints the label of a take or photo.")

  @OptionGroup var argument: TakeArgument

  @Argument(help: "The label, one line; \"\" removes it. Without it, the current one is printed.")
  var label: String?

  func run() async throws {
    let entry = try await argument.entry()
    guard let label else {
      return try Console.say((entry.photo == nil ? entry.take().label : entry.label) ?? "")
    }
    try entry.setLabel(label.isEmpty ? nil : label)
  }
}
