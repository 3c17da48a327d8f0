import ArgumentParser
import Overcrank

struct TakesLabelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "label",
    abstract: "Sets, removes or prints the label of a take, of a photo, or of all takes of a group.")

  @OptionGroup var argument: TakeArgument

  @Argument(help: "The label, one line; \"\" removes it. Without it, the current one is printed.")
  var label: String?

  @Flag(name: [.short, .long], help: ArgumentHelp("Print only facts and errors.", visibility: .rare))
  var quiet = false

  func run() async throws {
    let item = try await argument.item()
    let former: String
    switch item {
    case .entry(let entry):
      former = try (label == nil && entry.photo == nil ? entry.take().label : entry.label) ?? ""
    case .group(let group): former = group.label ?? ""
    }
    guard let label else { return Console.say(former) }
    let new = label.isEmpty ? nil : label
    switch item {
    case .entry(let entry): try entry.setLabel(new)
    case .group(let group): try group.setLabel(new)
    }
    guard !quiet else { return }
    let now = label.isEmpty ? "has no label" : "has the label \"\(label)\""
    let before = former.isEmpty || former == label ? "" : "; it was \"\(former)\""
    Console.remark("\(item.path): \(now)\(before).".printable)
  }
}
