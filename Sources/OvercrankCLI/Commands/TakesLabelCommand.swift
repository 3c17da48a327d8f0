import ArgumentParser
import Overcrank

struct TakesLabelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "label", abstract: "Sets, removes or prints the label of a take or photo.")

  @OptionGroup var argument: TakeArgument

  @Argument(help: "The label, one line; \"\" removes it. Without it, the current one is printed.")
  var label: String?

  @Flag(name: [.short, .long], help: ArgumentHelp("Print only facts and errors.", visibility: .rare))
  var quiet = false

  func run() async throws {
    let entry = try await argument.entry()
    guard let label else {
      return try Console.say((entry.photo == nil ? entry.take().label : entry.label) ?? "")
    }
    let former = entry.label ?? ""
    try entry.setLabel(label.isEmpty ? nil : label)
    guard !quiet else { return }
    let now = label.isEmpty ? "has no label" : "has the label \"\(label)\""
    let before = former.isEmpty || former == label ? "" : "; it was \"\(former)\""
    Console.remark("\(entry.path): \(now)\(before).".printable)
  }
}
