import ArgumentParser
import Overcrank

struct TakesShowCommand: AsyncParsableCommand, RuledOptions {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Prints the facts about a take, photo or group.")

  @OptionGroup var argument: TakeArgument
  @OptionGroup var output: OutputOptions

  @Flag(
    name: .customLong("frames-json"),
    help: "With --json: print the number and the time of each frame too, as in the take file.")
  var printsFrames = false

  var given: [String] { [String](given: ["--frames-json": printsFrames]) + output.given }

  func run() async throws {
    let entry: LibraryEntry
    switch try await argument.item() {
    case .entry(let found): entry = found
    case .group(let group):
      return try output.json ? Console.sayJSON(group.report) : Console.say(group.sheet)
    }
    if let photo = entry.photo {
      if output.json { return try Console.sayJSON(EntryReport(entry)) }
      return Console.say(photo.sheet(problems: entry.problems))
    }
    let take = try entry.take()
    if output.json {
      return try Console.sayJSON(StoredTakeReport(entry, take, hasFrames: printsFrames))
    }
    Console.say(TakeSheet(entry, take).text)
  }
}
