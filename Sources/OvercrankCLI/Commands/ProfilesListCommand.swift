import ArgumentParser
import Overcrank

struct ProfilesListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists all profiles, the shipped ones and your own.")

  @OptionGroup var output: OutputOptions

  func run() throws {
    let entries = ProfileLibrary(for: output).entries
    if output.json { return try Console.sayJSON(entries.map(Line.init)) }
    let width = entries.map(\.profile.id.count).max() ?? 0
    for entry in entries {
      let id = entry.profile.id
      let padding = String(repeating: " ", count: width - id.count)
      Console.say("\(id)\(padding)  \(entry.profile.name)\(entry.file.map { "  (\($0))" } ?? "")")
    }
  }

  private struct Line: Encodable {
    var id: String
    var name: String
    @Nullable var file: String?
    var match: Profile.Match

    init(_ entry: ProfileLibrary.Entry) {
      id = entry.profile.id
      name = entry.profile.name
      file = entry.file?.string
      match = entry.profile.match
    }
  }
}
